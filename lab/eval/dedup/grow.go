package dedup

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"math/rand/v2"
	"strings"
)

// Growth configures [Grow].
type Growth struct {
	// Bytes is the size of the collection in bytes.
	Bytes int64
	// Vertical selects a vertical, one word or punctuation mark per line. Default: JSONL.
	Vertical bool
	// Seed seeds the random numbers.
	Seed uint64
}

// A grown collection consists of documents of about 500 words in paragraphs of about 60, on hosts
// with templates. A fraction are copies of recent documents, unchanged or with one word in twenty
// changed.
const (
	meanWords   = 500
	meanPara    = 60
	exactShare  = .1
	editedShare = .1
	lastDocs    = 5000
	hosts       = 2000
)

// chain generates text as a Markov chain of words of the texts that it was built from. Pairs of
// words are as frequent as in these texts, and longer n-grams hardly ever repeat.
type chain struct {
	words []piece // distinct words
	text  []int32 // the texts as indexes of words
	first []int32 // by word: the start of its positions in place; one more at the end
	place []int32 // positions in text, by word
}

func newChain(all []*base) *chain {
	c := &chain{}
	number := map[piece]int32{}
	for _, b := range all {
		for _, p := range b.paras {
			ps := pieces(p)
			if len(ps) > 0 {
				ps[len(ps)-1].gap += " "
			}
			for _, w := range ps {
				w.word, w.gap = strings.Clone(w.word), strings.Clone(w.gap)
				n, ok := number[w]
				if !ok {
					n = int32(len(number))
					number[w] = n
					c.words = append(c.words, w)
				}
				c.text = append(c.text, n)
			}
		}
	}
	c.first = make([]int32, len(c.words)+1)
	for _, n := range c.text {
		c.first[n+1]++
	}
	for i := range c.words {
		c.first[i+1] += c.first[i]
	}
	c.place = make([]int32, len(c.text))
	at := append([]int32(nil), c.first...)
	for i, n := range c.text {
		c.place[at[n]] = int32(i)
		at[n]++
	}
	return c
}

// run appends n words of text to dst.
func (c *chain) run(r *rand.Rand, dst []int32, n int) []int32 {
	at := r.IntN(len(c.text))
	for range n {
		w := c.text[at]
		dst = append(dst, w)
		from, to := c.first[w], c.first[w+1]
		at = int(c.place[int(from)+r.IntN(int(to-from))]+1) % len(c.text)
	}
	return dst
}

// grown is a document of a grown collection: its words and the ends of its paragraphs.
type grown struct {
	words []int32
	ends  []int
}

// document returns a new document.
func (c *chain) document(r *rand.Rand) grown {
	var d grown
	n := int(meanWords * math.Exp(float64(.7*r.NormFloat64())-.7*.7/2))
	for n = max(20, min(n, 20000)); len(d.words) < n; {
		d.words = c.run(r, d.words, min(n-len(d.words), 5+int(meanPara*r.ExpFloat64())))
		d.ends = append(d.ends, len(d.words))
	}
	return d
}

// Grow writes a collection with copies, the same for the same data and configuration, and returns
// its numbers of documents and words.
func Grow(ctx context.Context, w io.Writer, data string, cfg Config, g Growth) (docs, words int64, err error) {
	all, err := bases(ctx, data, cfg)
	if err != nil {
		return 0, 0, err
	}
	if len(all) == 0 {
		return 0, 0, errors.New("no text to grow a collection from")
	}
	c, r := newChain(all), rand.New(rand.NewPCG(g.Seed, 2))
	frames := make([][]int32, hosts)
	for i := range frames {
		frames[i] = c.run(r, nil, 10+r.IntN(60))
	}
	var last []grown
	out := &grower{b: bufio.NewWriterSize(w, 1<<20), c: c, vertical: g.Vertical}
	for out.bytes < g.Bytes {
		if docs%1000 == 0 && ctx.Err() != nil {
			return docs, words, ctx.Err()
		}
		var d grown
		switch p := r.Float64(); {
		case p < exactShare && len(last) > 0:
			d = last[r.IntN(len(last))]
		case p < exactShare+editedShare && len(last) > 0:
			old := last[r.IntN(len(last))]
			d = grown{append([]int32(nil), old.words...), old.ends}
			for range len(d.words) / 20 {
				d.words[r.IntN(len(d.words))] = int32(r.IntN(len(c.words)))
			}
		default:
			d = c.document(r)
		}
		if len(last) < lastDocs {
			last = append(last, d)
		} else {
			last[r.IntN(lastDocs)] = d
		}
		// Squared, so that some hosts have many pages.
		host := int(hosts * math.Pow(r.Float64(), 2))
		if err := out.write(docs, r.Uint64(), host, frames[host], d); err != nil {
			return docs, words, err
		}
		docs++
		words += int64(len(d.words) + len(frames[host]))
	}
	return docs, words, out.b.Flush()
}

// grower writes grown documents.
type grower struct {
	b        *bufio.Writer
	c        *chain
	vertical bool
	bytes    int64
	text     strings.Builder
}

func (o *grower) write(n int64, id uint64, host int, frame []int32, d grown) error {
	url := fmt.Sprintf("https://host%d.example/%d", host, n)
	name := fmt.Sprintf("%016x", id)
	o.text.Reset()
	o.paragraph(frame)
	from := 0
	for _, end := range d.ends {
		o.paragraph(d.words[from:end])
		from = end
	}
	var line string
	if o.vertical {
		line = fmt.Sprintf("<doc id=\"%s\" url=\"%s\">\n%s</doc>\n", name, url, o.text.String())
	} else {
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		err := e.Encode(record{ID: name, URL: url, Date: fmt.Sprintf("2024-%02d-%02d", 1+id%12, 1+id%28), Lang: "en", Text: strings.TrimSuffix(o.text.String(), "\n")})
		if err != nil {
			return err
		}
		line = b.String()
	}
	o.bytes += int64(len(line))
	_, err := o.b.WriteString(line)
	return err
}

// paragraph appends a paragraph to the text.
func (o *grower) paragraph(words []int32) {
	if !o.vertical {
		for _, w := range words {
			o.text.WriteString(o.c.words[w].word)
			o.text.WriteString(o.c.words[w].gap)
		}
		o.text.WriteByte('\n')
		return
	}
	o.text.WriteString("<p>\n")
	for _, w := range words {
		p := o.c.words[w]
		if p.word != "" {
			o.text.WriteString(html.EscapeString(p.word))
			o.text.WriteByte('\n')
		}
		for _, mark := range strings.Fields(p.gap) {
			o.text.WriteString(html.EscapeString(mark))
			o.text.WriteByte('\n')
		}
	}
	o.text.WriteString("</p>\n")
}
