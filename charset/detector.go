package charset

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
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
	// a BCP 47 tag; "" if it is in none of the model.
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
	t       *tables
	allowed map[*codec]bool
	pool    sync.Pool
}

// New opens the model.
func New(cfg Config) (*Detector, error) {
	d := &Detector{cfg: cfg, allowed: map[*codec]bool{}}
	for _, name := range cfg.Encodings {
		if name == "web" {
			for _, c := range codecs {
				d.allowed[c] = d.allowed[c] || c.web
			}
			continue
		}
		canon := Name(name)
		if canon == "" {
			return nil, fmt.Errorf("charset: encoding %q is unknown: chaffinch detect charset --list shows all", name)
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
	var err error
	if d.t, err = open(cfg.Model); err != nil {
		return nil, err
	}
	d.pool.New = func() any { return &scratch{bits: make([]int32, len(d.t.langs)), same: map[uint64]int{}} }
	return d, nil
}

// Langs returns the languages of the model.
func (d *Detector) Langs() []string { return slices.Clone(d.t.langs) }

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
			c.Lang = d.t.langs[r.lang]
		}
		best := r.group
		first = best
		_ = i
		c.Confidence = math.Exp2((low-s.lows[best])/temperature) / sum
		dst = append(dst, c)
	}
	return dst
}

// read scores the readings of raw and sorts them, the best first. The
// encoding declared, nil for none, is scored even where it is not allowed.
func (d *Detector) read(s *scratch, raw []byte, declared *codec) {
	s.results, s.lows = s.results[:0], s.lows[:0]
	clear(s.same)
	s.sample = excerpts(s.sample[:0], raw)
	s.counts.count(s.sample)
	for _, c := range codecs {
		if c.state != nil || c.wide != nil || !d.allowed[c] && c != declared {
			continue
		}
		bonus := 0.0
		if c == declared {
			bonus = d.cfg.Declared
		}
		if c.single == nil {
			d.readMulti(s, c, bonus)
			continue
		}
		runes := c.single()
		sum := uint64(0)
		for _, b := range s.counts.bytes {
			if b >= 0x80 {
				sum = (sum ^ uint64(b)<<32 ^ uint64(runes[b])) * 0x9E3779B97F4A7C15
				sum ^= sum >> 29
			}
		}
		if i, ok := s.same[sum]; ok {
			r := s.results[i]
			r.codec, r.prior, r.like = c, c.rare-bonus, i
			s.results = append(s.results, r)
			s.lows[r.group] = min(s.lows[r.group], r.score())
			continue
		}
		s.same[sum] = len(s.results)
		bits, lang, broken := d.t.single(s, runes)
		s.add(reading{codec: c, bits: bits, prior: c.rare - bonus, lang: lang, broken: broken})
	}
	slices.SortStableFunc(s.results, func(a, b reading) int {
		if a.group != b.group {
			return cmp.Or(cmp.Compare(s.lows[a.group], s.lows[b.group]), cmp.Compare(a.group, b.group))
		}
		return cmp.Compare(a.prior, b.prior)
	})
}

// readMulti scores the reading in an encoding with pairs of bytes.
func (d *Detector) readMulti(s *scratch, c *codec, bonus float64) {
	c.multi.tables()
	limit := 2 + len(s.sample)/50
	bits, lang, broken, _, ok := d.t.walk(s, s.sample, c.multi.next, false, limit)
	if ok {
		s.add(reading{codec: c, bits: bits, prior: c.rare - bonus, lang: lang, broken: broken})
	}
}

// add adds a reading that is like none before.
func (s *scratch) add(r reading) {
	r.like, r.group = -1, len(s.lows)
	s.results = append(s.results, r)
	s.lows = append(s.lows, r.score())
}
