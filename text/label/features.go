package label

import (
	"math/bits"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
)

// Block is a group of features. The values of each block of a document have length 1.
type Block uint8

// The blocks.
const (
	Words  Block = iota // words, pairs of words
	Chars               // beginnings and endings of words
	Shapes              // lengths, forms and marks of up to four words in a row
	Frames              // pairs and triples of short words and of the endings of longer words
	Facts               // facts about the page
	Layout              // statistics
	Blocks              // number of blocks
)

const (
	windowWords = 512
	// maxBytes is the length of a text that is read completely. A longer text is read at
	// spreadWindows places.
	maxBytes      = 24 << 10
	spreadWindows = 8
)

// Seeds that separate the hashes of different kinds of n-grams.
const (
	seedWord   = 0x9e3779b9
	seedPair   = 0x85ebca6b
	seedShape  = 0x7feb352d
	seedShape2 = 0x846ca68b
	seedShape3 = 0x1b873593
	seedShape4 = 0xcc9e2d51
	seedFrame  = 0xc2b2ae35
	seedFrame3 = 0x27d4eb2f
	seedStart  = 0x165667b1
	seedEnd    = 0x2545f491
	seedFact   = 0x6c8e9cf5
)

// mix combines two hashes; the order matters.
func mix(a, b uint32) uint32 {
	h := (a ^ bits.RotateLeft32(b, 17)) * 0x2c1b3c6d
	return (h ^ h>>13) * 0x297a2d39
}

// finish spreads the information of a hash over all its bits.
func finish(h uint32) uint32 {
	h = (h ^ h>>16) * 0x85ebca6b
	return h ^ h>>13
}

// Features extracts the features of documents, one after the other. It is not safe for
// concurrent use. Unstable: features may change in any release.
type Features struct {
	words   []word // of all windows
	weights []int  // number of words of each window
	count   int    // number of words
	grams   [Layout][]uint32
	window  statistics
	stats   []float32
}

// NewFeatures returns a Features.
func NewFeatures() *Features { return &Features{words: make([]word, 0, windowWords)} }

// Read extracts the features of a document, in blocks with a scale above 0.
//
// A text of up to 24 KiB is read completely, in windows of 512 words. A longer text is
// represented by eight windows at equal distances.
func (f *Features) Read(d Doc, cfg *Config) {
	f.begin(d.Text, cfg.Flat)
	for b, scale := range cfg.Scales {
		if scale > 0 {
			f.find(d, Block(b))
		}
	}
}

// begin reads the words of a text. The document has no features before the calls of find.
func (f *Features) begin(text string, flat bool) {
	for b := range f.grams {
		f.grams[b] = f.grams[b][:0]
	}
	f.words, f.weights, f.stats = f.words[:0], f.weights[:0], f.stats[:0]
	if len(text) <= maxBytes {
		for at := 0; at < len(text); {
			at = f.readWindow(text, at, flat)
		}
	} else {
		for i := range spreadWindows {
			f.readWindow(text, wordStart(text, i*(len(text)/spreadWindows)), flat)
		}
	}
	f.count = len(f.words)
}

// readWindow reads the window that begins at a position, unless it is empty. It returns the
// position after it.
func (f *Features) readWindow(text string, at int, flat bool) int {
	before := len(f.words)
	f.words, at = scan(text, at, f.words, flat)
	if n := len(f.words) - before; n > 0 {
		f.weights = append(f.weights, n)
	}
	return at
}

// windows calls yield with the words of each window.
func (f *Features) windows(yield func([]word) bool) {
	rest := f.words
	for _, n := range f.weights {
		if !yield(rest[:n]) {
			return
		}
		rest = rest[n:]
	}
}

// find extracts the features of a block. d is the document of the last call of begin.
func (f *Features) find(d Doc, b Block) {
	if b == Facts {
		for _, fact := range d.Facts {
			h := uint32(seedFact)
			for i := range len(fact) {
				h = (h ^ uint32(fact[i])) * hashPrime
			}
			f.grams[Facts] = append(f.grams[Facts], finish(h))
		}
		return
	}
	for words := range f.windows {
		switch b {
		case Words:
			f.grams[b] = appendWords(f.grams[b], words)
		case Chars:
			f.grams[b] = appendChars(f.grams[b], d.Text, words)
		case Shapes:
			f.grams[b] = appendShapes(f.grams[b], words)
		case Frames:
			f.grams[b] = appendFrames(f.grams[b], words)
		case Layout:
			f.window.find(words)
			f.stats = append(f.stats, f.window.out[:]...)
		}
	}
}

