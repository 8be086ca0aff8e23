// Command generate writes a large collection with the statistics of a small one: words follow
// words as in the source, and new words appear at the rate of a growing corpus.
//
//	generate [-tokens N] [-length N] [-seed N] SOURCE.vert | chaffinch corpus index -o DIR -
//	generate -jsonl [-copies X] [-tokens N] [-length N] [-seed N] SOURCE.vert | zstd > docs.jsonl.zst
//
//	generate [-jsonl] [-copies X] [-docs N] [-length N] [-seed N] > docs
//
// Without SOURCE, words are drawn from a vocabulary of two million words by Zipf's law, and half of the
// length is the minimum of a document, one and a half times the length the maximum.
//
// With SOURCE, the text is a walk through the source. After each token, the walk continues at the next token,
// or, with a probability, after another occurrence of the last two tokens. Phrases of the source
// therefore occur with their frequencies. Words that the source has once are replaced by words of
// a Simon process, half of which are new. With -copies, documents of JSON lines repeat one of the
// last documents, half of them with other words. The output is the same for the same source and
// flags.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
)

func main() {
	var c config
	flag.Int64Var(&c.tokens, "tokens", 1e6, "number of tokens")
	flag.Int64Var(&c.docs, "docs", math.MaxInt64, "maximum number of documents")
	flag.Float64Var(&c.length, "length", math.Exp(6), "median number of tokens of a document")
	flag.BoolVar(&c.jsonl, "jsonl", false, "write JSON lines instead of a vertical")
	flag.Float64Var(&c.copies, "copies", 0, "share of copies among the documents, for -jsonl")
	flag.Uint64Var(&c.seed, "seed", 1, "seed of the random numbers")
	flag.Parse()
	if flag.NArg() > 1 || flag.NArg() == 1 && c.copies > 0 && !c.jsonl {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), os.Stdout, c); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// config holds the flags.
type config struct {
	tokens, docs   int64
	length, copies float64
	jsonl          bool
	seed           uint64
}

func run(source string, to io.Writer, c config) error {
	if source == "" {
		return writeZipf(to, c)
	}
	f, err := os.Open(source)
	if err != nil {
		return err
	}
	defer f.Close()
	s, err := read(f)
	if err != nil {
		return err
	}
	if len(s.at) < 1000 {
		return fmt.Errorf("%s: %d tokens, wanted the vertical of a corpus with sentences <s>", source, len(s.at))
	}
	w := bufio.NewWriterSize(to, 1<<20)
	g := generator{source: s, config: c, r: rand.New(rand.NewPCG(c.seed, 0)), w: w}
	g.write()
	return w.Flush()
}

// source is a corpus as numbers.
type source struct {
	words []string
	freq  []int32
	at    []uint32 // word of each token; end ends a sentence
	glue  []bool   // no space before the token
	order []uint32 // tokens sorted by their last two words
	group []uint32 // start in order of the group of each token
	size  []uint32 // size of the group that starts there
	once  []uint32 // words that occur once
}

// end is the number of the end of a sentence.
const end = 0

