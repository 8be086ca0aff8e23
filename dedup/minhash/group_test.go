package minhash

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chaffinch/dedup"
	"chaffinch/input/records"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// copies makes documents of which many are copies of others with some words
// replaced, chains of them too. IDs are in another order than documents.
func copies(n int, seed uint64) []*records.Doc {
	rnd := rand.New(rand.NewPCG(seed, 1))
	fresh := essays(n, 80, seed)
	docs := make([]*records.Doc, n)
	for i := range docs {
		d := fresh[i]
		if i > 0 && rnd.IntN(2) == 0 {
			words := strings.Fields(string(docs[rnd.IntN(i)].Raw))
			for range rnd.IntN(5) {
				words[rnd.IntN(len(words))] = fmt.Sprintf("edit%d", rnd.IntN(1000))
			}
			d = docOf(strings.Join(words, " "))
		}
		docs[i] = d
	}
	for i, p := range rnd.Perm(n) {
		docs[i].ID = fmt.Sprintf("doc-%05d", p)
	}
	docs[n/2] = docOf("")
	docs[n/3], docs[n/4] = docOf("two words"), docOf("Two words")
	docs[n/2].ID, docs[n/3].ID, docs[n/4].ID = "a", "b", "c"
	return docs
}

// found is a mark without numbers of documents.
type found struct {
	stays      string
	size       int32
	drop       bool
	similarity float64
}

func marksOf(t *testing.T, m *Method, docs []*records.Doc, jobs int) map[string]found {
	t.Helper()
	marks := must.Get(dedup.Find(context.Background(), docs, dedup.Config{Method: m, Job: pipeline.Job{Workers: jobs}}))(t)
	got := map[string]found{}
	for _, x := range marks {
		id := docs[x.Doc].ID
		if _, twice := got[id]; twice {
			t.Errorf("%s: two marks", id)
		}
		got[id] = found{docs[x.Cluster].ID, x.Size, x.Drop, float64(x.Similarity)}
	}
	return got
}

// oracle finds clusters by comparing all documents with all.
func oracle(t *testing.T, m *Method, docs []*records.Doc) map[string]found {
	t.Helper()
	s := m.newSigner()
	keys := make([][]byte, len(docs))
	sets := make([][]uint64, len(docs))
	samples := make([][]byte, len(docs))
	bands := map[string][]int{}
	n := m.keyBytes()
	for i, d := range docs {
		shingles, compare := s.Shingles(d)
		if !compare {
			continue
		}
		sig := s.Sign(shingles)
		keys[i] = s.Keys(nil, sig)
		samples[i] = make([]byte, m.sampleBytes())
		sample(samples[i], sig)
		for at := 0; at < len(keys[i]); at += n {
			k := string(keys[i][at : at+n])
			bands[k] = append(bands[k], i)
		}
		sets[i] = slices.Clone(shingles)
		slices.Sort(sets[i])
		sets[i] = slices.Compact(sets[i])
	}
	similar := func(a, b int) bool {
		switch {
		case m.verified():
			return jaccard(sets[a], sets[b]) >= m.cfg.Verify
		case m.cfg.Threshold > 0:
			return estimate(samples[a], samples[b]) >= m.cfg.Threshold
		}
		return true
	}
	var edges [][2]int
	for _, group := range bands {
		slices.SortFunc(group, func(a, b int) int { return cmp.Compare(docs[a].ID, docs[b].ID) })
		for i, x := range group {
			for j, y := range group[:i] {
				if (j == 0 || i-j <= before && len(group) < int(m.ordered)) && similar(x, y) {
					edges = append(edges, [2]int{x, y})
				}
			}
		}
	}
	clusters := map[int][]int{}
	for i, root := range components(len(docs), edges) {
		clusters[root] = append(clusters[root], i)
	}
	want := map[string]found{}
	for _, c := range clusters {
		if len(c) == 1 {
			continue
		}
		best := slices.MinFunc(c, func(a, b int) int { return cmp.Compare(docs[a].ID, docs[b].ID) })
		for _, x := range c {
			want[docs[x].ID] = found{docs[best].ID, int32(len(c)), x != best, jaccard(sets[best], sets[x])}
		}
	}
	return want
}

