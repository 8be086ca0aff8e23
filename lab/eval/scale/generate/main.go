// Command generate writes a large vertical with the statistics of a small one: words follow
// words as in the source, and new words appear at the rate of a growing corpus.
//
//	generate [-tokens N] [-seed N] SOURCE.vert | chaffinch corpus index -o DIR -
//
// The text is a walk through the source. After each token, the walk continues at the next token,
// or, with a probability, after another occurrence of the last two tokens. Phrases of the source
// therefore occur with their frequencies. Words that the source has once are replaced by words of
// a Simon process, half of which are new. The output is the same for the same source and seed.
package main

import (
	"bufio"
	"cmp"
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
	tokens := flag.Int64("tokens", 1e6, "number of tokens")
	seed := flag.Uint64("seed", 1, "seed of the random numbers")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), os.Stdout, *tokens, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(source string, to io.Writer, tokens int64, seed uint64) error {
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
	g := generator{source: s, r: rand.New(rand.NewPCG(seed, 0)), w: w}
	g.write(tokens)
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
	r     *rand.Rand
	w     *bufio.Writer
	pairs [][2]uint32 // words whose halves make each new word
	drawn []uint32    // new words in the order in which they were written
}

// Documents have a lognormal length with this mean of logarithms and deviation. jump is the
// probability to continue elsewhere.
const (
	logLength, deviation = 6.0, 1.0
	jump                 = 0.3
	sites                = 200_000
)

var registers = []string{"news", "blog", "forum", "shop", "encyclopedia", "legal"}

func (g *generator) write(tokens int64) {
	site := rand.NewZipf(g.r, 1.1, 3, sites-1)
	at := uint32(0)
	for doc, n := 0, int64(0); n < tokens; doc++ {
		s := site.Uint64()
		fmt.Fprintf(g.w, "<doc id=\"d%d\" url=\"https://site%d.example/%d\" site=\"site%d.example\" year=\"%d\" register=\"%s\">\n", doc, s, doc, s, 2000+g.r.IntN(25), registers[s%uint64(len(registers))])
		for at = g.r.Uint32N(uint32(len(g.at))); g.at[at] != end; at = (at + 1) % uint32(len(g.at)) {
		}
		length := int64(math.Exp(logLength + deviation*g.r.NormFloat64()))
		for most := min(n+max(length, 5), tokens); n < most; {
			at = g.sentence(at, &n)
		}
		g.w.WriteString("</doc>\n")
	}
}

// sentence writes the sentence after the token at, and returns its last token.
func (g *generator) sentence(at uint32, n *int64) uint32 {
	g.w.WriteString("<s>\n")
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
		if g.glue[at] && !first {
			g.w.WriteString("<g/>\n")
		}
		if g.freq[id] == 1 {
			g.rare()
		} else {
			g.w.WriteString(g.words[id])
		}
		g.w.WriteByte('\n')
		*n++
	}
	g.w.WriteString("</s>\n")
	return at
}

// rare writes a rare word: an earlier one or a new one, with equal probability. A new word has
// the halves of two words of the source.
func (g *generator) rare() {
	var k uint32
	if len(g.drawn) > 0 && g.r.Uint32()&1 == 0 {
		k = g.drawn[g.r.IntN(len(g.drawn))]
	} else {
		k = uint32(len(g.pairs))
		g.pairs = append(g.pairs, [2]uint32{g.once[g.r.IntN(len(g.once))], g.once[g.r.IntN(len(g.once))]})
	}
	g.drawn = append(g.drawn, k)
	a, b := []rune(g.words[g.pairs[k][0]]), []rune(g.words[g.pairs[k][1]])
	g.w.WriteString(string(a[:(len(a)+1)/2]))
	g.w.WriteString(string(b[len(b)/2:]))
}
