package clean

import (
	"context"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// named labels each block with the name of the method and the text as reason.
type named struct{}

func (named) Name() string { return "named/1" }

func (named) Label(_ context.Context, p *page.Page) (out []page.Verdict, err error) {
	for i := range p.Blocks {
		out = append(out, page.Verdict{By: "named/1", Label: page.Good, Reason: p.Blocks[i].Text})
	}
	return out, nil
}

// TestRelease wants a separate verdict for each block of pages that use the memory of others, even
// if two blocks of a released page share a verdict.
func TestRelease(t *testing.T) {
	s := &Stage{Labeller: named{}}
	check := func(texts ...string) *page.Page {
		p := blocks(texts...)
		must.Succeed(t, s.Do(t.Context(), p))
		for i := range p.Blocks {
			b := &p.Blocks[i]
			if len(b.Verdicts) != 1 || cap(b.Verdicts) != 1 || b.Reason != b.Text || b.Verdicts[0].Reason != b.Text {
				t.Errorf("block %q: verdict %+v, all %+v", b.Text, b.Verdict, b.Verdicts)
			}
		}
		return p
	}
	first := check("a", "b", "c")
	first.Blocks = append(first.Blocks, first.Blocks[0])
	s.Release(first)
	second := check("d", "e", "f", "g", "h")
	s.Release(check("i", "j"))
	for i := range second.Blocks {
		if b := &second.Blocks[i]; b.Verdicts[0].Reason != b.Text {
			t.Errorf("block %q: verdict %+v of another page", b.Text, b.Verdicts[0])
		}
	}
}
