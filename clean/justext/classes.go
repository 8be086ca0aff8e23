package justext

import (
	"strings"
	"unicode/utf8"

	"chaffinch/page"
)

// facts holds the measurements and classes of a block.
type facts struct {
	chars   int // characters of the text
	length  int // characters as the thresholds count them
	links   int // characters in links
	words   int // words of the text
	stops   int // stop words
	heading bool

	free  page.Label // context-free class
	label page.Label // class after the passes so far
	rule  rule       // rule of the context-free class
	cause cause      // cause of the final class
}

// density returns the share of stop words.
func (b *facts) density() float64 {
	if b.words == 0 {
		return 0
	}
	return float64(b.stops) / float64(b.words)
}

// linkDensity returns the share of characters in links.
func (b *facts) linkDensity() float64 {
	if b.chars == 0 {
		return 0
	}
	return float64(b.links) / float64(b.chars)
}

// rule is a rule of the context-free classification.
type rule uint8

const (
	ruleLinks     rule = iota // too many links: bad
	ruleCopyright             // a copyright sign: bad
	ruleSelect                // a list of choices: bad
	ruleShortLink             // short and with a link: bad
	ruleShort                 // short
	ruleLong                  // long with many stop words: good
	ruleMedium                // not long, with many stop words: near good
	ruleSomeStops             // with some stop words: near good
	ruleFewStops              // with few stop words: bad
)

// rules holds the thresholds and the stop list for one page.
type rules struct {
	Config
	list  *Stoplist // nil if stop words are ignored
	doubt bool      // the list may be for another language
	unfit bool      // the list is for another language
}

// contextFree sets the context-free class of b.
func (r *rules) contextFree(b *facts) {
	density := b.density()
	switch {
	case b.linkDensity() > r.MaxLinkDensity:
		b.free, b.rule = page.Bad, ruleLinks
	case b.rule == ruleCopyright || b.rule == ruleSelect: // set by measure
		b.free = page.Bad
	case b.length < r.LengthLow && b.links > 0:
		b.free, b.rule = page.Bad, ruleShortLink
	case b.length < r.LengthLow:
		b.free, b.rule = page.Short, ruleShort
	case density >= r.StopwordsHigh && b.length > r.LengthHigh:
		b.free, b.rule = page.Good, ruleLong
	case density >= r.StopwordsHigh:
		b.free, b.rule = page.NearGood, ruleMedium
	case density >= r.StopwordsLow:
		b.free, b.rule = page.NearGood, ruleSomeStops
	default:
		b.free, b.rule = page.Bad, ruleFewStops
	}
	b.label = b.free
}

// measurer counts the words of blocks. It holds reusable buffers.
type measurer struct{ Words }

// measure sets the measurements of a block from its text and its elements.
func (m *measurer) measure(b *facts, block *page.Block, r *rules) {
	b.chars = utf8.RuneCountInString(block.Text)
	b.length = b.chars
	if !r.PlainLength {
		b.length += extraLength(block.Text, b.chars)
	}
	b.links = block.LinkChars
	b.heading = !r.NoHeadings && (block.Kind == page.Heading || inHeading(block.Path))
	switch {
	case strings.Contains(block.Text, "©") || strings.Contains(block.Text, "&copy"):
		b.rule = ruleCopyright
	case strings.Contains(block.Path, "select"):
		b.rule = ruleSelect
	}
	if r.SpaceTokens {
		b.words, b.stops = m.countFields(block.Text, r.list)
	} else {
		b.words, b.stops = m.countWords(block.Text, r.list)
	}
}

// inHeading reports whether one of the elements of path is h with a digit.
func inHeading(path string) bool {
	for {
		el, rest, more := strings.Cut(path, ".")
		if len(el) == 2 && el[0] == 'h' && '0' <= el[1] && el[1] <= '9' {
			return true
		}
		if !more {
			return false
		}
		path = rest
	}
}
