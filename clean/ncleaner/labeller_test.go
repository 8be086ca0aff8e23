package ncleaner

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
	"chaffinch/model/data"
	"chaffinch/page"
)

var update = flag.Bool("update", false, "rewrite the expected part of testdata/label/*.txt")

// Each file of testdata/label holds a page and, after a line "----", the
// label, kind and text of its blocks, then of their segments.
func TestLabels(t *testing.T) {
	files, _ := filepath.Glob("testdata/label/*.txt")
	if len(files) == 0 {
		t.Fatal("no files")
	}
	x := must.Get(extract.New(extract.Default))(t)
	l := must.Get(New(Default))(t)
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			b := must.Read(t, f)
			in, want, ok := strings.Cut(string(b), "\n----\n")
			if !ok {
				t.Fatal("no line ----")
			}
			p := &page.Page{ID: f, Raw: []byte(in)}
			must.Succeed(t, x.Do(context.Background(), p))
			p.Lang = p.Meta.Lang
			vs := must.Get(l.Label(context.Background(), p))(t)
			var got strings.Builder
			for i, v := range vs {
				b := &p.Blocks[i]
				fmt.Fprintf(&got, "%s %s (%s): %s\n", v.Label, b.Kind, v.Reason, first(b.Text))
				for _, s := range v.Sentences {
					fmt.Fprintf(&got, "\t%s: %s\n", s.Label, first(b.Text[s.Start:s.End]))
				}
			}
			if *update {
				must.Write(t, f, in+"\n----\n"+got.String())
				return
			}
			must.Equal(t, got.String(), want)
		})
	}
}

// first returns the beginning of text on one line.
func first(text string) string {
	text = strings.ReplaceAll(text, "\n", " / ")
	if r := []rune(text); len(r) > 60 {
		text = string(r[:57]) + "..."
	}
	return text
}

func TestModelChoice(t *testing.T) {
	l := must.Get(New(Default))(t)
	for _, c := range []struct {
		lang, text string
		want       *Model
	}{
		{"", "Plain English text", l.model},
		{"en", "a na\u00efve caf\u00e9 in a long English sentence", l.model},
		{"EN-gb", "text", l.model},
		{"de", "Text", l.other},
		{"", "Поезд на север", l.other},
		{"en", "Поезд на север", l.other},
		{"zh", "火车开往北方", l.other},
		{"", "รถไฟไปทางเหนือ", l.other},
		{"ko", "북쪽으로 가는 기차", l.other},
		{"", "", l.model},
	} {
		p := &page.Page{Lang: c.lang, Blocks: []page.Block{{Text: c.text}}}
		if got := l.modelFor(p); got != c.want {
			t.Errorf("%s %q: the wrong model", c.lang, c.text)
		}
	}
	if _, err := New(Config{Model: "missing.chf"}); err == nil {
		t.Error("New found a model that is not there")
	}
}

func TestScoreSign(t *testing.T) {
	m := must.Get(open("en"))(t)
	if s := m.PerChar("She had never thought of the house as large until it was empty."); s <= 0 {
		t.Errorf("prose: %v, wanted above 0", s)
	}
	if s := m.PerChar("Home | Login | Sign up | Search"); s >= 0 {
		t.Errorf("navigation: %v, wanted below 0", s)
	}
	if bits, chars := m.Score(" \t\u200b"); bits != 0 || chars != 0 || m.PerChar("") != 0 {
		t.Errorf("nothing: %v bits, %d characters", bits, chars)
	}
	must.Equal(t, m.PerChar("* A list item"), m.PerChar("A  list\nitem "), "bullet and white space change the score")
}

// The score of a text does not depend on the buffers it passes through.
func TestLongSegments(t *testing.T) {
	m := must.Get(open("en"))(t)
	for _, n := range []int{1, 511, 512, 513, 1024, 5000} {
		text := strings.Repeat("the ferry ", n)[:n]
		want := newSlow(m, text)
		got, _ := m.Score(text)
		if d := got - want; d > 1e-2 || d < -1e-2 {
			t.Errorf("%d characters: %v, one by one %v", n, got, want)
		}
	}
}

// newSlow scores text one symbol at a time.
func newSlow(m *Model, text string) (sum float64) {
	state := m.start()
	for _, s := range append(symbols(m.a, text), rune(boundary)) {
		state, sum = m.run([]symbol{symbol(s)}, state, sum)
	}
	return sum
}

func TestNoAllocations(t *testing.T) {
	en := must.Get(open("en"))(t)
	a, _ := NewAlphabet(false, false, nil)
	five := must.Get(NewModel(ModelConfig{N: 5, Q: .5}, a, countAll(a, 5, []string{"some text"}), countAll(a, 5, []string{"other"})))(t)
	text := strings.Repeat("All that glitters is not gold; caf\u00e9. ", 50)
	for _, m := range []*Model{en, five} {
		if n := testing.AllocsPerRun(20, func() { m.Score(text) }); n != 0 {
			t.Errorf("n = %d: %v allocations", m.N, n)
		}
	}
}

func BenchmarkScore(b *testing.B) {
	text := strings.Repeat("In most winters the lake freezes in the second half of January, first in the bay below the mill; "+
		"2 men went out to measure the ice. Home | News | Contact. ", 100)
	for _, name := range []string{"en", "nonlexical"} {
		m := must.Get(open(name))(b)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				m.Score(text)
			}
		})
	}
}

// BenchmarkLoad is what the first use of an embedded pair costs.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		must.Succeed(b, must.Err(Parse("en", data.NCleanerEnglish)))
	}
}
