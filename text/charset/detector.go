package charset

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"chaffinch/text/charset/alphabet"
)

// Config configures a detector.
type Config struct {
	// Model is the path of a model trained by chaffinch train charset. Default: "", the
	// embedded model.
	Model string `json:"model,omitempty"`
	// Encodings are the names of the encodings that may be detected if no label declares
	// another; "web" means the encodings of the WHATWG Encoding standard. Default: all of
	// [Encodings].
	Encodings []string `json:"encodings,omitempty"`
	// NoMeta ignores the declaration in the page, which is appropriate for plain text.
	NoMeta bool `json:"no_meta,omitempty"`
	// Declared is the evidence, in bits, that a declaration of the encoding counts for.
	Declared float64 `json:"declared"`
}

// Default is the configuration of [Decode].
var Default = Config{Declared: 24}

// Candidate is one possible reading of a text.
type Candidate struct {
	// Name is the encoding.
	Name string
	// Lang is the language of the text in this encoding, as a BCP 47 tag. It is "" if it is in
	// no language of the model, or if there are too few non-ASCII letters.
	Lang string
	// Confidence is the estimated probability that the text is in this encoding or in one in
	// which it reads the same.
	Confidence float64
	// Same reports whether the text reads as in the previous candidate.
	Same bool
}

// Detector detects encodings. It is immutable and safe for concurrent use.
type Detector struct {
	cfg     Config
	t       func() *tables // the embedded tables are built on first use: UTF-8 needs none
	allowed map[*codec]bool
	pool    sync.Pool
}

// New returns a detector and opens its model. An unknown encoding is an error.
func New(cfg Config) (*Detector, error) {
	d := &Detector{cfg: cfg, t: embedded, allowed: map[*codec]bool{}}
	for _, name := range cfg.Encodings {
		if name == "web" {
			for _, c := range codecs {
				d.allowed[c] = d.allowed[c] || c.web
			}
			continue
		}
		canon := Name(name)
		if canon == "" {
			return nil, fmt.Errorf("charset: encoding %q is unknown: Encodings lists the known ones", name)
		}
		if canon != "utf-8" {
			d.allowed[codecOf[canon]] = true
		}
	}
	if len(cfg.Encodings) == 0 {
		for _, c := range codecs {
			d.allowed[c] = true
		}
	}
	if cfg.Model != "" {
		t, err := open(cfg.Model)
		if err != nil {
			return nil, err
		}
		d.t = func() *tables { return t }
	}
	d.pool.New = func() any {
		return &scratch{bits: make([]int32, len(d.t().langs)), ascii: make([]int32, len(d.t().langs)), around: make([]int32, len(d.t().langs)), same: map[uint64]int{}}
	}
	return d, nil
}

// Langs returns the languages of the model.
func (d *Detector) Langs() []string { return slices.Clone(d.t().langs) }

// standard returns the detector with the configuration Default.
var standard = sync.OnceValue(func() *Detector {
	d, err := New(Default)
	if err != nil {
		panic(err) // the embedded model is wrong
	}
	return d
})

// Rank appends the n best readings of raw to dst, best first. raw must not be in a Unicode
// encoding and must have no escape sequences.
func (d *Detector) Rank(dst []Candidate, raw []byte, n int) []Candidate {
	s := d.pool.Get().(*scratch)
	defer d.pool.Put(s)
	d.read(s, raw, nil)
	return d.candidates(dst, s, n)
}

// temperature is the number of model bits that count as one bit of evidence, because the
// trigrams of a text depend on each other.
const temperature = 6

