package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/text/token"
)

// sentenceWords is the minimum number of words of a sentence. Shorter ones are treated as
// headings or list entries with a full stop.
const sentenceWords = 4

// unmarked are scripts without sentence-final marks, or whose marks also occur within
// sentences.
var unmarked = []*unicode.RangeTable{unicode.Thai, unicode.Lao, unicode.Tibetan}

// closers may follow the mark that ends a sentence.
const closers = "\"'”’»)]」』）"

// fragments computes the scores of the group fragments. Text in scripts without sentence-final
// marks has no sentence scores.
func fragments(s *Scorer, d *doc, out []float64) {
	words, sentences, within, without := 0, 0, 0, 0
	for rest := d.text; rest != ""; {
		line, n := d.cutLine(rest)
		rest = rest[n:]
		d.spans, d.ends = d.tok.Split(line, d.spans[:0], d.ends[:0])
		k := 0
		for _, sentence := range d.ends {
			count := 0
			for ; k < len(d.spans) && d.spans[k].End <= sentence.End; k++ {
				word := line[d.spans[k].Start:d.spans[k].End]
				if classify(word)&isWord == 0 {
					continue
				}
				count++
				if r, _ := utf8.DecodeRuneInString(word); r >= 0x0e00 && unicode.In(r, unmarked...) {
					without++
				}
			}
			words += count
			if count >= sentenceWords && endsSentence(line, sentence, d.tok.EndMark()) {
				sentences++
				within += count
			}
		}
	}
	out[0] = float64(words)
	if 2*without > words {
		return
	}
	out[1] = float64(sentences)
	if words > 0 {
		out[2] = float64(within) / float64(words)
	}
}

// endsSentence reports whether a sentence ends with a mark. The mark is own, the mark specific
// to the language (0 if none), or a mark common to all languages. In Ethiopic, two word spaces
// also end a sentence.
func endsSentence(line string, s token.Span, own byte) bool {
	text := strings.TrimRightFunc(line[s.Start:s.End], func(r rune) bool {
		return strings.ContainsRune(closers, r) || unicode.Is(unicode.Cf, r)
	})
	return text != "" && (endsTerminal(text) || text[len(text)-1] == own || strings.HasSuffix(text, "፡፡"))
}
