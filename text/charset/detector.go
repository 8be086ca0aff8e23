package charset

import (
	"chaffinch/text/charset/alphabet"
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Config says how a detector works.
type Config struct {
	// Model is the path of a model made by chaffinch train charset; "" is the
	// embedded one.
	Model string `json:"model,omitempty"`
	// Encodings are the names of those that may be found where no label
	// declares another; none means all of [Encodings], "web" those of the WHATWG
	// Encoding standard.
	Encodings []string `json:"encodings,omitempty"`
	// NoMeta leaves unread what a page says of its encoding, as is right for
	// plain text.
	NoMeta bool `json:"no_meta,omitempty"`
	// Declared is how much evidence, in bits, a declared encoding counts for.
	Declared float64 `json:"declared"`
}

// Default is the configuration of [Decode].
var Default = Config{Declared: 24}

// Candidate is one way to read a text.
type Candidate struct {
	// Name is the encoding.
	Name string
	// Lang is the language that the text is in if it is in this encoding, as
	// a BCP 47 tag; "" if it is in none of the model, or has too few letters
	// beyond ASCII to tell.
	Lang string
	// Confidence is an estimate of the probability that the text is in this
	// encoding or in one in which it reads the same.
	Confidence float64
	// Same tells that the text reads as in the candidate before.
	Same bool
}

// Detector tells encodings apart. It does not change and is safe for
// concurrent use.
type Detector struct {
	cfg     Config
	t       func() *tables // the embedded ones are made when first asked for: UTF-8 needs none
	allowed map[*codec]bool
	pool    sync.Pool
}

// New opens the model.
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
			return nil, fmt.Errorf("charset: encoding %q is unknown: Encodings lists those that are known", name)
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

// standard is the detector of the configuration Default.
var standard = sync.OnceValue(func() *Detector {
	d, err := New(Default)
	if err != nil {
		panic(err) // the embedded model is wrong
	}
	return d
})

// Rank appends to dst the n best ways to read raw, which is in none of the
// Unicode encodings and has no escape sequences; the best is first.
func (d *Detector) Rank(dst []Candidate, raw []byte, n int) []Candidate {
	s := d.pool.Get().(*scratch)
	defer d.pool.Put(s)
	d.read(s, raw, nil)
	return d.candidates(dst, s, n)
}

// temperature is how many bits of the model are worth one of evidence: the
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

// A language is named if at least minLetters letters are not ASCII, and one in
// minShare of all.
const (
	minLetters = 3
	minShare   = 100
)

// namesLanguage tells whether a text has enough letters to name its language.
// Less can be enough to choose the encoding: of a page in English with some
// curly quotes only what is around these is looked at.
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

// Readings with one byte a character are scored by bigrams if they are among the
// first finalists by a glance, and not behind the first by more than marginBits
// and marginRate for each trigram, and by trigrams if they are among the first
// winners then, and not behind by half as much.
const (
	finalists  = 12
	winners    = 6
	marginBits = 30
	marginRate = 2.0
)

// read scores the readings of raw and sorts them, the best first. The
// encoding declared, nil for none, is scored even where it is not allowed.
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

// round scores the best n readings of s.first by more of the model, and sorts
// them again. Those that are the same text follow the first of these.
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

// prior returns what the encoding c costs.
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

// key returns a number that is equal for encodings in which the bytes of a
// sample are the same characters.
func (k *counts) key(runes *[256]rune) (sum uint64) {
	for _, b := range k.bytes {
		if b >= utf8.RuneSelf {
			sum = (sum ^ uint64(b)<<32 ^ uint64(runes[b])) * 0x9E3779B97F4A7C15
			sum ^= sum >> 29
		}
	}
	return sum
}

// A sample with at least sureBytes above 127, half of it, that costs less than
// sureBits for each in an encoding with pairs of bytes is not looked at in
// those with single bytes.
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

// readMulti scores the readings in the encodings with pairs of bytes, and
// returns the bits of the best.
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

// add adds a reading that is like none before.
func (s *scratch) add(r reading) {
	r.like, r.group = -1, len(s.lows)
	s.results = append(s.results, r)
	s.lows = append(s.lows, r.score())
}
