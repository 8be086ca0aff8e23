package words

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
	"chaffinch/text/lm"
)

// corpus draws a small text over few words.
func corpus(t *rapid.T, weighted bool) (text []sentence) {
	alphabet := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("a b c d e f g h i j k l m n o p")), 1, 16).Draw(t, "alphabet")
	for range rapid.IntRange(1, 40).Draw(t, "sentences") {
		s := sentence{words: rapid.SliceOfN(rapid.SampledFrom(alphabet), 1, 8).Draw(t, "sentence"), weight: 1}
		if weighted {
			s.weight = rapid.SampledFrom([]float64{1, 2, 0.5, 3.25}).Draw(t, "weight")
		}
		text = append(text, s)
	}
	return text
}

func config(t *rapid.T) Config {
	cfg := Default
	cfg.HeldOut, cfg.Bits = 0, 32
	cfg.Order = rapid.IntRange(1, 5).Draw(t, "order")
	last := uint64(0)
	for range rapid.IntRange(0, cfg.Order).Draw(t, "thresholds") {
		last += rapid.SampledFrom([]uint64{0, 0, 1, 2}).Draw(t, "step")
		cfg.Prune = append(cfg.Prune, last)
	}
	if rapid.Bool().Draw(t, "cut") {
		cfg.Words = rapid.IntRange(3, 12).Draw(t, "words")
	}
	return cfg
}

func train(t testing.TB, cfg Config, text []sentence) (*lm.Model, Stats) {
	t.Helper()
	b := must.Get(New(cfg))(t)
	defer b.Close()
	for i, s := range text {
		must.Succeed(t, b.Add(strings.Join(s.words, " "), s.weight, i))
	}
	m := must.Get(b.Model("test"))(t)
	return m, b.Stats()
}

// TestOracle compares the built model with the formulas of the papers.
func TestOracle(t *testing.T) {
	for _, estimator := range []lm.Estimator{lm.KneserNey, lm.MLE} {
		t.Run(string(estimator), func(t *testing.T) {
			property.Check(t, func(r *rapid.T) {
				cfg := config(r)
				cfg.Estimator = estimator
				text := corpus(r, rapid.Bool().Draw(r, "weighted"))
				m, stats := train(t, cfg, text)
				o := newOracle(cfg, text)
				p := o.p
				if estimator == lm.MLE {
					p = o.mle
				} else if !slices.Equal(stats.Discounts, o.d) {
					r.Fatalf("discounts %v, want %v", stats.Discounts, o.d)
				}
				if m.Vocab.Len() != len(o.vocab)+1 {
					r.Fatalf("%d words, want %d", m.Vocab.Len(), len(o.vocab)+1)
				}
				for range 5 {
					words := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("a b c d e f g h x")), 0, 8).Draw(r, "words")
					got, want := m.Sentence(strings.Join(words, " ")).LogProb, o.score(words, p)
					if math.Abs(got-want) > 2e-6*float64(len(words)+1)*float64(cfg.Order) {
						r.Fatalf("%v: %v, want %v; %v", words, got, want, o)
					}
				}
			})
		})
	}
}

// TestSumsToOne: after any words, the probabilities of all words but <s> sum
// to 1.
func TestSumsToOne(t *testing.T) {
	property.Check(t, func(r *rapid.T) {
		cfg := config(r)
		if rapid.Bool().Draw(r, "limit") && cfg.Order > 1 {
			cfg.Grams = rapid.IntRange(1, 20).Draw(r, "grams")
		}
		m, _ := train(t, cfg, corpus(r, rapid.Bool().Draw(r, "weighted")))
		state := m.Start()
		for range 6 {
			sum := 0.0
			for id := range uint32(m.Vocab.Len()) {
				if s := state; id != lm.Begin {
					sum += math.Pow(10, float64(m.Next(&s, id)))
				}
			}
			if math.Abs(sum-1) > 1e-5 {
				r.Fatalf("sum %v", sum)
			}
			m.Next(&state, rapid.Uint32Range(0, uint32(m.Vocab.Len()-1)).Filter(func(id uint32) bool { return id != lm.Begin && id != lm.End }).Draw(r, "word"))
		}
	})
}

// TestMemory: whatever the memory, the model is the same.
func TestMemory(t *testing.T) {
	words := strings.Fields("the a of to and in is was it for on with as his her at by he she they")
	var text []sentence
	x := uint64(7)
	for range 3000 {
		s := sentence{weight: 1}
		for range 12 {
			x = x*6364136223846793005 + 1442695040888963407
			w := words[x>>60] + string(rune('a'+x>>40%26)) + string(rune('a'+x>>50%7))
			s.words = append(s.words, w)
		}
		text = append(text, s)
	}
	for _, cfg := range []Config{
		{Order: 3, Estimator: lm.KneserNey, Prune: []uint64{0, 0, 1}, Words: 500},
		{Order: 2, Estimator: lm.KneserNey, Grams: 2000},
		{Order: 3, Estimator: lm.MLE},
		{Order: 2, Estimator: lm.KneserNey},
		{Order: 4, Estimator: lm.KneserNey},
	} {
		var arpa [2]bytes.Buffer
		for i, memory := range []int64{1 << 30, 1} {
			cfg.Memory, cfg.TempDir, cfg.Bits, cfg.Tokeniser, cfg.Fallback = memory, t.TempDir(), 8, lm.Words, Default.Fallback
			m, stats := train(t, cfg, text)
			if spilled := stats.Spilled > 0; spilled != (i == 1) {
				t.Errorf("memory %d: %d runs went to disk", memory, stats.Spilled)
			}
			must.Succeed(t, m.WriteARPA(&arpa[i]))
		}
		if !bytes.Equal(arpa[0].Bytes(), arpa[1].Bytes()) {
			t.Errorf("%+v: the models differ", cfg)
		}
	}
}

