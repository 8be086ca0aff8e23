package main

import (
	"bufio"
	"io"
	"math/rand/v2"
	"strconv"
)

// Constants of collections without a source: a vocabulary with Zipf's distribution, and the words of a
// sentence.
const (
	zipfWords    = 1 << 21
	zipfExponent = 1.15
	sentenceLen  = 12
)

// frequentWords are the most frequent words of the vocabulary.
var frequentWords = []string{"the", "of", "and", "to", "in", "a", "that", "is", "with", "for", "have", "be", "was", "on", "as", "it"}

// zipf writes documents of words that are drawn from a vocabulary, independently of each other.
// Memory does not depend on the number of documents.
type zipf struct {
	config
	r     *rand.Rand
	words *rand.Zipf
	w     *bufio.Writer
	doc   []uint64   // words of the current document
	last  [][]uint64 // words of the last documents
	buf   []byte
}

// writeZipf writes a collection without a source.
func writeZipf(to io.Writer, c config) error {
	r := rand.New(rand.NewPCG(c.seed, 0))
	z := &zipf{config: c, r: r, words: rand.NewZipf(r, zipfExponent, 3, zipfWords-1), w: bufio.NewWriterSize(to, 1<<20)}
	for doc, n := int64(0), int64(0); n < c.tokens && doc < c.docs; doc++ {
		z.draw()
		n += int64(len(z.doc))
		z.write(doc)
		if _, err := z.w.Write(z.buf); err != nil {
			return err
		}
	}
	return z.w.Flush()
}

// draw chooses the words of a document: new ones, or the words of one of the last documents, of which
// one in ten is replaced in every other copy.
func (z *zipf) draw() {
	if len(z.last) > 0 && z.r.Float64() < z.copies {
		z.doc = append(z.doc[:0], z.last[z.r.IntN(len(z.last))]...)
		if z.r.Uint32()&1 == 0 {
			for i := 9; i < len(z.doc); i += 10 {
				z.doc[i] = z.words.Uint64()
			}
		}
		return
	}
	z.doc = z.doc[:0]
	for range max(1, int(z.length/2)+z.r.IntN(int(z.length)+1)) {
		z.doc = append(z.doc, z.words.Uint64())
	}
	if z.copies == 0 {
		return
	}
	if len(z.last) < recent {
		z.last = append(z.last, append([]uint64(nil), z.doc...))
	} else {
		i := z.r.IntN(recent)
		z.last[i] = append(z.last[i][:0], z.doc...)
	}
}

// write sets buf to the document.
func (z *zipf) write(doc int64) {
	id := strconv.AppendInt(nil, doc, 10)
	b := z.buf[:0]
	if z.jsonl {
		b = append(append(b, `{"id":"d`...), id...)
		b = append(append(b, `","url":"https://site`...), id[:min(len(id), 4)]...)
		b = append(append(b, `.example/`...), id...)
		b = append(b, `","text":"`...)
	} else {
		b = append(append(append(b, `<doc id="d`...), id...), "\">\n"...)
	}
	for i, w := range z.doc {
		end := i == len(z.doc)-1 || i%sentenceLen == sentenceLen-1
		switch {
		case z.jsonl && i > 0:
			b = append(b, ' ')
		case !z.jsonl && i%sentenceLen == 0:
			b = append(b, "<s>\n"...)
		}
		b = appendWord(b, w)
		switch {
		case z.jsonl && end:
			b = append(b, '.')
		case !z.jsonl:
			b = append(b, '\n')
			if end {
				b = append(b, "<g/>\n.\n</s>\n"...)
			}
		}
	}
	if z.jsonl {
		b = append(b, "\"}\n"...)
	} else {
		b = append(b, "</doc>\n"...)
	}
	z.buf = b
}

// appendWord appends word n of the vocabulary: syllables of a consonant and a vowel, but for the most
// frequent words.
func appendWord(b []byte, n uint64) []byte {
	if n < uint64(len(frequentWords)) {
		return append(b, frequentWords[n]...)
	}
	const consonants, vowels = "bdfghklmnprstvwz", "aeiou"
	for n += 80; n > 0; n /= 80 {
		s := n % 80
		b = append(b, consonants[s/5], vowels[s%5])
	}
	return b
}
