package corpus

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"chaffinch/text/token"
)

// simpleGap is the maximum number of tokens that ".." in a simple query skips.
const simpleGap = 5

// IsSimple reports whether a query is a simple one: words and wildcards, without quotes, tags and
// conditions in brackets.
func IsSimple(q string) bool {
	q = strings.TrimSpace(q)
	if q == "" || strings.ContainsAny(q, `"<`) || strings.HasPrefix(strings.TrimLeft(q, "( "), "'") && strings.Count(q, "'") > 1 {
		return false
	}
	for rest := q; ; {
		_, after, found := strings.Cut(rest, "[")
		if !found {
			return true
		}
		inside, next, closed := strings.Cut(after, "]")
		if !closed || !strings.Contains(inside, ",") || strings.Contains(inside, "=") {
			return false
		}
		rest = next
	}
}

// simple translates a simple query to CQL. Case is ignored. "*" in a word is any number of
// characters, "?" exactly one, "[u,]" a choice; "*" alone is one token, ".." up to simpleGap
// tokens, and "{take}" a lemma. A backslash makes the next character literal. Other text is split
// as the tokenizer splits it.
func (c *Corpus) simple(q string) (string, error) {
	_, err := c.Attr("lemma")
	return simpleQuery(q, err == nil, c.tokens)
}

// simpleQuery translates a simple query for a corpus with or without lemmas. tokens splits other text.
func simpleQuery(q string, lemmas bool, tokens func(text string) []string) (string, error) {
	var out []string
	end := 0 // of the piece before
	for piece := range strings.FieldsSeq(q) {
		at := end + strings.Index(q[end:], piece)
		end = at + len(piece)
		switch {
		case !utf8.ValidString(piece):
			return "", &SyntaxError{Query: q, Offset: at, What: fmt.Sprintf("found %q, wanted UTF-8", piece)}
		case piece == "*":
			out = append(out, "[]")
		case piece == "..":
			out = append(out, fmt.Sprintf("[]{0,%d}", simpleGap))
		case piece[0] == '{':
			word, ok := strings.CutSuffix(piece[1:], "}")
			if !ok || word == "" || strings.ContainsAny(word, "{}") {
				return "", &SyntaxError{Query: q, Offset: at, What: fmt.Sprintf("found %q, wanted one lemma in braces, as in {take} off", piece)}
			}
			if !lemmas {
				return "", &SyntaxError{Query: q, Offset: at, What: fmt.Sprintf("no attribute 'lemma' of tokens in this corpus: tag it to find lemmas, or write %s without braces", word)}
			}
			out = append(out, "[lemma="+eitherForm(wildcards(word))+"]")
		case strings.ContainsAny(piece, `*?[\`):
			out = append(out, eitherForm(wildcards(piece)))
		default:
			for _, w := range tokens(piece) {
				out = append(out, eitherForm(regexp.QuoteMeta(w)))
			}
		}
	}
	return strings.Join(out, " "), nil
}

// eitherForm returns the CQL value of a regular expression, without case. An expression with
// decomposed accents, as some keyboards and file names have them, also matches composed ones (NFC).
func eitherForm(expr string) string {
	if composed := norm.NFC.String(expr); composed != expr {
		expr += "|" + composed
	}
	return quoted(expr) + "%c"
}

// wildcards translates a word with wildcards to a regular expression.
func wildcards(word string) string {
	var b strings.Builder
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRuneInString(word[i:])
		i += size
		switch {
		case r == '*':
			b.WriteString(".*")
		case r == '?':
			b.WriteString(".")
		case r == '[' && strings.Contains(word[i:], "]"):
			choices, _, _ := strings.Cut(word[i:], "]")
			i += len(choices) + 1
			b.WriteString("(" + strings.ReplaceAll(regexp.QuoteMeta(choices), ",", "|") + ")")
		case r == '\\' && i < len(word):
			r, size = utf8.DecodeRuneInString(word[i:])
			i += size
			fallthrough
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	return b.String()
}

// tokens splits text as the tokens of the corpus are split.
func (c *Corpus) tokens(text string) []string {
	return tokensIn(text, c.languages(), func(words []string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !c.has(w) })
	})
}

// tokensIn splits text by the rules of the first language for which all tokens are known, otherwise of the
// first language.
func tokensIn(text string, langs []string, known func(words []string) bool) (words []string) {
	for i, lang := range langs {
		var parts []string
		for _, w := range token.For(lang).Words(text, nil) {
			parts = append(parts, text[w.Start:w.End])
		}
		if known(parts) {
			return parts
		}
		if i == 0 {
			words = parts
		}
	}
	return words
}

// has reports whether a word occurs in the corpus, in any case.
func (c *Corpus) has(word string) bool {
	if a, err := c.Attr("lc"); err == nil {
		_, ok := a.ID(lower(word))
		return ok
	}
	_, ok := c.attrs[0].ID(word)
	return ok
}

// languages returns the languages of the documents, the most frequent first, at most maxHintLangs,
// then "".
func (c *Corpus) languages() (langs []string) {
	if c.doc != nil {
		if a, err := c.doc.Attr("lang"); err == nil {
			ids := make([]uint32, a.Len())
			for i := range ids {
				ids[i] = uint32(i)
			}
			slices.SortStableFunc(ids, func(x, y uint32) int { return cmp.Compare(a.Freq(y), a.Freq(x)) })
			for _, id := range ids[:min(len(ids), maxHintLangs)] {
				langs = append(langs, a.Word(id))
			}
		}
	}
	return append(langs, "")
}
