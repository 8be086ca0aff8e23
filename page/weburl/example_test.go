package weburl_test

import (
	"fmt"

	"chaffinch/page/weburl"
)

func Example() {
	page, err := weburl.Parse("https://www.finches.example.co.uk/birds/", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	u, err := weburl.Parse("../nest box?utm_source=x&id=7#eggs", &page)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(u)
	fmt.Println(u.Normalize())
	fmt.Println(u.Host(), u.Root())
	deep, _ := weburl.Parse("/a/b/a/b/a/b/a/b", &page)
	fmt.Println(deep.Trap())
	// Output:
	// https://www.finches.example.co.uk/nest%20box?utm_source=x&id=7#eggs
	// https://www.finches.example.co.uk/nest%20box?id=7
	// www.finches.example.co.uk https://www.finches.example.co.uk/
	// repeated-segment
}
