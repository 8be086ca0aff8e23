package corpus

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"chaffinch/text/token"
)

// absent is a value in a query that no token has.
type absent struct {
	attr  string // "" means the default attribute
	value string
	hint  string // correction of a value in another form of Unicode than the corpus
}

// note records a condition whose value does not occur in the corpus: one word, or a value that
// occurs in another form of Unicode, or in lower case.
func (k *compiler) note(c valueCond, a *Attr, p *pattern, ids []uint32) error {
	if len(ids) > 0 || c.not || c.order != "" {
		return nil
	}
	for _, f := range []struct {
		form func(string) string
		is   string
	}{
		{norm.NFC.String, "in decomposed Unicode (NFD), the corpus has it composed (NFC)"},
		{norm.NFD.String, "in composed Unicode (NFC), the corpus has it decomposed (NFD)"},
		{func(v string) string {
			if a.from == nil || strings.Contains(v, `\`) {
				return v
			}
			return lower(v)
		}, "not in lower case, as all values of " + a.name},
	} {
		other := c
		if other.value = f.form(c.value); other.value == c.value {
			continue
		}
		q, err := newPattern(other)
		if err != nil {
			continue
		}
		if ids, err = q.ids(k.ctx, a); err != nil {
			return err
		}
		if len(ids) > 0 {
			k.absent = append(k.absent, absent{hint: fmt.Sprintf("%s is %s: write %s", quoted(c.value), f.is, quoted(other.value))})
			return nil
		}
	}
	if words := k.c.attrs[0]; len(p.values) == 1 && (a == words || a.from == words) {
		k.absent = append(k.absent, absent{attr: c.attr, value: p.values[0]})
	}
	return nil
}

// maxHintLangs is the maximum number of languages of the corpus whose rules are
// used to tokenize a value.
const maxHintLangs = 16

// Hints returns corrections for values in the query that no token has but a
// sequence of tokens does. For example, a character in Chinese and Japanese is a
// token, and so is a part of don't. Such a query has no matches, or fewer than
// expected.
func (q *Query) Hints() (hints []string) {
	for _, x := range q.absent {
		if x.hint != "" {
			hints = append(hints, x.hint)
			continue
		}
		a, err := q.c.Attr(x.attr)
		if err != nil {
			continue
		}
		for _, lang := range q.c.languages() {
			parts, ok := cut(a, token.For(lang), x.value)
			if !ok {
				continue
			}
			said := make([]string, len(parts))
			for i, p := range parts {
				said[i] = quoted(regexp.QuoteMeta(p))
				if x.attr != "" {
					said[i] = "[" + x.attr + "=" + said[i] + "]"
				}
			}
			h := fmt.Sprintf("%q is %d tokens in this corpus: write %s", x.value, len(parts), strings.Join(said, " "))
			if !slices.Contains(hints, h) {
				hints = append(hints, h)
			}
			break
		}
	}
	return hints
}

// cut tokenizes a value. ok reports whether the value has several tokens that all
// occur in the corpus.
func cut(a *Attr, t *token.Tokenizer, value string) (parts []string, ok bool) {
	for _, s := range t.Words(value, nil) {
		p := value[s.Start:s.End]
		if _, ok := a.ID(p); !ok {
			return nil, false
		}
		parts = append(parts, p)
	}
	return parts, len(parts) > 1
}