// candidates appends the n best readings to dst.
func (d *Detector) candidates(dst []Candidate, s *scratch, n int) []Candidate {
	if len(s.results) == 0 {
		return dst
	}
	low, sum := s.results[0].score(), 0.0
	for _, r := range s.results {
		if r.like < 0 {
			sum += math.Exp2((low - r.score()) / temperature)
		}
	}
	first := -1
	for i, r := range s.results[:min(n, len(s.results))] {
		c := Candidate{Name: r.codec.name, Same: i > 0 && r.group == first}
		if r.lang >= 0 {
			c.Lang = d.t().langs[r.lang]
		}
		best := r.group
		first = best
		_ = i
		c.Confidence = math.Exp2((low-s.lows[best])/temperature) / sum
		dst = append(dst, c)
	}
	return dst
}

// A language is named if at least minLetters letters are not ASCII, and at least one in
// minShare of all letters.
const (
	minLetters = 3
	minShare   = 100
)

// namesLanguage reports whether a text has enough letters to name its language. Fewer letters
// can suffice to choose the encoding: for an English page with some curly quotes, only their
// context is examined.
func namesLanguage(text string) bool {
	high, all := 0, 0
	for _, c := range text {
		switch {
		case c >= utf8.RuneSelf && c != utf8.RuneError && unicode.IsLetter(c):
			high++
			all++
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			all++
		}
	}
	return high >= minLetters && high*minShare >= all
}

// Readings with one byte per character are scored in rounds. Bigrams are scored if a reading is
// among the first finalists after glance, and behind the first by at most marginBits and
// marginRate per trigram. Trigrams are scored if it is then among the first winners, with half
// the margin.
const (
	finalists  = 12
	winners    = 6
	marginBits = 30
	marginRate = 2.0
)

// read scores the readings of raw and sorts them, best first. The declared encoding, nil for
// none, is scored even if it is not allowed.
func (d *Detector) read(s *scratch, raw []byte, declared *codec) {
	s.results, s.lows, s.first = s.results[:0], s.lows[:0], s.first[:0]
	s.sample = excerpts(s.sample[:0], raw)
	s.context = s.context[:0]
	high := highBytes(s.sample)
	if high < sparseHigh {
		s.context = contexts(s.context, raw, high)
	}
	d.t().context(s, s.context)
	most := d.readMulti(s, declared)
	if most < sureBits*float64(high) && high >= max(sureBytes, len(s.sample)/2) && declared == nil {
		d.sort(s)
		return
	}
	s.counts.count(s.sample)
	d.t().ascii(s)
	clear(s.same)
	for _, c := range codecs {
		if c.single == nil || !d.allowed[c] && c != declared {
			continue
		}
		g := s.glimpse(len(d.t().langs))
		g.codec, g.prior, g.key, g.round = c, d.prior(c, declared), s.counts.key(c.single()), 0
		if i, ok := s.same[g.key]; ok {
			like := &s.first[i]
			g.score, g.sum, g.broken = like.score-like.prior+g.prior, like.sum, like.broken
			copy(g.bits, like.bits)
			continue
		}
		s.same[g.key] = len(s.first) - 1
		g.sum, g.broken = d.t().glance(s, c.single(), g.bits)
		_, low := d.t().least(g.bits, s.counts.n+s.aroundN, false)
		g.score = float64(g.sum+low)/alphabet.Unit + g.prior
	}
	if len(s.first) == 0 {
		d.sort(s)
		return
	}
	d.round(s, finalists, marginRate, declared, d.t().pairs)
	d.round(s, winners, marginRate/2, declared, d.t().trigrams)
	clear(s.same)
	for _, g := range s.first {
		if g.round < 2 {
			continue
		}
		if i, ok := s.same[g.key]; ok {
			r := s.results[i]
			r.codec, r.prior, r.like = g.codec, g.prior, i
			s.results = append(s.results, r)
			s.lows[r.group] = min(s.lows[r.group], r.score())
			continue
		}
		s.same[g.key] = len(s.results)
		lang, low := d.t().least(g.bits, s.counts.n+s.aroundN, false)
		s.add(reading{codec: g.codec, bits: float64(g.sum+low) / alphabet.Unit, prior: g.prior, lang: lang, broken: g.broken})
	}
	d.sort(s)
}

