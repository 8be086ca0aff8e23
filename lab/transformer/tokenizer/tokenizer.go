// Package tokenizer cuts text into the pieces that a language model reads, as
// a tokenizer.json of Hugging Face's tokenizers library describes it: added
// tokens, normalization, words, a unigram model (Kudo 2018), special tokens
// around the pieces. What XLM-R and its relatives use is here; other models
// (BPE, WordPiece) are refused by name.
package tokenizer

import (
	"sync"
	"unicode/utf8"
)

// Tokenizer turns texts into piece ids. It is safe for concurrent use.
type Tokenizer struct {
	model       *unigram
	raw         *addedTokens // found before normalization
	normalized  *addedTokens // found behind it
	normalizers []normalizer
	splitters   []pretokenizer
	before      []int64 // special tokens before the pieces
	behind      []int64 // and behind them
	names       []string
	maxLength   int // 0 for no limit
	cutLeft     bool
	pad         int64
	pool        sync.Pool // of *scratch
}

// scratch is the room that one Encode needs.
type scratch struct {
	text, other []byte // a section before and after a normalizer
	valid       []byte
	sections    []section
	inner       []section
	words       words
	cut         words
	lattice     lattice
}

// Size is the number of ids: all are below it.
func (t *Tokenizer) Size() int { return len(t.names) }

// Piece is the text of an id, "" where no piece has it.
func (t *Tokenizer) Piece(id int64) string {
	if id < 0 || id >= int64(len(t.names)) {
		return ""
	}
	return t.names[id]
}

// Pad is the id that fills up shorter sequences of a batch.
func (t *Tokenizer) Pad() int64 { return t.pad }

// MaxLength is the most ids of a text, special tokens included; 0 for no limit.
func (t *Tokenizer) MaxLength() int { return t.maxLength }

// SetMaxLength changes [Tokenizer.MaxLength]; not while texts are encoded. A
// limit below the number of special tokens leaves no piece of any text.
func (t *Tokenizer) SetMaxLength(n int) { t.maxLength = n }

// Encode appends the ids of text to dst, with the special tokens around them.
// Bytes that are no UTF-8 are read as U+FFFD, one for a run of them.
func (t *Tokenizer) Encode(dst []int64, text []byte) []int64 {
	s, _ := t.pool.Get().(*scratch)
	if s == nil {
		s = &scratch{}
	}
	defer t.pool.Put(s)
	limit := -1
	if t.maxLength > 0 {
		limit = max(0, t.maxLength-len(t.before)-len(t.behind))
	}
	dst = append(dst, t.before...)
	from := len(dst)
	dst = t.pieces(dst, text, s, from, limit)
	if n := len(dst) - from; limit >= 0 && n > limit {
		if t.cutLeft {
			copy(dst[from:], dst[len(dst)-limit:])
		}
		dst = dst[:from+limit]
	}
	return append(dst, t.behind...)
}

// pieces appends the ids of the pieces of text. It stops early behind limit
// ids from dst[from] if what follows would be cut off.
func (t *Tokenizer) pieces(dst []int64, text []byte, s *scratch, from, limit int) []int64 {
	if !utf8.Valid(text) {
		s.valid = appendValid(s.valid[:0], text)
		text = s.valid
	}
	s.sections = t.raw.cut(s.sections[:0], text)
	for _, part := range s.sections {
		if part.id >= 0 {
			dst = append(dst, int64(part.id))
			continue
		}
		normal := text[part.start:part.end]
		for _, n := range t.normalizers {
			s.other = n.normalize(s.other[:0], normal)
			s.text, s.other = s.other, s.text
			normal = within(s.text, maxGrowth*len(text)+minRoom)
		}
		s.inner = t.normalized.cut(s.inner[:0], normal)
		for _, in := range s.inner {
			if in.id >= 0 {
				dst = append(dst, int64(in.id))
				continue
			}
			w := t.words(normal[in.start:in.end], part.start == 0 && in.start == 0, s)
			for _, sp := range w.spans {
				if limit >= 0 && !t.cutLeft && len(dst)-from > limit {
					return dst
				}
				dst = t.model.encode(dst, w.text[sp.start:sp.end], &s.lattice)
			}
		}
	}
	return dst
}

// What replacements may make of a text: maxGrowth times its bytes and minRoom
// more. Unicode's tables stay far below; what a strange file makes is cut.
const (
	maxGrowth = 64
	minRoom   = 1 << 16
)

// within cuts a text to n bytes, at a character.
func within(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}

// words cuts a text into words; they are valid until the next call.
func (t *Tokenizer) words(text []byte, first bool, s *scratch) *words {
	in, out := &s.words, &s.cut
	in.text = append(in.text[:0], text...)
	in.spans = append(in.spans[:0], span{0, len(text), first})
	for _, p := range t.splitters {
		p.cut(out, in)
		in, out = out, in
	}
	return in
}

// appendValid is bytes.ToValidUTF8 into room that is there already.
func appendValid(dst, src []byte) []byte {
	bad := false
	for len(src) > 0 {
		r, n := utf8.DecodeRune(src)
		if r == utf8.RuneError && n == 1 {
			if !bad {
				dst = append(dst, "\uFFFD"...)
			}
			bad = true
		} else {
			dst = append(dst, src[:n]...)
			bad = false
		}
		src = src[n:]
	}
	return dst
}
