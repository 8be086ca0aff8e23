package tokenizer

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// words is a text divided into words: ranges of its bytes.
type words struct {
	text  []byte
	spans []span
}

type span struct {
	start, end int
	first      bool // the word begins at the start of the input
}

// pretokenizer is a step that divides words further and may change their text. It reads in and
// overwrites out, whose buffers it reuses.
type pretokenizer interface {
	cut(out, in *words)
}

// whitespaceSplit divides at white space and removes it.
type whitespaceSplit struct{}

func (whitespaceSplit) cut(out, in *words) {
	out.text, out.spans = append(out.text[:0], in.text...), out.spans[:0]
	for _, s := range in.spans {
		start := s.start
		for at := s.start; at < s.end; {
			r, n := rune(in.text[at]), 1
			if r >= utf8.RuneSelf {
				r, n = utf8.DecodeRune(in.text[at:s.end])
			}
			if isSpace(r) {
				if start < at {
					out.spans = append(out.spans, span{start, at, s.first && start == s.start})
				}
				start = at + n
			}
			at += n
		}
		if start < s.end {
			out.spans = append(out.spans, span{start, s.end, s.first && start == s.start})
		}
	}
}

// prefix selects the words that get the mark of a space before them.
type prefix int

const (
	prefixAlways prefix = iota
	prefixFirst
	prefixNever
)

// metaspace replaces spaces with a visible mark, inserts one before words, and divides before each.
type metaspace struct {
	mark   []byte // usually U+2581
	prefix prefix
	split  bool
}

func (m metaspace) cut(out, in *words) {
	out.text, out.spans = out.text[:0], out.spans[:0]
	for _, s := range in.spans {
		word := in.text[s.start:s.end]
		start := len(out.text)
		if marked := bytes.HasPrefix(word, m.mark) || len(word) > 0 && word[0] == ' '; !marked &&
			(m.prefix == prefixAlways || m.prefix == prefixFirst && s.first) {
			out.text = append(out.text, m.mark...)
		}
		for {
			blank := bytes.IndexByte(word, ' ')
			if blank < 0 {
				break
			}
			out.text = append(append(out.text, word[:blank]...), m.mark...)
			word = word[blank+1:]
		}
		out.text = append(out.text, word...)
		from := start
		for m.split {
			behind := from // a mark here begins this word, not the next one
			if bytes.HasPrefix(out.text[from:], m.mark) {
				behind += len(m.mark)
			}
			i := bytes.Index(out.text[behind:], m.mark)
			if i < 0 {
				break
			}
			out.spans = append(out.spans, span{from, behind + i, s.first && from == start})
			from = behind + i
		}
		if from < len(out.text) {
			out.spans = append(out.spans, span{from, len(out.text), s.first && from == start})
		}
	}
}

// isSpace reports whether unicode.IsSpace(r), with a fast path for most characters.
func isSpace(r rune) bool {
	if r > 0xA0 && r < 0x1680 || r > 0x205F && r != 0x3000 {
		return false
	}
	return unicode.IsSpace(r)
}
