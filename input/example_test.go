package input_test

import (
	"fmt"
	"log"

	"chaffinch/input"
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
		fmt.Println(p.URL, len(p.Raw) > 0)
	}
	// Output:
	// https://walks.example/lake true
	// https://poezd.example/sever true
	// https://gazette.example/letters true
	// file:///notes/mill.html true
}
