package blocks

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// chain returns the names of the elements around a block.
func chain(p *page.Page, block int) (names []string) {
	for e := p.Blocks[block].Element; e >= 0; e = p.Elements[e].Parent {
		names = append(names, p.Elements[e].Name+"."+p.Elements[e].Class)
	}
	return names
}

func TestPart(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "<div class=a%d><p>one</p><ul><li class=b%d>two<li>three</ul>", i, i)
	}
	p := cut(t, b.String())
	n := len(p.Blocks)
	if part(p, 0, n) != p {
		t.Error("a page that is read at once is another one")
	}
	for _, size := range []int{1, 7, 50, n - 1} {
		for from := 0; from < n; from += size {
			to := min(from+size, n)
			q := part(p, from, to)
			for i := range q.Blocks {
				if got, want := chain(q, i), chain(p, from+i); q.Blocks[i].Text != p.Blocks[from+i].Text || !reflect.DeepEqual(got, want) {
					t.Fatalf("block %d of %d to %d stands in %v, want %v", i, from, to, got, want)
				}
			}
			for i, e := range q.Elements {
				if int(e.Parent) >= i {
					t.Fatalf("element %d stands in %d, which follows it", i, e.Parent)
				}
			}
		}
	}
}

// TestLabelLarge wants the memory for a page of many blocks not to grow with
// it, and every block to have a verdict.
func TestLabelLarge(t *testing.T) {
	l := must.Get(New(Default))(t)
	p := &page.Page{Blocks: make([]page.Block, 2*partBlocks+100)}
	for i := range p.Blocks {
		p.Blocks[i] = page.Block{Text: "a word or two", Element: -1}
	}
	out := must.Get(l.Label(t.Context(), p))(t)
	for i := range out {
		if out[i].By != name {
			t.Fatalf("block %d has no verdict", i)
		}
	}
	s := l.pool.Get().(*scratch)
	if most := partBlocks * int(columns); cap(s.sheet.values) > most+most/4 {
		t.Errorf("room for %d values, want some %d", cap(s.sheet.values), most)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Label(ctx, p); err != context.Canceled {
		t.Errorf("stopped: error %v", err)
	}
}
