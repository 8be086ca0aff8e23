package search

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
	"chaffinch/model"
)

// sequence gives documents one after the other.
func sequence(docs []Doc) iter.Seq2[Doc, error] {
	return func(yield func(Doc, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// build indexes documents in a separate file.
func build(t testing.TB, docs []Doc, cfg Config, workers int) (*Index, string) {
	t.Helper()
	dir := must.Get(os.MkdirTemp("", "search"))(t)
	path := filepath.Join(dir, "x")
	must.Succeed(t, Build(context.Background(), path, sequence(docs), cfg, workers))
	x := must.Get(Open(path))(t)
	return x, path
}

// simple ranks by the formulas as they stand in papers, over words that strings
// cut: the oracle.
func simple(docs []Doc, query string, m Model) []Hit {
	var words [][]string
	total, filled := 0, 0
	of := map[string]int{}
	in := map[string]int{}
	for _, d := range docs {
		w := strings.Fields(d.Text)
		words = append(words, w)
		total += len(w)
		if len(w) > 0 {
			filled++
		}
		for i, x := range w {
			of[x]++
			if !slices.Contains(w[:i], x) {
				in[x]++
			}
		}
	}
	var hits []Hit
	for d, w := range words {
		score, any := 0.0, false
		for _, q := range strings.Fields(query) {
			if of[q] == 0 {
				continue
			}
			tf := 0.0
			for _, x := range w {
				if x == q {
					tf++
				}
			}
			any = any || tf > 0
			n := float64(len(w))
			if m.Name == "ql" {
				p := float64(of[q]) / float64(total)
				score += math.Log((tf+m.Mu*p)/(n+m.Mu)) - math.Log(p)
				continue
			}
			idf := math.Log(1 + (float64(filled)-float64(in[q])+.5)/(float64(in[q])+.5))
			score += idf * tf / (tf + m.K1*(1-m.B+m.B*n*float64(filled)/float64(total)))
		}
		if any {
			hits = append(hits, Hit{d, score})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		if math.Abs(a.Score-b.Score) < 1e-6 {
			return 0
		}
		if a.Score > b.Score {
			return -1
		}
		return 1
	})
	return hits
}

// TestRanking compares rankings of random collections with the oracle.
func TestRanking(t *testing.T) {
	word := rapid.SampledFrom(strings.Fields("gull tern coot wren kite crow rook swift"))
	property.Check(t, func(rt *rapid.T) {
		var docs []Doc
		for i := range rapid.IntRange(1, 200).Draw(rt, "docs") {
			docs = append(docs, Doc{fmt.Sprint(i), strings.Join(rapid.SliceOfN(word, 0, 12).Draw(rt, "text"), " ")})
		}
		query := strings.Join(rapid.SliceOfN(word, 1, 5).Draw(rt, "query"), " ")
		m := rapid.SampledFrom([]Model{DefaultQL, {Name: "ql", Mu: 3}, DefaultBM25, {Name: "bm25", K1: .9, B: 0}}).Draw(rt, "model")
		x, path := build(t, docs, Config{}, rapid.IntRange(1, 4).Draw(rt, "workers"))
		defer os.RemoveAll(filepath.Dir(path))
		defer x.Close()
		s := must.Get(x.NewSearcher(m))(rt)
		want := simple(docs, query, m)
		for range 2 { // the second time with memory that was used
			got := must.Get(s.Search(query, len(docs)))(rt)
			if len(got) != len(want) {
				rt.Fatalf("%d hits, want %d", len(got), len(want))
			}
			scores := map[int]float64{}
			for _, h := range want {
				scores[h.Doc] = h.Score
			}
			for i, h := range got {
				if math.Abs(h.Score-want[i].Score) > 1e-5 || math.Abs(h.Score-scores[h.Doc]) > 1e-5 {
					rt.Fatalf("hit %d: document %d with %v, want %d with %v", i, h.Doc, h.Score, want[i].Doc, want[i].Score)
				}
			}
			best, err := s.Search(query, 3)
			if err != nil || !slices.Equal(best, got[:min(3, len(got))]) && len(want) < 4 {
				rt.Fatalf("the best 3: %v, %v, want %v", best, err, got)
			}
		}
	})
}

// TestSkipping compares the hits with those of a search that scores everything, to the
// last bit: collections in which some words are rare and some are nearly everywhere.
func TestSkipping(t *testing.T) {
	closed := 0
	property.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		word := func() string { return fmt.Sprint("w", int(40*math.Pow(rng.Float64(), 3))) }
		words := func(n int) string {
			var b strings.Builder
			for range n {
				b.WriteString(word() + " ")
			}
			return b.String()
		}
		var docs []Doc
		for i := range rapid.IntRange(1, 1500).Draw(rt, "docs") {
			docs = append(docs, Doc{fmt.Sprint(i), words(rng.IntN(1 + rng.IntN(20)))})
		}
		x, path := build(t, docs, Config{}, 1)
		defer os.RemoveAll(filepath.Dir(path))
		defer x.Close()
		m := rapid.SampledFrom([]Model{DefaultQL, {Name: "ql", Mu: 3}, {Name: "ql", Mu: 1e6}, DefaultBM25, {Name: "bm25", K1: .9, B: 0}, {Name: "bm25"}}).Draw(rt, "model")
		fast := must.Get(x.NewSearcher(m))(rt)
		all, _ := x.NewSearcher(m)
		all.Exhaustive, fast.Phrases, all.Phrases = true, true, true
		for range 20 {
			query, k := words(1+rng.IntN(6))+`"`+words(2)+`"`, 1+rng.IntN(12)
			got := must.Get(fast.Search(query, k))(rt)
			want, err := all.Search(query, k)
			if err != nil || !slices.Equal(got, want) {
				rt.Fatalf("%s: best %d %v, want %v, %v", query, k, got, want, err)
			}
			if len(fast.hits) < len(all.hits) {
				closed++
			}
		}
	})
	if closed == 0 {
		t.Error("no search left anything out")
	}
}

// TestWorkers: the file does not depend on the number of workers.
func TestWorkers(t *testing.T) {
	var docs []Doc
	for i := range 700 {
		docs = append(docs, Doc{fmt.Sprint(i), fmt.Sprintf("The %d gulls of harbour %d flew over quay %d and island %d.", i, i%7, i%31, i%3)})
	}
	var first []byte
	for _, n := range []int{1, 2, 5} {
		x, path := build(t, docs, Config{Stem: "en", Stop: LuceneStop}, n)
		x.Close()
		b := must.Read(t, path)
		if first == nil {
			first = b
		} else if !bytes.Equal(b, first) {
			t.Errorf("%d workers give another file", n)
		}
		os.RemoveAll(filepath.Dir(path))
	}
}

// TestWords: words in lower case, stemmed, without those of the stop list; pairs
// of characters where no blanks stand between words.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		cfg        Config
		text, want string
	}{
		{Config{}, "The Gulls’ NESTS, 3.5 m high!", "the gulls nests 3.5 m high"},
		{Config{Stem: "en", Stop: LuceneStop}, "The gulls are nesting in the ruins.", "gull nest ruin"},
		{Config{Stem: "de"}, "Häuser am Hafen", "haus am haf"},
		{Config{}, "海鸥在飞 gull 鸟", "海鸥 鸥在 在飞 gull 鸟"},
		{Config{Plain: true}, "A-b c_D  e.", "A-b c_D e."},
	} {
		a := must.Get(newAnalyzer(c.cfg))(t)
		must.Equal(t, strings.Join(a.words(c.text), " "), c.want, c.text)
	}
	must.Fail(t, must.Err(newAnalyzer(Config{Stem: "xx"})), "wanted one of da, de, en")
}

