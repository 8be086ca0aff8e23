package onion

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/dedup"
	"chaffinch/dedup/shingle"
	"chaffinch/input/records"
	"chaffinch/internal/swar"

	"github.com/zeebo/xxh3"
)

// text holds the tokens and units of the current document.
type text struct {
	cfg    *Config
	s      *shingle.Shingler
	tokens []uint64
	spans  []shingle.Span
	units  []span
	grams  []uint64 // a buffer
}

// span is a unit: its tokens [start, end) in the document, and its key as template
// text, 0 if it has none.
type span struct {
	start, end int32
	num        int32
	key        uint64
}

// maxTokens limits the tokens of a document that are read.
const maxTokens = 1<<31 - 1<<20

func newText(cfg *Config) *text {
	t := cfg.Tokens
	t.N = cfg.Ngram
	x := &text{cfg: cfg, s: shingle.New(t)}
	return x
}

// read reads a document.
func (t *text) read(d *records.Doc) {
	t.tokens, t.units = t.tokens[:0], t.units[:0]
	host := uint64(0)
	if t.cfg.Template > 0 {
		host = hostOf(d.URL)
	}
	for i := range d.Paras {
		if len(t.tokens) > maxTokens {
			break
		}
		start := len(t.tokens)
		u := span{start: int32(start), num: int32(i)}
		p := d.Paras[i].Text
		if host != 0 {
			t.tokens, t.spans = t.s.Spans(t.tokens, t.spans[:0], p, d.Tokenized)
			u.key = t.key(host, t.tokens[start:], p)
		} else {
			t.tokens = t.s.Tokens(t.tokens, p, d.Tokenized)
		}
		u.end = int32(len(t.tokens))
		t.units = append(t.units, u)
	}
	if t.cfg.Unit == Document && len(t.units) > 0 {
		t.units = append(t.units[:0], span{end: int32(len(t.tokens)), num: dedup.Whole})
	}
}

// The seeds that separate the kinds of hashes.
const (
	keyBase   = 0xd6e8feb86659fd93
	keyNumber = 0xa0761d6478bd642f
	keyShort  = 0x8ebc6af09c88c6e3
)

// key returns the hash of a paragraph as template text of a host. All tokens that contain an ASCII
// digit or begin with any other digit count as equal.
func (t *text) key(host uint64, tokens []uint64, p []byte) uint64 {
	if len(tokens) == 0 {
		return 0
	}
	h, digit := host, 0 // digit is the position of the next ASCII digit, or before the token
	for i, x := range tokens {
		s := t.spans[i]
		if digit <= s.Start {
			digit = nextDigit(p, s.Start)
		}
		if digit < s.End || s.Start < s.End && p[s.Start] >= utf8.RuneSelf && beginsWithDigit(p[s.Start:s.End]) {
			x = keyNumber
		}
		h = bits.RotateLeft64(h*keyBase, 29) ^ x
	}
	hi, lo := bits.Mul64(h^keyNumber, keyBase)
	return max(hi^lo, 1)
}

// nextDigit returns the position of the first ASCII digit of text from i on, or the length of text.
func nextDigit(text []byte, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if digits := swar.Within(binary.LittleEndian.Uint64(text[i:]), '0', '9'); digits != 0 {
			return i + bits.TrailingZeros64(digits)/8
		}
	}
	for ; i < len(text); i++ {
		if c := text[i]; '0' <= c && c <= '9' {
			return i
		}
	}
	return i
}

// beginsWithDigit reports whether a token begins with a digit.
func beginsWithDigit(token []byte) bool {
	r, _ := utf8.DecodeRune(token)
	return unicode.IsDigit(r)
}

