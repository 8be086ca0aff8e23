package metadata

import (
	"context"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestTitlesAt finds titles by their place in a page.
func TestTitlesAt(t *testing.T) {
	ex := must.Get(extract.New(extract.Default))(t)
	p := &page.Page{ID: "a", HTML: `<title>Locks - The Canal Book</title><h1>The Canal Book</h1><h1 hidden>x</h1><h1>How locks work</h1>`, MIME: "text/html"}
	must.Succeed(t, ex.Do(context.Background(), p))
	for where, want := range map[string]string{
		"set": "given", "h1": "The Canal Book", "h1.2 set": "How locks work|given", "tag.1": "Locks", "tag.2": "The Canal Book", "none": "",
		"h1.3": "!no title at \"h1.3\"", "tag.3": "!no title", "h1.x": "!place",
	} {
		got, err := titlesAt(strings.Fields(where), p, "given")
		if msg, bad := strings.CutPrefix(want, "!"); bad {
			must.Fail(t, err, msg)
		} else if err != nil || strings.Join(got, "|") != want {
			t.Errorf("%s: %q, %v, wanted %q", where, got, err, want)
		}
	}
	must.Equal(t, len(places), 26, "pages in titles.tsv")
}

// TestSeveralTitles counts any of the titles that are right, in its group.
func TestSeveralTitles(t *testing.T) {
	s := &Set{Pages: []*Gold{
		{ID: "a", Meta: map[string]any{"kind": "book"}, Values: Values{Title: "Locks"}, titles: []string{"Locks", "How locks work"}},
		{ID: "b", Meta: map[string]any{"kind": "talk"}, Values: Values{Title: "Weirs"}},
	}}
	must.Equal(t, strings.Join(s.Groups("kind"), " "), "book talk", "groups")
	for title, right := range map[string]int{"Locks": 1, "how locks work": 1, "Weirs": 0, "": 0} {
		got := s.Score(Fields[0], map[string]Values{"a": {Title: title}}, Part{Field: "kind", Value: "book"}, nil)
		if got.Pages != 1 || got.Right != right {
			t.Errorf("%q: %+v, wanted %d right", title, got, right)
		}
	}
}
