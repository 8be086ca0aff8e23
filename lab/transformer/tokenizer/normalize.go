package tokenizer

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalizer is a step that transforms a text before it is tokenized: it appends the new form of
// src to dst. Both are valid UTF-8.
type normalizer interface {
	normalize(dst, src []byte) []byte
}

// form is one of Unicode's normalization forms.
type form norm.Form

func (f form) normalize(dst, src []byte) []byte { return norm.Form(f).Append(dst, src...) }

// lowercase maps characters independently of their context.
type lowercase struct{}

func (lowercase) normalize(dst, src []byte) []byte {
	for _, r := range string(src) { // without a copy
		if r == 'İ' {
			dst = append(dst, "i\u0307"...)
			continue
		}
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
	}
	return dst
}

// strip removes white space from the ends.
type strip struct{ left, right bool }

func (s strip) normalize(dst, src []byte) []byte {
	if s.left {
		src = bytes.TrimLeftFunc(src, unicode.IsSpace)
	}
	if s.right {
		src = bytes.TrimRightFunc(src, unicode.IsSpace)
	}
	return append(dst, src...)
}

// stripAccents removes combining marks.
type stripAccents struct{}

func (stripAccents) normalize(dst, src []byte) []byte {
	for _, r := range string(src) {
		if !unicode.Is(unicode.M, r) {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// nmt removes control characters and replaces invisible ones with spaces, as SentencePiece does
// before NFKC in its rule nmt_nfkc.
type nmt struct{}

func (nmt) normalize(dst, src []byte) []byte {
	for _, r := range string(src) {
		switch {
		case r >= 0x01 && r <= 0x08, r == 0x0B, r >= 0x0E && r <= 0x1F, r == 0x7F, r == 0x8F, r == 0x9F:
		case r == '\t', r == '\n', r == '\f', r == '\r', r == 0x1680, r >= 0x200B && r <= 0x200F,
			r == 0x2028, r == 0x2029, r == 0x2581, r == 0xFEFF, r == 0xFFFD:
			dst = append(dst, ' ')
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// prepend inserts a text before every nonempty text.
type prepend string

func (p prepend) normalize(dst, src []byte) []byte {
	if len(src) == 0 {
		return dst
	}
	return append(append(dst, p...), src...)
}

// replaceText replaces every occurrence of a text.
type replaceText struct{ old, new []byte }

func (r replaceText) normalize(dst, src []byte) []byte {
	for {
		i := bytes.Index(src, r.old)
		if i < 0 {
			return append(dst, src...)
		}
		dst = append(append(dst, src[:i]...), r.new...)
		src = src[i+len(r.old):]
	}
}

// replaceRun replaces runs of at least least copies of one character: the pattern " {2,}" of
// XLM-R's tokenizer, without a regular expression.
type replaceRun struct {
	char  []byte
	least int
	new   []byte
}

func (r replaceRun) normalize(dst, src []byte) []byte {
	for {
		i := bytes.Index(src, r.char)
		if i < 0 {
			return append(dst, src...)
		}
		end, n := i, 0
		for bytes.HasPrefix(src[end:], r.char) {
			end += len(r.char)
			n++
		}
		dst = append(dst, src[:i]...)
		if n >= r.least {
			dst = append(dst, r.new...)
		} else {
			dst = append(dst, src[i:end]...)
		}
		src = src[end:]
	}
}

// replacePattern replaces matches of a regular expression.
type replacePattern struct {
	old *regexp.Regexp
	new []byte
}

func (r replacePattern) normalize(dst, src []byte) []byte {
	return append(dst, r.old.ReplaceAllLiteral(src, r.new)...)
}

// newReplace returns the simplest normalizer for a pattern.
func newReplace(pattern, content string) (normalizer, error) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	least := re.Min
	if re.Op == syntax.OpPlus {
		least = 1
	}
	if re.Op == syntax.OpPlus || re.Op == syntax.OpRepeat && re.Max < 0 && re.Min > 0 {
		if c := re.Sub[0]; re.Flags&syntax.NonGreedy == 0 && c.Op == syntax.OpLiteral && len(c.Rune) == 1 && c.Flags&syntax.FoldCase == 0 {
			return replaceRun{[]byte(string(c.Rune)), least, []byte(content)}, nil
		}
	}
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	return replacePattern{compiled, []byte(content)}, nil
}