// TestTrie compares models that are estimated in memory with models of the external sort. Keys of the
// longest order may have more than 32 bits.
func TestTrie(t *testing.T) {
	property.Check(t, func(r *rapid.T) {
		cfg := Default
		cfg.HeldOut, cfg.Bits = 0, 32
		cfg.Order = rapid.IntRange(2, 8).Draw(r, "order")
		text := corpus(r, false)
		var arpa [2]bytes.Buffer
		var stats [2]Stats
		for i := range arpa {
			b := must.Get(New(cfg))(t)
			for i, s := range text {
				must.Succeed(t, b.Add(strings.Join(s.words, " "), 1, i))
			}
			if i == 1 {
				b.counts.tally()
				must.Succeed(t, b.counts.spill())
			}
			if b.fits() != (i == 0) {
				r.Fatal("another way to estimate")
			}
			m := must.Get(b.Model("test"))(t)
			must.Succeed(t, m.WriteARPA(&arpa[i]))
			stats[i] = b.Stats()
			must.Succeed(t, b.Close())
		}
		if !bytes.Equal(arpa[0].Bytes(), arpa[1].Bytes()) {
			r.Fatalf("the models differ:\n%s\n%s", &arpa[0], &arpa[1])
		}
		if stats[1].Spilled = 0; !reflect.DeepEqual(stats[0], stats[1]) {
			r.Fatalf("%+v, wanted %+v", stats[0], stats[1])
		}
	})
}

// TestKeySorter sorts few and many numbers, with and without equal ones.
func TestKeySorter(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var s keySorter[uint64]
	for _, n := range []int{0, 1, 2, 24, 25, 300, 20_000} {
		for _, bits := range []uint{1, 3, 17, 34, 64} {
			keys := make([]uint64, n)
			for i := range keys {
				keys[i] = rnd.Uint64() >> (64 - bits) >> (i % 3)
			}
			want := slices.Sorted(slices.Values(keys))
			if s.sort(keys, bits); !slices.Equal(keys, want) {
				t.Errorf("%d numbers of %d bits are not in order", n, bits)
			}
		}
	}
}

func TestGrams(t *testing.T) {
	cfg := Default
	cfg.HeldOut, cfg.Grams = 0, 7
	var text []sentence
	for i := range 50 {
		text = append(text, sentence{words: strings.Fields("a b c d e f g h i j k l m")[i%5 : 6+i%7], weight: 1})
	}
	m, stats := train(t, cfg, text)
	if m.Ngrams(2) != 7 || stats.Kept[1] != 7 || stats.Ngrams[1] <= 7 {
		t.Errorf("%d bigrams, %+v", m.Ngrams(2), stats)
	}
}

func TestHeldOut(t *testing.T) {
	cfg := Default
	cfg.HeldOut = 10
	b := must.Get(New(cfg))(t)
	defer b.Close()
	for i := range 25 {
		b.Add(strings.Repeat("x ", i+1), 1, i)
	}
	h := b.held
	if len(h) != 2 || h[0].Source != 9 || h[1].Source != 19 || b.Stats().Sentences != 23 {
		t.Errorf("%+v", h)
	}
}

func TestConfig(t *testing.T) {
	for _, bad := range []func(*Config){
		func(c *Config) { c.Order = 0 },
		func(c *Config) { c.Order = lm.MaxOrder + 1 },
		func(c *Config) { c.Estimator = "x" },
		func(c *Config) { c.Tokeniser = "x" },
		func(c *Config) { c.Prune = []uint64{0, 0, 0} },
		func(c *Config) { c.Prune = []uint64{2, 1} },
		func(c *Config) { c.HeldOut = 1 },
		func(c *Config) { c.Words = -1 },
		func(c *Config) { c.Order, c.Grams = 1, 5 },
		func(c *Config) { c.Estimator, c.Grams = lm.MLE, 5 },
	} {
		cfg := Default
		bad(&cfg)
		if _, err := New(cfg); err == nil {
			t.Errorf("%+v passed", cfg)
		}
	}
	b := must.Get(New(Default))(t)
	defer b.Close()
	for _, w := range []float64{0, -1, 1e7, math.NaN()} {
		if b.Add("x", w, 0) == nil {
			t.Errorf("weight %v passed", w)
		}
	}
}

// Without fallback, a text that allows no estimate is an error, as in KenLM.
func TestNoDiscounts(t *testing.T) {
	cfg := Default
	cfg.Fallback = [3]float64{}
	b := must.Get(New(cfg))(t)
	defer b.Close()
	b.Add("a b", 1, 0)
	must.Fail(t, must.Err(b.Model("x")), "fallback")
}

// Weights that are no whole numbers count exactly, also where their sums are
// whole.
func TestFractions(t *testing.T) {
	cfg := Default
	cfg.HeldOut, cfg.Estimator = 0, lm.MLE
	m, _ := train(t, cfg, []sentence{{strings.Fields("a b"), 0.25}, {strings.Fields("a c"), 0.75}})
	c := m.Scorer()
	for i, log := range []float32{c.Token([]byte("a")), c.Token([]byte("b")), c.End()} {
		want := []float64{1, 0.25, 1}[i]
		if got := math.Pow(10, float64(log)); math.Abs(got-want) > 1e-6 {
			t.Errorf("token %d: %v, want %v", i, got, want)
		}
	}
}
