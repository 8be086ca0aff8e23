package vertical_test

import (
	"io"
	"strings"
	"testing"

	"chaffinch/format/vertical"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestLongDocument: of a document that is too long the rest is left out, with a reason,
// whether it is one paragraph or many; the next one is whole.
func TestLongDocument(t *testing.T) {
	for name, body := range map[string]string{
		"one paragraph":   "<p>\n" + strings.Repeat("word\n", 1000) + "</p>\n",
		"many paragraphs": strings.Repeat("<p>\nw\n</p>\n", 1000),
		"spaces":          "<p>\nword\n" + strings.Repeat("<sp s=\"    \"/>\n", 1000) + "</p>\n",
	} {
		in := "<doc id=\"long\">\n" + body + "</doc>\n<doc id=\"short\">\n<p>\nwhole\n</p>\n</doc>\n"
		r := vertical.NewPages(vertical.NewReader(strings.NewReader(in), vertical.ReaderConfig{MaxDoc: 1000}))
		long := must.Get(r.Next())(t)
		size := 0
		for i := range long.Blocks {
			size += len(long.Blocks[i].Text)
		}
		if long.ID != "long" || long.Cut != page.TooLarge || len(long.Blocks) == 0 || len(long.Blocks) > 8 || size > 1000 {
			t.Errorf("%s: %s has %d blocks of %d bytes, cut by %v", name, long.ID, len(long.Blocks), size, long.Cut)
		}
		short, err := r.Next()
		if err != nil || short.ID != "short" || short.Cut != page.None || len(short.Blocks) != 1 || short.Blocks[0].Text != "whole" {
			t.Errorf("%s: after it %+v, %v", name, short, err)
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("%s: %v, want the end", name, err)
		}
	}
}

// TestLongBlock: a long text comes in parts that make up the whole.
func TestLongBlock(t *testing.T) {
	in := "<doc>\n<p>\n" + strings.Repeat("word\n", 1<<19) + "</p>\n<p>\nnext\n</p>\n</doc>\n"
	var texts []string
	var text strings.Builder
	most := 0
	for b, err := range vertical.Blocks(vertical.NewReader(strings.NewReader(in), vertical.ReaderConfig{})) {
		must.Succeed(t, err)
		most = max(most, len(b.Text))
		text.Write(b.Text)
		if !b.More {
			texts = append(texts, text.String())
			text.Reset()
		}
	}
	if len(texts) != 2 || texts[0] != strings.TrimSpace(strings.Repeat("word ", 1<<19)) || texts[1] != "next" || most > 2<<20 {
		t.Errorf("%d texts, the longest part has %d bytes", len(texts), most)
	}
}
