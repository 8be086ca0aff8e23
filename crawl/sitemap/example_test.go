package sitemap_test

import (
	"fmt"
	"strings"

	"chaffinch/crawl/sitemap"
	"chaffinch/page/weburl"
)

func Example() {
	at, _ := weburl.Parse("https://a.example/sitemap.xml", nil)
	list := `<urlset>
		<url><loc>https://a.example/gd/</loc><lastmod>2026-05-06</lastmod></url>
		<url><loc>mailto:finch@a.example</loc></url>
		<url><loc>https://a.example/en/</loc></url>`
	r, err := sitemap.NewReader(strings.NewReader(list), at, sitemap.Default)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for e, err := range r.All() {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(e.URL, e.Modified.Format("2 January 2006"))
	}
	// Output:
	// https://a.example/gd/ 6 May 2026
	// https://a.example/sitemap.xml: byte 130: URL "mailto:finch@a.example": neither http nor https: mailto
	// https://a.example/en/ 1 January 0001
}