// hostOf returns the hash of the host of an address, without port and www, 0 if there
// is no host.
func hostOf(url string) uint64 {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return 0
	}
	if i := strings.IndexAny(rest, `/?#\`); i >= 0 {
		rest = rest[:i]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if i := strings.LastIndexByte(rest, ':'); i >= 0 && !strings.HasSuffix(rest, "]") {
		rest = rest[:i]
	}
	rest = strings.TrimPrefix(strings.TrimSuffix(strings.ToLower(rest), "."), "www.")
	if rest == "" {
		return 0
	}
	return max(xxh3.HashString(rest), 1)
}

// sketch is the sketch of a document.
type sketch struct {
	units []span
	grams []uint64 // hashes of n-grams
	short bool     // each n-gram belongs to a non-empty unit, see [text.sketch]
}

// sketch returns the sketch of the current document. Its units are valid until the next document, its
// n-grams are appended to dst. A document with fewer than n tokens has one n-gram for each paragraph:
// the hash of the whole document and of the position in it. So short documents are compared as wholes.
func (t *text) sketch(dst []uint64) sketch {
	n := t.cfg.Ngram
	s := sketch{units: t.units, grams: dst}
	if len(t.tokens) >= n {
		s.grams = shingle.NGrams(dst, t.tokens, n)
	} else if !t.cfg.Compat && len(t.tokens) > 0 {
		s.short = true
		whole := shingle.NGrams(dst, t.tokens, len(t.tokens))[len(dst)] ^ uint64(len(t.tokens))*keyShort
		for _, u := range t.units {
			if u.end > u.start {
				s.grams = append(s.grams, whole+uint64(u.end)*keyBase)
			}
		}
	}
	s.grams = s.grams[len(dst):]
	return s
}

// each calls fn for the n-grams of n tokens and the template text, in order, with hash, position of the
// last token, and flags.
func (s *sketch) each(n int, fn func(hash uint64, end int32, flags uint8)) {
	grams, next := s.grams, n-1 // the remaining n-grams, and the position of the next one
	for i := range s.units {
		u := &s.units[i]
		if !s.short {
			for ; next < int(u.end); next++ {
				fn(grams[0], int32(next), 0)
				grams = grams[1:]
			}
		} else if u.end > u.start {
			fn(grams[0], u.end-1, 0)
			grams = grams[1:]
		}
		if u.key != 0 {
			fn(u.key, u.end-1, template)
		}
	}
}

// The tables that a sketch fills.
const (
	gramTable = iota // hash 8, document 5, place of the last token 4 (top bit: template)
	unitTable        // zero, document 5, unit 4 (+1), first token 4, tokens 4
)

const (
	gramRecord  = 8 + dedup.DocBytes + 4
	unitRecord  = 1 + dedup.DocBytes + dedup.ParaBytes + 8
	templateBit = 1 << 31
)

// sketcher implements [dedup.Holder].
type sketcher struct {
	*text
	held
}

// Sketch emits the n-grams and the units of a document.
func (s *sketcher) Sketch(d *records.Doc, num int64, emit func(table int) []byte) {
	s.read(d)
	x := s.sketch(s.grams[:0])
	s.grams = x.grams
	x.emit(s.cfg.Ngram, num, emit)
}

// emit emits the n-grams of n tokens and the units of document num.
func (s *sketch) emit(n int, num int64, emit func(table int) []byte) {
	s.each(n, func(hash uint64, end int32, flags uint8) {
		b := emit(gramTable)
		binary.BigEndian.PutUint64(b, hash)
		dedup.PutDoc(b[8:], num)
		e := uint32(end)
		if flags&template != 0 {
			e |= templateBit
		}
		binary.BigEndian.PutUint32(b[13:], e)
	})
	for _, u := range s.units {
		b := emit(unitTable)
		b[0] = 0
		dedup.PutDoc(b[1:], num)
		binary.BigEndian.PutUint32(b[6:], uint32(u.num+1))
		binary.BigEndian.PutUint32(b[10:], uint32(u.start))
		binary.BigEndian.PutUint32(b[14:], uint32(u.end-u.start))
	}
}
