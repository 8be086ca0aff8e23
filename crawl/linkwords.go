package crawl

import (
	"html"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"chaffinch/dedup/shingle"
	"chaffinch/page"
)

const (
	// maxLinkText is the most bytes of HTML of a link whose words are read.
	maxLinkText = 1 << 10
	// minLinkWord is the least length of a compared word, in characters.
	minLinkWord = 4
	// minTestedPage is the least number of words of a page that is compared with links to it. 40 % of
	// shorter pages have no word of the links (lab/results/crawl.md).
	minTestedPage = 50
)

// shinglers find words.
var shinglers = sync.Pool{New: func() any { return shingle.New(shingle.Default) }}

// linkWords returns hashes of the two longest words of a link at start in a page, of 16 bits each. It
// returns 0 without a word of minLinkWord characters.
func linkWords(s string, start int) uint32 {
	if start < 0 || start >= len(s) {
		return 0
	}
	s = s[start:min(len(s), start+maxLinkText)]
	if end := strings.Index(s, "</a"); end >= 0 {
		s = s[:end]
	}
	text := []byte(html.UnescapeString(withoutTags(s)))
	sh := shinglers.Get().(*shingle.Shingler)
	defer shinglers.Put(sh)
	hashes, spans := sh.Spans(nil, nil, text, false)
	var words [2]uint16
	var lengths [2]int
	for i, at := range spans {
		n, h := utf8.RuneCount(text[at.Start:at.End]), wordHash(hashes[i])
		switch {
		case n < minLinkWord || h == words[0]:
		case n > lengths[0]:
			words, lengths = [2]uint16{h, words[0]}, [2]int{n, lengths[0]}
		case n > lengths[1]:
			words[1], lengths[1] = h, n
		}
	}
	return uint32(words[0])<<16 | uint32(words[1])
}

// wordHash returns a hash of 16 bits that is not 0.
func wordHash(h uint64) uint16 { return max(uint16(h), 1) }

// withoutTags returns HTML with a space in place of each tag.
func withoutTags(s string) string {
	var b strings.Builder
	for s != "" {
		text, rest, _ := strings.Cut(s, "<")
		b.WriteString(text)
		b.WriteByte(' ')
		_, s, _ = strings.Cut(rest, ">")
	}
	return b.String()
}

// matchWords returns [schedule.Outcome.Match] of a page and the words of a link to it.
func matchWords(words uint32, p *page.Page) int8 {
	if words == 0 {
		return 0
	}
	sh := shinglers.Get().(*shingle.Shingler)
	defer shinglers.Put(sh)
	n := 0
	has := func(text string) bool {
		hashes := sh.Tokens(nil, []byte(text), false)
		n += len(hashes)
		return slices.ContainsFunc(hashes, func(h uint64) bool {
			return wordHash(h) == uint16(words>>16) || wordHash(h) == uint16(words)
		})
	}
	if has(p.Meta.Title) || slices.ContainsFunc(p.Blocks, func(b page.Block) bool { return has(b.Text) }) {
		return 1
	}
	if n < minTestedPage {
		return 0
	}
	return -1
}
