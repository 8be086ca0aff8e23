package corpus

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"chaffinch/internal/table"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

func lines(t *testing.T, c *Corpus, cql string, cfg ConcordanceConfig) (*Concordance, []Line) {
	t.Helper()
	q := must.Get(c.Query(t.Context(), cql))(t)
	k := must.Get(q.Concordance(t.Context(), cfg))(t)
	var out []Line
	for l, err := range k.Lines(t.Context()) {
		must.Succeed(t, err)
		out = append(out, l)
	}
	if k.Shown >= 0 && int64(len(out)) != k.Shown {
		t.Errorf("%d lines, but Shown is %d", len(out), k.Shown)
	}
	return k, out
}

// TestSort compares the order with the order of the words in lower case.
func TestSort(t *testing.T) {
	c := buildWith(t, zipf(3000), zipfConfig())
	folded := func(from, step, to int64) (ws []string) {
		for p := from; p != to && len(ws) < sortDepth; p += step {
			ws = append(ws, strings.ToLower(c.attrs[0].Word(c.attrs[0].At(p))))
		}
		return ws
	}
	doc := must.Get(c.Struct("doc"))(t)
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

// TestContext checks the context left and right of a match.
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
		{`"晴れ"`, kwic, "は<晴れ>。"},
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

// TestContextCut compares the text around matches with the longest one of whole words
// that fits, where tokens are long, empty for the eye, wide,
// or glued.
func TestContextCut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	words := []string{"a", "I", ".", "wonderful", "\u200b", "東京", "e\u0301", "x\u00a0y", "z\u0301\u0301\u0301", "\u00ad", "internationalisation", "שלום", "\x01"}
	var vertical strings.Builder
	for range 12 {
		vertical.WriteString("<doc>\n")
		for range r.IntN(160) {
			if r.IntN(4) == 0 {
				vertical.WriteString("<g/>\n")
			}
			vertical.WriteString(words[min(r.IntN(len(words)), r.IntN(len(words)))] + "\n")
		}
		vertical.WriteString("x\n</doc>\n")
	}
	c := build(t, vertical.String(), "word")
	for context := range 50 {
		if context > 8 && !testkit.Part(context, 7) {
			continue
		}
		cfg := DefaultConcordance
		cfg.Context = context
		_, all := lines(t, c, "[]", cfg)
		for _, l := range all {
			region, end := c.region(uint32(l.Start))
			left, right := "", ""
			if lo := max(int64(region), l.Start-int64(context)); lo < l.Start {
				left = lastColumns(c.shown(l.Start-1, l.Start)+c.joint(l.Start), context)
				for p := lo; p < l.Start; p++ {
					if s := c.shown(p, l.Start) + c.joint(l.Start); c.begins(p) && width(s) <= context {
						left = s
						break
					}
				}
			}
			if hi := min(int64(end), l.End+int64(context)); hi > l.End {
				right = table.First(c.joint(l.End)+c.shown(l.End, l.End+1), context)
				for p := hi; p > l.End; p-- {
					if s := c.joint(l.End) + c.shown(l.End, p); c.begins(p) && width(s) <= context {
						right = s
						break
					}
				}
			}
			if l.Left != left || l.Right != right {
				t.Fatalf("%d columns, token %d: %q and %q, want %q and %q", context, l.Start, l.Left, l.Right, left, right)
			}
		}
	}
	for _, s := range []string{"", " ", "a", "a b", "a  b", " a", "a ", "a\tb", "é", "a\x7f"} {
		if want := strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " "); oneLine(s) != want {
			t.Errorf("%q in one line is %q, want %q", s, oneLine(s), want)
		}
	}
}

