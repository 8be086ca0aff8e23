package lm

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
)

// WriteARPA writes the model in ARPA format, a text format that other programs read. Numbers
// are the shortest decimals that yield the same float32.
//
// The format does not support unsmoothed models. For a model of kind MLE every back-off weight
// is written as -99, so that unseen n-grams get a probability close to zero.
func (m *Model) WriteARPA(out io.Writer) error {
	w := bufio.NewWriterSize(out, 1<<16)
	fmt.Fprintln(w, `\data\`)
	for k, n := range m.meta.Ngrams {
		fmt.Fprintf(w, "ngram %d=%d\n", k+1, n)
	}
	for k := range m.levels {
		fmt.Fprintf(w, "\n\\%d-grams:\n", k+1)
		a := arpaWriter{m: m, w: w, depth: k}
		for id := range uint64(m.Vocab.n) {
			a.words[0] = uint32(id)
			if err := a.walk(0, id); err != nil {
				return err
			}
		}
	}
	fmt.Fprint(w, "\n\\end\\\n")
	return w.Flush()
}

type arpaWriter struct {
	m     *Model
	w     *bufio.Writer
	depth int
	words [MaxOrder]uint32 // the last word first
	buf   []byte
}

// walk writes the n-grams at depth below the record i of level k.
func (a *arpaWriter) walk(k int, i uint64) error {
	l := &a.m.levels[k]
	if k == a.depth {
		return a.write(l, i)
	}
	below := &a.m.levels[k+1]
	from, to := l.children(i, below.n)
	for ; from < to; from++ {
		a.words[k+1] = unscramble(below.key(from), below.keyLen)
		if err := a.walk(k+1, from); err != nil {
			return err
		}
	}
	return nil
}

func (a *arpaWriter) write(l *level, i uint64) error {
	p, bow := float32(0), float32(0)
	inner := a.depth < len(a.m.levels)-1
	if a.m.meta.Estimator == MLE {
		p, bow = a.mle(l, i), -99
	} else {
		p = l.prob(i)
		if inner {
			bow = l.backoff(i)
		}
	}
	b := appendLog(a.buf[:0], p)
	for j := a.depth; j >= 0; j-- {
		b = append(b, "\t "[min(1, a.depth-j)])
		b = append(b, a.m.Vocab.Word(a.words[j])...)
	}
	if inner {
		b = appendLog(append(b, '\t'), bow)
	}
	a.buf = append(b, '\n')
	_, err := a.w.Write(a.buf)
	return err
}

// mle returns the log10 of the count of record i divided by the count of its context.
func (a *arpaWriter) mle(l *level, i uint64) float32 {
	context := a.m.meta.Total
	if k := a.depth; k > 0 {
		context, _ = a.m.count(a.words[1], a.words[2:k+1])
	}
	n := l.raw(i)
	switch {
	case n == 0 || context == 0:
		return -99
	case a.depth == 0 && a.words[0] == Begin:
		return -99 // given, never predicted
	}
	return float32(min(0, math.Log10(float64(n)/float64(context))))
}

func appendLog(b []byte, x float32) []byte {
	return strconv.AppendFloat(b, float64(x), 'g', -1, 32)
}
