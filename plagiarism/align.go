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

// AlignConfig holds the settings of the alignment of two texts. Lengths are in
// words; a word is a row of letters and digits, in scripts without spaces a pair
// of characters.
type AlignConfig struct {
	// Radius is how far around a shared word others support it, on both sides.
	Radius int
	// Support is how much the words shared within Radius must tell, in nats: the
	// sum of the logarithms of one over the chance that each is there anyhow.
	Support float64
	// Gap is the largest distance of supported words of one passage, on either
	// side.
	Gap int
	// Reach is how far beyond the supported words a passage may be extended.
	Reach int
	// Drop ends the extension: the log-likelihood ratio that it may lose, in
	// nats, before it gains again.
	Drop float64
	// Evidence is the log-likelihood ratio that a passage must have, in nats.
	Evidence float64
	// MinWords and MinChars (Unicode code points) are the length that a passage
	// must have on both sides.
	MinWords, MinChars int
	// Share is the share of the words of both pieces, 0 to 1, that must be found
	// in the other one.
	Share float64
	// Sentence is how much more probable the border of a passage is at that of a
	// sentence than within one, in nats; Paragraph is added at that of a
	// paragraph.
	Sentence, Paragraph float64
	// All keeps passages of different sources, or places of one source, that
	// are found in the same piece of the suspicious text; else the strongest
	// stays.
	All bool
}

// DefaultAlign holds the settings used where nobody says otherwise. They were
// chosen on the development half of the set of docs/eval/README.md and on cases of our
// own making.
var DefaultAlign = AlignConfig{
	Radius: 24, Support: 22, Gap: 80, Reach: 60, Drop: 12,
	Evidence: 40, MinWords: 15, MinChars: 150, Share: 0.25, Sentence: 3, Paragraph: 1.5,
}

// Check tells what is wrong with the settings.
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

// found is a passage by bytes, before its ids and code points are known.
type found struct {
	doc              int // of the source
	s1, s2, r1, r2   int // bytes
	evidence, shared float64
}

// Align finds the passages of the suspicious text that were made from passages
// of the source text, in the order of the suspicious text. Ids are left empty.
// It panics if the settings are out of range.
func Align(suspicious, source string, cfg AlignConfig) []Passage {
	if err := cfg.Check(); err != nil {
		panic(err)
	}
	b, err := NewIndexBuilder("", DefaultIndex, 64<<20, "")
	if err == nil {
		err = b.Add("", source)
	}
	if err != nil {
		panic(err) // in memory nothing can fail
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
		panic(err) // nothing ends the context
	}
	return found
}

// codePoints turns byte places of a text, in any order, into code points.
func codePoints(text string, places []*int) {
	slices.SortFunc(places, func(a, b *int) int { return cmp.Compare(*a, *b) })
	at, n := 0, 0
	for _, p := range places {
		n += utf8.RuneCountInString(text[at:*p])
		at = *p
		*p = n
	}
}
