package method

import (
	"context"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// stopping is a context that is over after some looks.
type stopping struct {
	context.Context
	looks int
}

func (c *stopping) Err() error {
	if c.looks--; c.looks < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestClock: every method looks at the clock again and again inside a page, so
// that the time limit of a page is kept.
func TestClock(t *testing.T) {
	x := must.Get(extract.New(extract.Default))(t)
	read := func(mime, text string) *page.Page {
		p := &page.Page{MIME: mime, Raw: []byte(text)}
		must.Succeed(t, x.Do(t.Context(), p))
		return p
	}
	const sentence = "It was a dark night, and the rain fell on us. "
	short := read("text/html", strings.Repeat("<p>It was a dark", 40_000))
	one := read("text/html", "<p>"+strings.Repeat(sentence, 4000))
	pre := read("text/html", "<pre>"+strings.Repeat(sentence+"\n\n", 4000))
	dump := read("text/plain", strings.Repeat(sentence+"\n\n", 4000))
	for _, c := range []struct {
		methods string
		what    string
		page    *page.Page
	}{
		{"all blocks lines justext ncleaner perplexity", "many paragraphs", short},
		{"perplexity", "a long paragraph", one},
		{"perplexity ncleaner", "a long pre", pre},
		{"ncleaner", "plain text", dump},
	} {
		for _, name := range strings.Fields(c.methods) {
			l := must.Get(New(name, Options{}))(t)
			if _, err := l.Label(&stopping{context.Background(), 2}, c.page); err == nil {
				t.Errorf("%s, %s: labelled, though the time was over", name, c.what)
			}
		}
	}
}
