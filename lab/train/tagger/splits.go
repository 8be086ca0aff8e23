package tagger

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"chaffinch/text/tag"
)

// Limits of rules for endings of multiword tokens.
const (
	minRuleTypes = 3  // different tokens
	minRuleShare = .8 // of the tokens with the ending that are split in this way
	maxRuleRunes = 8  // of an ending
)

// splits returns the rules for the multiword tokens of a treebank: a table of tokens, and endings
// that nearly all tokens with this ending follow.
func splits(c *tag.Config, list []sentence) []tag.Split {
	whole := map[string]map[string]int{} // splits of tokens, "" for a single word
	for _, s := range list {
		for _, t := range s.tokens {
			norm := c.Normalize(t.form)
			if whole[norm] == nil {
				whole[norm] = map[string]int{}
			}
			var words []string
			if t.end-t.first > 1 {
				for _, w := range s.words[t.first:t.end] {
					words = append(words, c.Normalize(w.form))
				}
			}
			whole[norm][strings.Join(words, "\t")]++
		}
	}
	var out []tag.Split
	endings := map[string]map[string]int{}
	for _, form := range slices.Sorted(maps.Keys(whole)) {
		best := most(whole[form])
		var words []string
		if best != "" {
			words = strings.Split(best, "\t")
			if !strings.Contains(form, "0") {
				out = append(out, tag.Split{Form: form, Words: words})
			}
		}
		countEndings(endings, form, words)
	}
	for _, ending := range slices.Sorted(maps.Keys(endings)) {
		m := endings[ending]
		total := 0
		for _, n := range m {
			total += n
		}
		best := most(m)
		if best == "" || best == otherwise || m[best] < minRuleTypes || float64(m[best]) < minRuleShare*float64(total) {
			continue
		}
		out = append(out, tag.Split{Form: ending, Suffix: true, Words: strings.Split(best, "\t")})
	}
	return simplify(out)
}

// otherwise marks tokens whose split no rule for the ending describes.
const otherwise = "\x00"

// most returns the key with the highest count.
func most(m map[string]int) string {
	return slices.MaxFunc(slices.Sorted(maps.Keys(m)), func(a, b string) int { return cmp.Compare(m[a], m[b]) })
}

// countEndings counts the endings of a token with their replacements: the words, where the first
// lacks the part of the token before the ending.
func countEndings(endings map[string]map[string]int, form string, words []string) {
	i := len(form)
	for n := 0; n < maxRuleRunes && i > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(form[:i])
		if i -= size; i == 0 {
			return
		}
		to := "" // not split
		if words != nil {
			first, ok := strings.CutPrefix(words[0], form[:i])
			to = strings.Join(append([]string{first}, words[1:]...), "\t")
			if !ok {
				to = otherwise
			}
		}
		if endings[form[i:]] == nil {
			endings[form[i:]] = map[string]int{}
		}
		endings[form[i:]][to]++
	}
}

// simplify removes rules that a rule for a shorter ending implies.
func simplify(list []tag.Split) []tag.Split {
	rules := map[string][]string{}
	for _, s := range list {
		if s.Suffix {
			rules[s.Form] = s.Words
		}
	}
	return slices.DeleteFunc(list, func(s tag.Split) bool {
		for i := 1; i < len(s.Form); i++ {
			if !utf8.RuneStart(s.Form[i]) {
				continue
			}
			words := rules[s.Form[i:]]
			if words != nil && s.Words[0] == s.Form[:i]+words[0] && slices.Equal(words[1:], s.Words[1:]) && s.Suffix {
				return true
			}
		}
		return false
	})
}
