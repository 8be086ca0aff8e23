package filter

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"chaffinch/text/langid"
)

// A line tells its language if it has so many characters and the guess is so sure.
const (
	sureChars      = 40
	sureConfidence = 0.9
)

// noticed is the share of the text from which a language counts.
const noticed = 0.1

// mixed finds the scores of the group languages: of lines that are sure of theirs, by
// their characters. Languages that are easily taken for each other are one. A document whose
// language is not said is in that of most of them; one in a language that the detector does
// not know, whose lines it takes for several others, has no score.
func mixed(s *Scorer, d *doc, out []float64) {
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
		i := slices.IndexFunc(s.shares, func(l langShare) bool { return sameLanguage(l.lang, lang) })
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
	if !slices.ContainsFunc(s.set.tellsApart, func(l string) bool { return sameLanguage(l, lang) }) {
		return
	}
	own, number := 0, 0
	for _, l := range s.shares {
		if sameLanguage(l.lang, lang) {
			own = l.chars
		}
		if float64(l.chars) >= noticed*float64(all) {
			number++
		}
	}
	out[0], out[1] = float64(all-own)/float64(all), float64(number)
}

// langShare is a language and the characters of the lines in it.
type langShare struct {
	lang  string
	chars int
}

func sameLanguage(a, b string) bool {
	base := func(tag string) string {
		tag, _, _ = strings.Cut(tag, "-")
		return tag
	}
	return base(a) == base(b) || langid.Similar(a, b)
}

// foundLanguages names the languages of the document that was scored last, with the
// characters of each.
func foundLanguages(s *Scorer, _ string) string {
	list := make([]string, 0, len(s.shares))
	for _, l := range s.shares[:min(len(s.shares), maxReasons)] {
		list = append(list, fmt.Sprintf("%s %d", l.lang, l.chars))
	}
	return strings.Join(list, ", ") + " characters"
}

// readLanguages reads the detector for the group languages.
func (s *Set) readLanguages() (_ []uint64, err error) {
	if s.langid, err = langid.New(langid.Default); err == nil {
		s.tellsApart = s.langid.Langs()
	}
	return nil, err
}
