package plagiarism

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// AlignConfig configures the alignment of two texts. Lengths are in words. A word is
// a sequence of letters and digits, or a pair of characters in scripts without spaces.
type AlignConfig struct {
	// Radius is the distance, on both sides, within which shared words support each
	// other.
	Radius int
	// Support is the minimum information of the words shared within Radius, in nats.
	// It is the sum of -ln p, where p is the probability that a word occurs by chance.
	Support float64
	// Gap is the maximum distance between supported words of one passage, on either
	// side.
	Gap int
	// Reach is the maximum extension of a passage beyond the supported words.
	Reach int
	// Drop ends the extension. It is the maximum drop of the log-likelihood ratio,
	// in nats, before it rises again.
	Drop float64
	// Evidence is the minimum log-likelihood ratio of a passage, in nats.
	Evidence float64
	// MinWords and MinChars (Unicode code points) are the minimum length of a passage
	// on both sides.
	MinWords, MinChars int
	// Share is the minimum share, 0 to 1, of the words of both pieces that occur in
	// both.
	Share float64
	// Sentence is the log-likelihood bonus of a passage border at a sentence
	// boundary, in nats. Paragraph is added at a paragraph boundary.
	Sentence, Paragraph float64
	// All keeps all passages found for the same piece of the suspicious text, from
	// several sources or several places of one source. Otherwise only the strongest
	// is kept.
	All bool
}

// DefaultAlign is the default configuration. It was tuned on the development half of
// the dataset in lab/results/README.md and on synthetic cases.
var DefaultAlign = AlignConfig{
	Radius: 24, Support: 22, Gap: 80, Reach: 60, Drop: 12,
	Evidence: 40, MinWords: 15, MinChars: 150, Share: 0.25, Sentence: 3, Paragraph: 1.5,
}

// Check returns an error if a setting is invalid.
func (c *AlignConfig) Check() error {
	switch {
	case c.Radius < 1 || c.Radius > 1000:
		return fmt.Errorf("align: radius %d: wanted 1 to 1000 words", c.Radius)
	case c.Gap < 1 || c.Gap > sectionLap:
		return fmt.Errorf("align: gap %d: wanted 1 to %d words", c.Gap, sectionLap)
	case c.Reach < 0 || c.Reach > sectionLap:
		return fmt.Errorf("align: reach %d: wanted 0 to %d words", c.Reach, sectionLap)
	case !(c.Sentence >= 0 && c.Paragraph >= 0):
		return errors.New("align: sentence and paragraph must be at least 0 nats")
	case !(c.Evidence >= 0 && c.Evidence <= math.MaxFloat64):
		return fmt.Errorf("align: evidence %v: wanted a number of nats, at least 0", c.Evidence)
	case !(c.Support > 0) || !(c.Drop >= 0):
		return errors.New("align: support must be above 0 nats, drop at least 0")
	case !(c.Share >= 0 && c.Share <= 1):
		return fmt.Errorf("align: share %v: wanted 0 to 1", c.Share)
	case c.MinWords < 0:
		return fmt.Errorf("align: minimum length %d: wanted at least 0 words", c.MinWords)
	case c.MinChars < 0:
		return fmt.Errorf("align: minimum length %d (min-chars): wanted at least 0 characters", c.MinChars)
	}
	return nil
}

// found is a passage in bytes, before its ids and code points are known.
type found struct {
	doc              int // of the source
	s1, s2, r1, r2   int // bytes
	evidence, shared float64
}

// Align finds the passages of the suspicious text that are derived from passages of
// the source text. They are sorted by position in the suspicious text and have empty
// ids. Align panics if the settings are out of range.
func Align(suspicious, source string, cfg AlignConfig) []Passage {
	if err := cfg.Check(); err != nil {
		panic(err)
	}
	b, err := NewIndexBuilder("", DefaultIndex, 64<<20, "")
	if err == nil {
		err = b.Add("", source)
	}
	if err != nil {
		panic(err) // cannot fail in memory
	}
	x, err := b.Index()
	if err != nil {
		panic(err)
	}
	search := DefaultSearch
	search.Align = cfg
	s, err := NewSearcher(x, search)
	if err != nil {
		panic(err)
	}
	found, err := s.Search(context.Background(), "", suspicious)
	if err != nil {
		panic(err) // the context never ends
	}
	return found
}

// codePoints converts byte offsets of a text, in any order, to code points.
func codePoints(text string, places []*int) {
	slices.SortFunc(places, func(a, b *int) int { return cmp.Compare(*a, *b) })
	at, n := 0, 0
	for _, p := range places {
		n += utf8.RuneCountInString(text[at:*p])
		at = *p
		*p = n
	}
}
