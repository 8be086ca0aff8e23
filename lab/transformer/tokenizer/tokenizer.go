// Package tokenizer divides text into the pieces of a language model, as described by a
// tokenizer.json of Hugging Face's tokenizers library: added tokens, normalization, words, a
// unigram model (Kudo 2018), and special tokens around the pieces. [Load] reads the file and
// [Tokenizer.Encode] tokenizes. It supports the features that XLM-R and related models use. Other
// models (BPE, WordPiece) are rejected.
package tokenizer

import (
	"sync"
	"unicode/utf8"
)

// Tokenizer converts texts to piece ids. It is safe for concurrent use.
type Tokenizer struct {
	model       *unigram
	raw         *addedTokens // found before normalization
	normalized  *addedTokens // found after normalization
	normalizers []normalizer
	splitters   []pretokenizer
	before      []int64 // special tokens before the pieces
	behind      []int64 // and after them
	names       []string
	maxLength   int // 0 for no limit
	cutLeft     bool
	pad         int64
	pool        sync.Pool // of *scratch
}

// scratch holds the buffers of a call of Encode.
type scratch struct {
	text, other []byte // a section before and after a normalizer
	valid       []byte
	sections    []section
	inner       []section
	words       words
	cut         words
	lattice     lattice
}

// Size returns the number of ids: all are below it.
func (t *Tokenizer) Size() int { return len(t.names) }

// Piece returns the text of an id, "" if there is no such piece.
func (t *Tokenizer) Piece(id int64) string {
	if id < 0 || id >= int64(len(t.names)) {
		return ""
	}
	return t.names[id]
}

// Pad returns the id for padding shorter sequences of a batch.
func (t *Tokenizer) Pad() int64 { return t.pad }

// MaxLength returns the maximum number of ids of a text including special tokens; 0 means no limit.
func (t *Tokenizer) MaxLength() int { return t.maxLength }

// SetMaxLength changes [Tokenizer.MaxLength]. It must not be called during encoding. A limit below
// the number of special tokens removes all pieces.
func (t *Tokenizer) SetMaxLength(n int) { t.maxLength = n }

// Encode appends the ids of text to dst, with the special tokens around them. Each run of invalid
// UTF-8 is replaced with U+FFFD.
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

// pieces appends the ids of the pieces of text. It stops early after limit ids from dst[from],
// since later ids would be truncated.
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

// The maximum size of a text after replacements: maxGrowth times its size plus minRoom bytes.
// Unicode's tables stay far below; longer results of unusual files are truncated.
const (
	maxGrowth = 64
	minRoom   = 1 << 16
)

// within truncates a text to n bytes at a character boundary.
func within(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}

// words divides a text into words. They are valid until the next call.
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

// appendValid is bytes.ToValidUTF8 with an existing buffer.
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