// round scores the best n readings of s.first by a further part of the model, and sorts them
// again. Readings with the same text follow the first of them.
func (d *Detector) round(s *scratch, n int, rate float64, declared *codec, score func(*scratch, *[256]rune, []int32)) {
	slices.SortStableFunc(s.first, func(a, b glimpse) int {
		return cmp.Or(cmp.Compare(b.round, a.round), cmp.Compare(a.score, b.score))
	})
	clear(s.same)
	round := s.first[0].round
	limit := s.first[0].score + marginBits + float64(rate*float64(s.counts.n))
	for i := range s.first {
		g := &s.first[i]
		if g.round < round {
			break
		}
		if k, ok := s.same[g.key]; ok {
			like := &s.first[k]
			g.round, g.score = like.round, like.score-like.prior+g.prior
			copy(g.bits, like.bits)
			continue
		}
		if len(s.same) >= n || g.score > limit {
			if g.codec != declared {
				continue
			}
		}
		s.same[g.key] = i
		score(s, g.codec.single(), g.bits)
		_, low := d.t().least(g.bits, s.counts.n+s.aroundN, false)
		g.score = float64(g.sum+low)/alphabet.Unit + g.prior
		g.round++
	}
}

// glimpse returns a new element of s.first.
func (s *scratch) glimpse(langs int) *glimpse {
	n := len(s.first)
	if n == cap(s.first) {
		s.first = append(s.first, glimpse{bits: make([]int32, langs)})
	} else if s.first = s.first[:n+1]; s.first[n].bits == nil {
		s.first[n].bits = make([]int32, langs)
	}
	return &s.first[n]
}

// prior returns the prior cost of the encoding c.
func (d *Detector) prior(c, declared *codec) float64 {
	if c == declared {
		return c.rare - d.cfg.Declared
	}
	return c.rare
}

// sort sorts the readings by the best of their group.
func (d *Detector) sort(s *scratch) {
	slices.SortStableFunc(s.results, func(a, b reading) int {
		if a.group != b.group {
			return cmp.Or(cmp.Compare(s.lows[a.group], s.lows[b.group]), cmp.Compare(a.group, b.group))
		}
		return cmp.Compare(a.prior, b.prior)
	})
}

// key returns a number that is equal for encodings in which the bytes of a sample are the same
// characters.
func (k *counts) key(runes *[256]rune) (sum uint64) {
	for _, b := range k.bytes {
		if b >= utf8.RuneSelf {
			sum = (sum ^ uint64(b)<<32 ^ uint64(runes[b])) * 0x9E3779B97F4A7C15
			sum ^= sum >> 29
		}
	}
	return sum
}

// A sample is not scored in single-byte encodings if it is certain in a multi-byte one. It then
// has at least sureBytes bytes above 127, half of the sample, and costs less than sureBits for
// each of them.
const (
	sureBytes = 60
	sureBits  = 6.0
)

func highBytes(b []byte) (n int) {
	for _, c := range b {
		n += int(c >> 7)
	}
	return n
}

// readMulti scores the readings in multi-byte encodings and returns the bits of the best.
func (d *Detector) readMulti(s *scratch, declared *codec) (most float64) {
	most = math.Inf(1)
	for _, c := range codecs {
		if c.multi == nil || !d.allowed[c] && c != declared {
			continue
		}
		c.multi.tables()
		limit := 2 + len(s.sample)/50
		if c != declared && !d.t().plausible(s.sample, c.multi.next, limit) {
			continue
		}
		if r, _, ok := d.t().walk(s, s.sample, c.multi.next, false, limit, most); ok {
			r.codec, r.prior = c, d.prior(c, declared)
			s.add(r)
			most = min(most, r.bits)
		}
	}
	return most
}

// add adds a reading that differs from all previous ones.
func (s *scratch) add(r reading) {
	r.like, r.group = -1, len(s.lows)
	s.results = append(s.results, r)
	s.lows = append(s.lows, r.score())
}