// TestWidth: lines fill the width that is asked for, with whole words on both sides.
func TestWidth(t *testing.T) {
	words := strings.Fields("The chaffinch comes to the water early in the morning when nobody else is there")
	var vertical strings.Builder
	for i := range 400 {
		vertical.WriteString(words[i*i/3%len(words)] + "\n")
	}
	c := build(t, "<doc id=\"birds of the harbour\">\n"+vertical.String()+"</doc>\n", "word")
	for _, wide := range []int{60, 101, 140} {
		q := must.Get(c.Query(t.Context(), `"water"`))(t)
		cfg := DefaultConcordance
		cfg.Width, cfg.Refs = wide, []string{"doc.id"}
		k := must.Get(q.Concordance(t.Context(), cfg))(t)
		var out strings.Builder
		must.Succeed(t, k.Write(t.Context(), &out, "text"))
		if strings.Count(out.String(), "\n") < 10 {
			t.Fatalf("few lines: %q", out.String())
		}
		all, full := 0, 0
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			n := width(line)
			if n > wide {
				t.Errorf("%d columns, %d taken: %s", wide, n, line)
			}
			if all++; n > wide-len(" chaffinch") {
				full++
			}
			rest := strings.TrimPrefix(line, "birds of the harbour  ")
			for _, w := range strings.Fields(strings.NewReplacer("<", " ", ">", " ").Replace(rest)) {
				if !slices.Contains(words, w) {
					t.Errorf("%q is cut: %s", w, line)
				}
			}
		}
		if full < all-3 { // some matches are near the end of the document
			t.Errorf("%d columns: %d of %d lines fill them", wide, full, all)
		}
	}
}

// TestPieces compares the places of many values, which are collected piece by piece,
// with the text, read from the beginning and with gaps.
func TestPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var vertical strings.Builder
	const tokens = 60_000
	for range tokens {
		fmt.Fprintf(&vertical, "w%d\n", r.IntN(3000))
	}
	c := build(t, vertical.String(), "word")
	a := c.attrs[0]
	var ids []uint32
	for id := range a.n {
		if id%10 == 3 {
			ids = append(ids, uint32(id))
		}
	}
	for _, gap := range []uint32{0, 1, 7, 500, 9000} {
		s, pieces := a.stream(newDeadline(t.Context()), ids, 0, tokens), 0
		if _, ok := s.(*pieceStream); !ok {
			t.Fatalf("%d values are read by a %T", len(ids), s)
		}
		set := newIDSet(a.n, ids)
		for from := uint32(0); ; {
			got, ok := s.next(from)
			want := from
			for want < tokens && !set.has(uint32(a.ids.At(int(want)))) {
				want++
			}
			if ok != (want < tokens) || ok && got != want {
				t.Fatalf("gap %d, from %d: %d %t, want %d", gap, from, got, ok, want)
			}
			if !ok {
				break
			}
			from = got + 1 + gap
			pieces++
		}
		if pieces < 5 {
			t.Errorf("gap %d: %d places", gap, pieces)
		}
	}
	q := must.Get(c.Query(t.Context(), `[word!="w1"]`))(t)
	counted, err := q.Count(t.Context())
	n := int64(0)
	for range q.Matches(t.Context()) {
		n++
	}
	if err != nil || counted != n || n >= tokens || n < tokens-100 {
		t.Errorf("%d counted, %d found, %v", counted, n, err)
	}
}

// TestPiecesOfParts counts the places that are collected where a corpus is searched part
// by part: the first piece of each part is small, and no place is collected twice.
func TestPiecesOfParts(t *testing.T) {
	const tokens, part = 60_000, 7000
	var vertical strings.Builder
	for i := range tokens {
		fmt.Fprintf(&vertical, "w%d\n", i*7919%3000)
	}
	a := build(t, vertical.String(), "word").attrs[0]
	var ids []uint32
	want := 0
	for id := uint32(0); id < uint32(a.n); id += 10 {
		ids = append(ids, id)
		want += a.places(id)
	}
	got := 0
	for first := uint32(0); first < tokens; first += part {
		s := a.stream(newDeadline(t.Context()), ids, first, first+part).(*pieceStream)
		for at := first; ; at = s.end {
			if _, ok := s.next(at); !ok {
				break
			}
			if at == first && s.end-first > leastPiece {
				t.Errorf("the first piece from %d on ends at %d", first, s.end)
			}
			for _, word := range s.places {
				got += bits.OnesCount64(word)
			}
		}
	}
	if got != want {
		t.Errorf("%d places collected, there are %d", got, want)
	}
}

// TestPages reads the pages of a concordance: the lines of all pages in order equal the lines
// of the whole, counted or not.
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