// TestGroup compares clusters with those of the oracle, for any number of
// workers, for shuffled input, in memory and by sorting, with 64 and 128 bits,
// with and without verification.
func TestGroup(t *testing.T) {
	testkit.Slow(t)
	docs := copies(600, 3)
	shuffled := slices.Clone(docs)
	rnd := rand.New(rand.NewPCG(1, 9))
	rnd.Shuffle(len(docs), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for i, cfg := range []Config{
		{Bands: 30, Rows: 3}, {Bits: 128, Threshold: .8}, {Verify: .8, Bands: 30, Rows: 3}, {Preset: "fineweb"},
		{Preset: "data-juicer"}, {Preset: "nemo"}, {Preset: "text-dedup", Verify: .7},
	} {
		m := must.Get(New(cfg))(t)
		if cfg.Bits == 128 {
			m.ordered = 4 // most bands are large ones
		}
		want := oracle(t, m, docs)
		if len(want) < 200 {
			t.Fatalf("%+v: only %d documents in clusters", cfg, len(want))
		}
		for _, sorting := range []bool{false, true} {
			for _, jobs := range []int{1, 4} {
				in := docs
				if jobs == 4 {
					in = shuffled
				}
				if sorting && i > 2 {
					continue // the presets differ in nothing there
				}
				m.sorting = sorting
				got := marksOf(t, m, in, jobs)
				if len(got) != len(want) {
					t.Errorf("%+v, by sorting %v, %d workers: %d marks, want %d", cfg, sorting, jobs, len(got), len(want))
				}
				for id, w := range want {
					g := got[id]
					tolerance := 1e-6
					if !m.verified() {
						tolerance = .3 // 6 standard errors of 112 values
					}
					if g.stays != w.stays || g.size != w.size || g.drop != w.drop || math.Abs(g.similarity-w.similarity) > tolerance {
						t.Errorf("%+v, by sorting %v, %d workers: %s: %+v, want %+v", cfg, sorting, jobs, id, g, w)
					}
				}
			}
		}
	}
}

// TestShort: a text shorter than a shingle is compared as each scheme has it.
func TestShort(t *testing.T) {
	texts := []string{"two words", "Two  words!", "other words", "", " "}
	for preset, want := range map[string][]int{ // documents that share the bands of the first
		"chaffinch":   {0, 1},
		"fineweb":     nil,
		"text-dedup":  nil,
		"data-juicer": {0, 1, 2, 3, 4},
		"nemo":        {0},
	} {
		m := must.Get(New(Config{Preset: preset}))(t)
		s := m.newSigner()
		var got []int
		var first []byte
		for i, text := range texts {
			shingles, compare := s.Shingles(docOf(text))
			if !compare {
				continue
			}
			keys := s.Keys(nil, s.Sign(shingles))
			if i == 0 {
				first = keys
			}
			if bytes.Equal(keys, first) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: like the first: %v, want %v", preset, got, want)
		}
	}
}

// TestFormats: paragraphs, lines and tokens of a vertical are the same text.
func TestFormats(t *testing.T) {
	m := must.Get(New(Default))(t)
	paras := &records.Doc{Paras: []records.Para{{Text: []byte("The old mill, by the river,")}, {Text: []byte("stood still for years.")}}}
	vertical := &records.Doc{Tokenized: true, Paras: []records.Para{
		{Text: []byte("The\nold\nmill\n,\nby\nthe\nriver\n,\n")}, {Text: []byte("stood\nstill\nfor\nyears\n.\n")},
	}}
	s := m.newSigner()
	sign := func(d *records.Doc) string {
		shingles, _ := s.Shingles(d)
		return string(s.Keys(nil, s.Sign(shingles)))
	}
	if want := sign(docOf("the OLD mill by the river stood\nstill for years")); sign(paras) != want {
		t.Error("paragraphs differ from one text")
	} else if got := sign(vertical); got != want {
		t.Error("a vertical, where punctuation is a token, differs from the text")
	}
}

// TestConfig: what cannot be is told, and zero values come from the preset.
func TestConfig(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Preset: "other"}, `preset "other" is not known`},
		{Config{NgramUnit: "byte"}, `unit "byte"`},
		{Config{Ngram: -1}, "n-grams of -1"},
		{Config{Bands: 2000}, "2000 bands"},
		{Config{Rows: 300}, "300 rows"},
		{Config{Bands: 1000, Rows: 100}, "100000 hash values"},
		{Config{Bits: 32}, "32 bits"},
		{Config{Verify: 1.5}, "1.5"},
		{Config{Verify: math.NaN()}, "NaN"},
		{Config{Threshold: -.5}, "threshold -0.5"},
	} {
		if _, err := New(c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.cfg, err, c.want)
		}
	}
	for _, p := range Presets {
		m := must.Get(New(Config{Preset: p.Preset, Verify: .5}))(t)
		want := p.Config
		want.Verify = .5
		if m.Config() != any(want) {
			t.Errorf("%s: %+v, want %+v", p.Preset, m.Config(), want)
		}
	}
}

// Keys appends the keys of all bands of a signature, Bits/8 bytes each.
func (s *signer) Keys(dst []byte, sig []uint64) []byte {
	n := s.m.cfg.Bits / 8
	for band := range s.m.cfg.Bands {
		dst = append(dst, make([]byte, n)...)
		s.key(dst[len(dst)-n:], sig, band)
	}
	return dst
}
