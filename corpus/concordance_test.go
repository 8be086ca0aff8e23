package corpus

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func lines(t *testing.T, c *Corpus, cql string, cfg ConcordanceConfig) (*Concordance, []Line) {
	t.Helper()
	q, err := c.Query(cql)
	if err != nil {
		t.Fatal(err)
	}
	k, err := q.Concordance(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var out []Line
	for l, err := range k.Lines(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	if k.Shown >= 0 && int64(len(out)) != k.Shown {
		t.Errorf("%d lines, but Shown is %d", len(out), k.Shown)
	}
	return k, out
}

// TestSort compares the order with that of the words in lower case.
func TestSort(t *testing.T) {
	c := buildWith(t, zipf(3000), zipfConfig())
	folded := func(from, step, to int64) (ws []string) {
		for p := from; p != to && len(ws) < sortDepth; p += step {
			ws = append(ws, strings.ToLower(c.attrs[0].Word(c.attrs[0].At(p))))
		}
		return ws
	}
	doc, err := c.Struct("doc")
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]func(Match) []string{
		"left": func(m Match) []string {
			lo, _ := c.region(uint32(m.Start))
			return folded(m.Start-1, -1, int64(lo)-1)
		},
		"right": func(m Match) []string {
			_, hi := c.region(uint32(m.Start))
			return folded(m.End, 1, int64(hi))
		},
		"match": func(m Match) []string { return folded(m.Start, 1, m.End) },
		"doc.lang": func(m Match) []string {
			i, _ := doc.Find(m.Start)
			return []string{doc.Value("lang", i)}
		},
	} {
		cfg := DefaultConcordance
		cfg.Sort = []string{name}
		_, got := lines(t, c, `[tag="A"] []{0,1}`, cfg)
		if len(got) < 500 {
			t.Fatalf("only %d matches", len(got))
		}
		for i := 1; i < len(got); i++ {
			a, b := got[i-1].Match, got[i].Match
			if d := slices.Compare(key(a), key(b)); d > 0 || d == 0 && compareSpans(a, b) >= 0 {
				t.Fatalf("by %s: %v %v before %v %v", name, a, key(a), b, key(b))
			}
		}
	}
}

// TestSample wants the sample in order, the same for a seed, and matches from
// everywhere in it.
func TestSample(t *testing.T) {
	c := buildWith(t, zipf(3000), zipfConfig())
	cfg := DefaultConcordance
	cfg.Sample, cfg.Seed = 300, 7
	k, a := lines(t, c, `[]`, cfg)
	_, b := lines(t, c, `[]`, cfg)
	if k.Total != c.Size() || len(a) != 300 {
		t.Fatalf("%d of %d matches", len(a), k.Total)
	}
	half := 0
	for i, l := range a {
		if i > 0 && compareSpans(a[i-1].Match, l.Match) >= 0 {
			t.Fatal("not in the order of the text")
		}
		if l.Start != b[i].Start {
			t.Fatal("the same seed gives another sample")
		}
		if l.Start < c.Size()/2 {
			half++
		}
	}
	if half < 100 || half > 200 {
		t.Errorf("%d of 300 are from the first half", half)
	}
	cfg.Seed = 8
	if _, b = lines(t, c, `[]`, cfg); slices.EqualFunc(a, b, func(x, y Line) bool { return x.Start == y.Start }) {
		t.Error("another seed gives the same sample")
	}
	cfg.Sample, cfg.Limit = 10_000, 5
	if k, a = lines(t, c, `[tag="A"]`, cfg); len(a) != 5 || k.Total < 400 {
		t.Errorf("%d lines of %d", len(a), k.Total)
	}
}

// TestContext looks at what stands left and right of a match.
func TestContext(t *testing.T) {
	c := build(t, "<doc>\n<p>\n<s>\n東京\n<g/>\nは\n<g/>\n晴れ\n<g/>\n。\n</s>\n<sp s=\"&#10; \"/>\n<s>\ncafe\u0301\n<sp s=\"&#9;\"/>\nau\nlait\n</s>\n</p>\n</doc>\n<doc>\nnext\n</doc>\n", "word")
	show := func(cql string, cfg ConcordanceConfig) string {
		_, ls := lines(t, c, cql, cfg)
		var out []string
		for _, l := range ls {
			out = append(out, fmt.Sprintf("%s<%s>%s", l.Left, l.Text, l.Right))
		}
		return strings.Join(out, "|")
	}
	kwic, tokens, sentence := DefaultConcordance, DefaultConcordance, DefaultConcordance
	kwic.Context = 5
	tokens.Context, tokens.Tokens = 1, true
	sentence.View = Sentence
	for _, x := range []struct {
		cql  string
		cfg  ConcordanceConfig
		want string
	}{
		{`"晴れ"`, kwic, "京は<晴れ>。 ca"},
		{`"au"`, kwic, "cafe\u0301 <au> lait"},
		{`"au"`, tokens, "cafe\u0301 <au> lait"},
		{`"は"`, tokens, "東京<は>晴れ"},
		{`"。" []`, sentence, "東京は晴れ<。 cafe\u0301> au lait"},
		{`"next"`, kwic, "<next>"},
	} {
		if got := show(x.cql, x.cfg); got != x.want {
			t.Errorf("%s: %q, wanted %q", x.cql, got, x.want)
		}
	}
	if got := c.Text(0, c.Size()-1); got != "東京は晴れ。\n cafe\u0301\tau lait" {
		t.Errorf("text %q", got)
	}
	if got := lastColumns("e\u0301x", 1); got != "x" {
		t.Errorf("lastColumns %q", got)
	}
}

// TestPages turns the pages of a concordance: the lines of all pages, one behind
// the other, are those of the whole, counted or not.
func TestPages(t *testing.T) {
	c := buildWith(t, zipf(50), zipfConfig())
	for _, cfg := range []ConcordanceConfig{{}, {Uncounted: true}, {Sort: []string{"match"}}, {Sample: 17, Seed: 3}} {
		cfg.View, cfg.Context = KWIC, 10
		_, whole := lines(t, c, "[]", cfg)
		var pages []Line
		for cfg.Limit = 3; cfg.First <= len(whole); cfg.First += 3 {
			k, page := lines(t, c, "[]", cfg)
			if want := min(3, len(whole)-cfg.First); len(page) != want {
				t.Errorf("%+v: %d lines, wanted %d", cfg, len(page), want)
			}
			if cfg.Uncounted && (k.Total != -1 || k.PerMillion != 0) {
				t.Errorf("%+v: counted %d", cfg, k.Total)
			}
			pages = append(pages, page...)
		}
		if len(whole) < 17 || !reflect.DeepEqual(pages, whole) {
			t.Errorf("%+v: pages %v, whole %v", cfg, pages, whole)
		}
	}
}
