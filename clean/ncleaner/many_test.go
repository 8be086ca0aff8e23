package ncleaner

import (
	"context"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestManyBlocksInASegment takes a blink if a segment is looked at once, and
// a quarter of a minute if each of its blocks looks at it again.
func TestManyBlocksInASegment(t *testing.T) {
	m := must.Get(open("en"))(t)
	const line = "word, and more of it\r"
	text := strings.Repeat(line, 100_000)
	p := &page.Page{MIME: "text/plain", HTML: text, Blocks: make([]page.Block, 100_000)}
	for i := range p.Blocks {
		p.Blocks[i] = page.Block{Text: line[:len(line)-1], Start: i * len(line), End: (i+1)*len(line) - 1}
	}
	v, err := WithModel(Default, m).Label(context.Background(), p)
	if err != nil || len(v) != len(p.Blocks) || v[0].Score != v[len(v)-1].Score {
		t.Errorf("%d verdicts, error %v", len(v), err)
	}
}