// TestPhrase: words between quotation marks must stand one behind the other, and
// not over a word of the stop list.
func TestPhrase(t *testing.T) {
	docs := []Doc{{"a", "grey heron and white stork"}, {"b", "white heron, grey stork, grey heron, grey heron"}, {"c", "heron grey"}, {"d", "grey and heron"}}
	x, path := build(t, docs, Config{Stop: []string{"and"}}, 1)
	defer os.RemoveAll(filepath.Dir(path))
	defer x.Close()
	list, err := x.list([]string{"grey", "heron"})
	if err != nil || !slices.Equal(list.docs, []uint32{0, 1}) || !slices.Equal(list.counts, []uint32{1, 2}) {
		t.Errorf("grey heron: %v %v, %v", list.docs, list.counts, err)
	}
	s, _ := x.NewSearcher(DefaultBM25)
	s.Phrases = true
	hits, err := s.Search(`"grey heron"`, 5)
	if err != nil || len(hits) != 2 || x.Name(hits[0].Doc) != "b" {
		t.Errorf("hits %v, %v", hits, err)
	}
	if hits, _ = s.Search(`"heron stork"`, 5); len(hits) != 0 {
		t.Errorf("a phrase that no document has: %v", hits)
	}
}

// TestLuceneLengths: the bytes of Lucene's norms, by what its documentation says of
// them: exact up to 40, growing with the length, wrong by less than an eighth.
func TestLuceneLengths(t *testing.T) {
	for n := range 100000 {
		got := luceneLength[luceneByte(n)]
		if n < 40 && got != n || got > n || float64(n-got) > float64(n)/8 {
			t.Fatalf("length %d is kept as %d", n, got)
		}
	}
	if luceneByte(math.MaxInt32) != 255 {
		t.Errorf("the longest has byte %d", luceneByte(math.MaxInt32))
	}
}

