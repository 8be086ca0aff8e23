package justext

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/clean"
	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
	"chaffinch/page"
)

var _ clean.Labeller = (*Labeller)(nil)

// TestLabelAnyBlocks: whatever the blocks, each gets one verdict, good or bad,
// with a reason, and the page is as before.
func TestLabelAnyBlocks(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		cfg := Presets[rapid.IntRange(0, len(Presets)-1).Draw(t, "preset")].Config
		l := must.Get(New(cfg))(t)
		p := &page.Page{Meta: page.Metadata{Lang: rapid.SampledFrom([]string{"", "en", "de", "zh", "?"}).Draw(t, "lang")}}
		for range rapid.IntRange(0, 12).Draw(t, "blocks") {
			p.Blocks = append(p.Blocks, page.Block{
				Text:      strings.Repeat(rapid.String().Draw(t, "text")+" the of and ", rapid.IntRange(0, 20).Draw(t, "times")),
				Kind:      page.Kind(rapid.IntRange(0, 6).Draw(t, "kind")),
				Path:      rapid.SampledFrom([]string{"", "html.body.p", "html.body.h2", "select.option", "..h"}).Draw(t, "path"),
				LinkChars: rapid.IntRange(-1, 1000).Draw(t, "links"),
			})
		}
		v, err := l.Label(context.Background(), p)
		if err != nil || len(v) != len(p.Blocks) {
			t.Fatalf("%d verdicts for %d blocks, %v", len(v), len(p.Blocks), err)
		}
		for i, v := range v {
			if v.Label != page.Good && v.Label != page.Bad || v.ContextFree == page.Unknown || v.Reason == "" || v.By != "justext/1" || !(v.Score >= 0 && v.Score <= 1) {
				t.Fatalf("block %d: %+v", i, v)
			}
			if p.Blocks[i].Label != page.Unknown {
				t.Fatalf("block %d was changed", i)
			}
		}
	})
}

func TestLabelStops(t *testing.T) {
	l, _ := New(Default)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := l.Label(ctx, &page.Page{Blocks: make([]page.Block, 3)}); err != context.Canceled {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

// TestManyShortBlocks takes a blink if the passes are linear and minutes if
// each block looks for its neighbours.
func TestManyShortBlocks(t *testing.T) {
	l, _ := New(Default)
	p := &page.Page{Blocks: make([]page.Block, 300_000)}
	for i := range p.Blocks {
		p.Blocks[i] = page.Block{Text: "a", Kind: page.Heading}
	}
	v, err := l.Label(context.Background(), p)
	if err != nil || v[1000].Label != page.Bad {
		t.Errorf("%v, %v", v[1000], err)
	}
}

func BenchmarkLabel(b *testing.B) {
	s := "The keeper of the light walked down to the harbour, as she did every evening, and counted the boats that had come home. "
	p := &page.Page{}
	n := 0
	for i := range 200 {
		t := strings.Repeat(s, i%4)
		if i%4 == 0 {
			t = "Home | News | Contact"
		}
		p.Blocks = append(p.Blocks, page.Block{Text: t, Path: "html.body.div.div.p"})
		n += len(t)
	}
	l := must.Get(New(Default))(b)
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		must.Succeed(b, must.Err(l.Label(context.Background(), p)))
	}
}
