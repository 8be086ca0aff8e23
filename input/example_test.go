package input_test

import (
	"fmt"
	"log"

	"chaffinch/input"
	"chaffinch/page"
)

func Example() {
	in, err := input.Open([]string{"../examples/pages/crawl.warc.gz"}, input.Default)
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	for p, err := range in.All() {
		if err != nil { // one bad piece; the loop goes on behind it
			fmt.Println(err)
			continue
		}
		if p.Drop == page.None { // else it is no page with text, and Drop tells why
			fmt.Println(p.URL)
		}
	}
	// Output:
	// https://walks.example/lake
	// https://poezd.example/sever
	// https://gazette.example/letters
	// file:///notes/mill.html
}