func read(r io.Reader) (*source, error) {
	s := &source{words: []string{""}, freq: []int32{0}}
	number := map[string]uint32{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	glue := false
	for lines.Scan() {
		line := lines.Text()
		switch {
		case line == "<g/>":
			glue = true
			continue
		case line == "</s>":
			s.add(end, false)
		case strings.HasPrefix(line, "<") && strings.HasSuffix(line, ">") && len(line) > 1:
		case line != "":
			n, ok := number[line]
			if !ok {
				n = uint32(len(s.words))
				line = strings.Clone(line)
				number[line] = n
				s.words, s.freq = append(s.words, line), append(s.freq, 0)
			}
			s.freq[n]++
			s.add(n, glue)
		}
		glue = false
	}
	for n, f := range s.freq {
		if f == 1 {
			s.once = append(s.once, uint32(n))
		}
	}
	s.link()
	return s, lines.Err()
}

func (s *source) add(n uint32, glue bool) {
	if n == end && (len(s.at) == 0 || s.at[len(s.at)-1] == end) {
		return // no empty sentences
	}
	s.at, s.glue = append(s.at, n), append(s.glue, glue)
}

// pair returns the last two words at token i as one number.
func (s *source) pair(i uint32) uint64 {
	p := uint64(s.at[i])
	if i > 0 {
		p |= uint64(s.at[i-1]) << 32
	}
	return p
}

// link groups the tokens by their last two words.
func (s *source) link() {
	s.order, s.group, s.size = make([]uint32, len(s.at)), make([]uint32, len(s.at)), make([]uint32, len(s.at))
	for i := range s.order {
		s.order[i] = uint32(i)
	}
	slices.SortFunc(s.order, func(a, b uint32) int { return cmp.Or(cmp.Compare(s.pair(a), s.pair(b)), cmp.Compare(a, b)) })
	start := 0
	for i, p := range s.order {
		if s.pair(p) != s.pair(s.order[start]) {
			start = i
		}
		s.group[p] = uint32(start)
		s.size[start]++
	}
}

// generator writes documents.
type generator struct {
	*source
	config
	r     *rand.Rand
	w     *bufio.Writer
	text  []byte      // current document of JSON lines
	last  [][]byte    // last documents of JSON lines
	pairs [][2]uint32 // words whose halves make each new word
	drawn []uint32    // new words in the order in which they were written
}

// The lengths of documents have a lognormal distribution with this deviation. jump is the
// probability to continue elsewhere. recent is the number of documents that copies repeat.
const (
	deviation = 1.0
	jump      = 0.3
	sites     = 200_000
	recent    = 4096
)

var registers = []string{"news", "blog", "forum", "shop", "encyclopedia", "legal"}

func (g *generator) write() {
	site := rand.NewZipf(g.r, 1.1, 3, sites-1)
	for doc, n := int64(0), int64(0); n < g.tokens && doc < g.docs; doc++ {
		s := site.Uint64()
		year, register := 2000+g.r.IntN(25), registers[s%uint64(len(registers))]
		if g.jsonl {
			fmt.Fprintf(g.w, `{"id":"d%d","url":"https://site%d.example/%d","site":"site%d.example","year":"%d","register":"%s","lang":"en","text":`, doc, s, doc, s, year, register)
		} else {
			fmt.Fprintf(g.w, "<doc id=\"d%d\" url=\"https://site%d.example/%d\" site=\"site%d.example\" year=\"%d\" register=\"%s\">\n", doc, s, doc, s, year, register)
		}
		if len(g.last) > 0 && g.r.Float64() < g.copies {
			n += g.copy()
		} else {
			g.document(&n)
		}
		if g.jsonl {
			b, err := json.Marshal(string(g.text))
			if err != nil {
				panic(err) // a string
			}
			g.w.Write(b)
			g.w.WriteString("}\n")
		} else {
			g.w.WriteString("</doc>\n")
		}
	}
}

// document writes a new document.
func (g *generator) document(n *int64) {
	g.text = g.text[:0]
	at := g.r.Uint32N(uint32(len(g.at)))
	for g.at[at] != end {
		at = (at + 1) % uint32(len(g.at))
	}
	length := int64(math.Exp(math.Log(g.length) + deviation*g.r.NormFloat64()))
	for most := min(*n+max(length, 5), g.tokens); *n < most; {
		at = g.sentence(at, n)
	}
	if g.copies == 0 {
		return
	}
	if len(g.last) < recent {
		g.last = append(g.last, slices.Clone(g.text))
	} else {
		i := g.r.IntN(recent)
		g.last[i] = append(g.last[i][:0], g.text...)
	}
}

// copy writes one of the last documents, or the document with every tenth word replaced.
// It returns the number of its words.
func (g *generator) copy() int64 {
	g.text = append(g.text[:0], g.last[g.r.IntN(len(g.last))]...)
	words := bytes.Split(g.text, []byte(" "))
	if g.r.Uint32()&1 == 0 {
		for i := 9; i < len(words); i += 10 {
			words[i] = []byte(g.words[g.at[g.r.IntN(len(g.at))]])
		}
		g.text = bytes.Join(words, []byte(" "))
	}
	return int64(len(words))
}

// sentence writes the sentence after the token at, and returns its last token.
func (g *generator) sentence(at uint32, n *int64) uint32 {
	if !g.jsonl {
		g.w.WriteString("<s>\n")
	}
	for first := true; ; first = false {
		if g.r.Float64() < jump {
			start := g.group[at]
			at = g.order[start+g.r.Uint32N(g.size[start])]
		}
		if at++; int(at) == len(g.at) {
			at = 0
		}
		id := g.at[at]
		if id == end && !first {
			break
		}
		if id == end {
			continue
		}
		g.token(id, g.glue[at] && !first)
		*n++
	}
	if !g.jsonl {
		g.w.WriteString("</s>\n")
	}
	return at
}

// token writes a token.
func (g *generator) token(id uint32, glue bool) {
	a, b := g.words[id], ""
	if g.freq[id] == 1 {
		a, b = g.rare()
	}
	if g.jsonl {
		if !glue && len(g.text) > 0 {
			g.text = append(g.text, ' ')
		}
		g.text = append(append(g.text, a...), b...)
		return
	}
	if glue {
		g.w.WriteString("<g/>\n")
	}
	g.w.WriteString(a)
	g.w.WriteString(b)
	g.w.WriteByte('\n')
}

// rare returns the halves of a rare word: an earlier one or a new one, with equal probability. A
// new word has the halves of two words of the source.
func (g *generator) rare() (first, second string) {
	var k uint32
	if len(g.drawn) > 0 && g.r.Uint32()&1 == 0 {
		k = g.drawn[g.r.IntN(len(g.drawn))]
	} else {
		k = uint32(len(g.pairs))
		g.pairs = append(g.pairs, [2]uint32{g.once[g.r.IntN(len(g.once))], g.once[g.r.IntN(len(g.once))]})
	}
	g.drawn = append(g.drawn, k)
	a, b := []rune(g.words[g.pairs[k][0]]), []rune(g.words[g.pairs[k][1]])
	return string(a[:(len(a)+1)/2]), string(b[len(b)/2:])
}
