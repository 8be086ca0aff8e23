package lm

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"chaffinch/lab/eval/texts"
)

// pages are pages whose text follows rules, with the same menu on each.
func pages() (*texts.Pages, []*texts.System) {
	p := &texts.Pages{Name: "toy"}
	clean, dirty := &texts.System{Name: "clean"}, &texts.System{Name: "dirty"}
	words := strings.Fields("gull tern skua coot wren kite crow rook")
	for i := range 200 {
		var b strings.Builder
		for k := range 6 {
			fmt.Fprintf(&b, "The %s flew over the %s and the %s.\n", words[(i+k)%8], words[(i*k+3)%8], words[(i/8+k)%8])
		}
		p.Pages = append(p.Pages, texts.Page{ID: fmt.Sprint(i), Lang: "en-GB", Gold: b.String()})
		clean.Texts = append(clean.Texts, b.String())
		dirty.Texts = append(dirty.Texts, fmt.Sprintf("Home Search Login %d\n%sImprint Contact Privacy\nAll rights reserved %d\n", i, b.String(), i))
	}
	return p, []*texts.System{clean, dirty}
}

// TestMeasure: of equal size, text with menus is worth less; the figures do not
// depend on the workers, and pages of the test are not trained on.
func TestMeasure(t *testing.T) {
	p, systems := pages()
	cfg := Default
	cfg.MinPages = 10
	got, err := Measure(context.Background(), p, systems, cfg)
	if err != nil || len(got) != 2 || got[0].Lang != "en" {
		t.Fatalf("%+v, %v", got, err)
	}
	clean, dirty := got[0], got[1]
	if clean.Equal.BitsPerByte >= dirty.Equal.BitsPerByte || clean.Equal.PerToken >= dirty.Equal.PerToken || clean.Whole != clean.Equal {
		t.Errorf("clean %+v, dirty %+v", clean, dirty)
	}
	if dirty.Whole.Tokens <= clean.Whole.Tokens || dirty.Equal.Tokens > clean.Whole.Tokens+20 {
		t.Errorf("tokens of clean %+v, dirty %+v", clean, dirty)
	}
	cfg.Workers = 1
	again, err := Measure(context.Background(), p, systems, cfg)
	if err != nil || again[0] != got[0] || again[1] != got[1] {
		t.Errorf("one worker: %+v, %v", again, err)
	}
	l := parts(p, cfg)[0]
	if len(l.test) < 20 || len(l.train)+len(l.test) != 200 {
		t.Errorf("%d pages to train on, %d for the test", len(l.train), len(l.test))
	}
	p.Pages[l.train[0]].Near = []int{l.test[0]}
	if n := len(parts(p, cfg)[0].train); n != len(l.train)-1 {
		t.Errorf("a near-duplicate of a page of the test is trained on: %d", n)
	}
}

// TestNothing: a system that leaves nothing has no figures and takes none from others.
func TestNothing(t *testing.T) {
	p, systems := pages()
	cfg := Default
	cfg.MinPages = 10
	systems = append(systems, &texts.System{Name: "nothing", Texts: make([]string, 200)})
	got, err := Measure(context.Background(), p, systems, cfg)
	if err != nil || !math.IsNaN(got[2].Whole.PerToken) || math.IsNaN(got[0].Equal.PerToken) {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestSpeller: the probabilities of the bytes after one sum up to 1, and what was
// learned costs less.
func TestSpeller(t *testing.T) {
	var s speller
	empty := s.bits([]byte("gull"))
	if math.Abs(empty-5*8) > 1e-9 {
		t.Errorf("%v bits without learning, want 8 for each byte and the end", empty)
	}
	for range 10 {
		s.learn([]byte("gull"))
	}
	if s.bits([]byte("gull")) >= empty/2 || s.bits([]byte("xqzj")) <= s.bits([]byte("gull")) {
		t.Errorf("gull %v, xqzj %v", s.bits([]byte("gull")), s.bits([]byte("xqzj")))
	}
	sum := 0.0
	for b := range 256 {
		sum += (s.pairs['l'][b] + .5) / (s.total['l'] + 128)
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("probabilities sum to %v", sum)
	}
}

// TestBySite: all pages of a site are on one side; a page of no site stands alone.
func TestBySite(t *testing.T) {
	p, _ := pages()
	for i := range p.Pages {
		if i%10 != 0 {
			p.Pages[i].Site = fmt.Sprintf("%d.example", i/4)
		}
	}
	cfg := Default
	cfg.MinPages, cfg.BySite = 10, true
	l := parts(p, cfg)[0]
	tested := map[string]bool{}
	alone := 0
	for _, i := range l.test {
		if p.Pages[i].Site == "" {
			alone++
		}
		tested[p.Pages[i].Site] = true
	}
	for _, i := range l.train {
		if s := p.Pages[i].Site; s != "" && tested[s] {
			t.Errorf("page %d of %s is trained on", i, s)
		}
	}
	if alone == 0 || alone == 20 || len(l.train)+len(l.test) != 200 {
		t.Errorf("%d of 20 pages without a site are for the test; %d pages in all", alone, len(l.train)+len(l.test))
	}
}
