package filter

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"chaffinch/text/langid"
)

// The minimum number of characters of a line, and the minimum confidence, for its language to
// count.
const (
	sureChars      = 40
	sureConfidence = 0.9
)

// noticed is the minimum share of the text for a language to count.
const noticed = 0.1

// languageScores computes the scores of the group languages from the characters of lines whose language
// is certain. Similar languages count as one. A document without a stated language is assigned
// the language of most characters. A document in a language that the detector does not support
// has no score, because its lines are detected as several other languages.
func languageScores(s *Scorer, d *doc, out []float64) {
	s.shares = s.shares[:0]
	all := 0
	for _, p := range d.paras {
		line := d.text[p.start:p.end]
		chars := utf8.RuneCountInString(line)
		lang := ""
		if p.of < len(s.in.Langs) {
			lang = s.in.Langs[p.of]
		}
		if lang == "" {
			if chars < sureChars {
				continue
			}
			g := s.set.langid.Detect(line)
			if g.Confidence < sureConfidence {
				continue
			}
			lang = g.Lang
		}
		if lang == langid.Undetermined || lang == langid.NoLanguage {
			continue
		}
		all += chars
		i := slices.IndexFunc(s.shares, func(l langShare) bool { return s.set.same(l.lang, lang) })
		if i < 0 {
			i = len(s.shares)
			s.shares = append(s.shares, langShare{lang: lang})
		}
		s.shares[i].chars += chars
	}
	if all == 0 {
		return
	}
	slices.SortStableFunc(s.shares, func(a, b langShare) int { return cmp.Compare(b.chars, a.chars) })
	lang := cmp.Or(langid.Declared(s.in.Lang), s.shares[0].lang)
	if !slices.ContainsFunc(s.set.detectable, func(l string) bool { return s.set.same(l, lang) }) {
		return
	}
	own, number := 0, 0
	for _, l := range s.shares {
		if s.set.same(l.lang, lang) {
			own = l.chars
		}
		if float64(l.chars) >= noticed*float64(all) {
			number++
		}
	}
	out[0], out[1] = float64(all-own)/float64(all), float64(number)
}

// langShare is a language and the number of characters of the lines in it.
type langShare struct {
	lang  string
	chars int
}

// same reports whether two tags are one language, or close languages that are easily confused.
func (s *Set) same(a, b string) bool {
	base := func(tag string) string {
		tag, _, _ = strings.Cut(tag, "-")
		return tag
	}
	return base(a) == base(b) || s.langid.Similar(a, b)
}

// foundLanguages names the languages of the last scored document, with the characters of each.
func foundLanguages(s *Scorer, _ string) string {
	list := make([]string, 0, len(s.shares))
	for _, l := range s.shares[:min(len(s.shares), maxReasons)] {
		list = append(list, fmt.Sprintf("%s %d", l.lang, l.chars))
	}
	return strings.Join(list, ", ") + " characters"
}

// readLanguages loads the detector of the group languages.
func (s *Set) readLanguages() (_ []uint64, err error) {
	if s.langid, err = langid.New(langid.Default); err == nil {
		s.detectable = s.langid.Langs()
	}
	return nil, err
}