// TestModels: settings that make no sense.
func TestModels(t *testing.T) {
	if m, err := ParseModel("bm25:k1=.9,b=0.4"); err != nil || m.K1 != .9 || m.B != .4 {
		t.Errorf("%v, %v", m, err)
	}
	for _, bad := range []string{"tfidf", "ql:mu=0", "ql:my=3", "bm25:b=2", "ql:mu", "ql:mu=", "ql:mu=many", "ql:mu=Inf", "ql:name=1"} {
		if _, err := ParseModel(bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

// TestAllocations: a query allocates for its words, not for its documents.
func TestAllocations(t *testing.T) {
	var docs []Doc
	for i := range 3000 {
		docs = append(docs, Doc{fmt.Sprint(i), strings.Repeat("gull ", i%5+1)})
	}
	x, path := build(t, docs, Config{}, 1)
	defer os.RemoveAll(filepath.Dir(path))
	defer x.Close()
	s, _ := x.NewSearcher(DefaultQL)
	if n := testing.AllocsPerRun(20, func() { s.Search("gull gull", 100) }); n > 12 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzOpen opens damaged indexes: an error or answers, never a crash.
func FuzzOpen(f *testing.F) {
	docs := []Doc{{"a", "grey heron heron"}, {"b", "white heron"}, {"c", ""}}
	for range 3 * blockLen { // lists with steps
		docs = append(docs, Doc{"d", "heron"})
	}
	x, path := build(f, docs, Config{}, 1)
	x.Close()
	good := must.Read(f, path)
	f.Add(3, byte(1))
	f.Add(len(good)/2, byte(255))
	f.Fuzz(func(t *testing.T, at int, with byte) {
		b := bytes.Clone(good)
		if at < 0 {
			return
		}
		b[at%len(b)] ^= with
		damaged := must.File(t, "x", b)
		file, err := model.OpenUnverified(damaged) // the checksum would find it
		if err != nil {
			return
		}
		defer file.Close()
		m, err := newIndex(file)
		if err != nil {
			return
		}
		s := must.Get(m.NewSearcher(DefaultQL))(t)
		s.Phrases = true
		s.Search(`heron "grey heron"`, 5)
		s.Search("grey heron", 1)
	})
}
