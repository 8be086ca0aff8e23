package crawl

import (
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

// TestLinkWords fails if the words of a link are not found on a page about the same thing, or found on
// another page.
func TestLinkWords(t *testing.T) {
	u := must.Get(weburl.Parse("https://www.a.example/", nil))(t)
	filler := strings.Repeat("The bees left the lime trees at nine. ", 8)
	for _, c := range []struct {
		link, title, text string
		want              int8
	}{
		{"<a href=//b.example/><b>Ferry</b> timetable</a>", "", filler + "The timetables changed. A FERRY leaves.", 1},
		{"<a href=//b.example/><b>Ferry</b> timetable</a>", "Ferries and the ferry", filler, 1},
		{"<a href=//b.example/>F&eacute;ri&eacute;</a>", "", filler + "f\u00e9ri\u00e9", 1},
		{"<a href=//b.example/>Ferry timetable</a>", "", filler, -1},
		{"<a href=//b.example/>Ferry timetable", "", filler, -1},
		{"<a href=//b.example/>Ferry timetable</a>", "", "Moved to another place", 0},
		{"<a href=//b.example/><img src=ferry.png></a> ferry", "", filler, 0},
		{"<a href=//b.example/>the sea</a>", "", filler, 0},
		{"<a href=//www2.a.example/>Ferry timetable</a>", "", filler, 0},
		{"<link rel=alternate href=//b.example/>Ferry timetable</a>", "", filler, 0},
	} {
		p := &page.Page{HTML: c.link}
		p.Links, p.Base = extract.Links(c.link)
		list, _ := links(p, u, nil)
		if len(list) != 1 {
			t.Fatalf("%s: %v", c.link, list)
		}
		to := &page.Page{Blocks: []page.Block{{Text: "A"}, {Text: c.text}}}
		to.Meta.Title = c.title
		if got := matchWords(list[0].Words, to); got != c.want {
			t.Errorf("%s, page %q %q: %d, want %d", c.link, c.title, c.text, got, c.want)
		}
	}
	if words := linkWords("<a>Ferry ferry FERRY", 0); words == 0 || uint16(words) != 0 {
		t.Errorf("words %x of a link with one word", words)
	}
}