// Grams returns the hashes of the n-grams of a block below [Layout], as often as they occur. They
// are valid until the next call of Read.
func (f *Features) Grams(b Block) []uint32 { return f.grams[b] }

// Windows returns the number of words of each window, and [Stats] statistics of each. They are
// valid until the next call of Read.
func (f *Features) Windows() (words []int, stats []float32) { return f.weights, f.stats }

// wordStart returns the position of the first space at or after a position, if it is near.
func wordStart(text string, at int) int {
	const near = 64
	for i := at; i < len(text) && i < at+near; i++ {
		if text[i] == ' ' || text[i] == '\n' {
			return i
		}
	}
	for at < len(text) && text[at]&0xc0 == 0x80 {
		at++
	}
	return at
}

// shape returns the shape of a word: length, form, and the following mark.
func (w *word) shape() uint32 {
	return uint32(min(w.chars, 12)) | uint32(w.form)<<4 | uint32(w.gap)<<8
}

// appendWords appends words and pairs of words.
func appendWords(dst []uint32, words []word) []uint32 {
	var before uint32
	for i := range words {
		h := words[i].hash
		dst = append(dst, finish(mix(seedWord, h)), finish(mix(mix(seedPair, before), h)))
		before = h
	}
	return dst
}

// appendShapes appends n-grams of shapes of up to four words.
func appendShapes(dst []uint32, words []word) []uint32 {
	var s1, s2, s3 uint32
	for i := range words {
		s := words[i].shape()
		h2 := mix(s, s1+seedShape2)
		h3 := mix(seedShape3, h2)
		dst = append(dst, finish(mix(seedShape, s)), finish(h2), finish(mix(h3, s2)), finish(mix(mix(mix(seedShape4, h2), s2), s3)))
		s3, s2, s1 = s2, s1, s
	}
	return dst
}

// frame returns a hash of a word as part of a sentence frame: short words completely, longer words
// by their last two characters, with the following mark. Frames model whether the order of words
// is plausible, regardless of topic.
func (w *word) frame() uint32 {
	h := w.hash
	switch {
	case w.form == formNumber:
		h = 0x0a11d161
	case w.form == formTitle && w.chars > 4:
		h = 0x71713cae
	case w.chars > 4:
		h = w.tail*hashPrime + 0x5bd1e995
	}
	return h + uint32(w.gap)*0x3c6ef372
}

// appendFrames appends pairs and triples of frames.
func appendFrames(dst []uint32, words []word) []uint32 {
	var f1, f2 uint32
	for i := range words {
		f := words[i].frame()
		dst = append(dst, finish(mix(mix(seedFrame, f1), f)), finish(mix(mix(mix(seedFrame3, f2), f1), f)))
		f2, f1 = f1, f
	}
	return dst
}

// The lengths of the beginning and the ending of a word, in characters. The beginning includes the
// boundary of a short word.
const startChars, endChars = 5, 3

// maxChars is the number of characters at which a word is cut.
const maxChars = 60

// appendChars appends the beginning and the ending of each word.
func appendChars(dst []uint32, text string, words []word) []uint32 {
	var buf [maxChars + 2]uint32
	for i := range words {
		w := &words[i]
		n := 0
		for at := w.start; at < w.end && n < maxChars; n++ {
			if c := text[at]; c < utf8.RuneSelf {
				buf[n] = uint32(letters[c] & 0x7f)
				at++
			} else {
				r, size := runes.Decode(text[at:])
				buf[n] = uint32(chars.At(r).lower)
				at += size
			}
		}
		if n < 2 {
			continue
		}
		buf[n] = 0 // boundary
		h := uint32(seedStart)
		for _, c := range buf[:min(n+1, startChars)] {
			h = (h ^ c) * hashPrime
			h ^= h >> 15
		}
		dst = append(dst, finish(h))
		h = seedEnd
		for _, c := range buf[max(0, n-endChars):n] {
			h = (h ^ c) * hashPrime
			h ^= h >> 15
		}
		dst = append(dst, finish(h))
	}
	return dst
}

// URLFacts returns facts about an address: the words of its host and its path.
func URLFacts(address string) (facts []string) {
	_, rest, found := strings.Cut(address, "://")
	if !found {
		rest = address
	}
	rest = strings.ToLower(rest)
	host, path, _ := strings.Cut(rest, "/")
	for part := range strings.SplitSeq(host, ".") {
		facts = append(facts, "host "+part)
	}
	for _, w := range strings.FieldsFunc(path, func(r rune) bool { return !unicode.IsLetter(r) }) {
		facts = append(facts, "path "+w)
	}
	return append(facts, "depth "+strconv.Itoa(strings.Count(strings.TrimSuffix(path, "/"), "/")))
}
