package lm

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"chaffinch/model"
)

// looksLikeARPA reports whether the file at path may be an ARPA file, plain or compressed, and
// is not a model file.
func looksLikeARPA(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, fmt.Errorf("model: %w", err)
	}
	defer f.Close()
	var b [512]byte
	n, err := io.ReadFull(f, b[:])
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return false, fmt.Errorf("model: %w", err)
	}
	head := b[:n]
	return bytes.HasPrefix(head, gzipMagic) || bytes.HasPrefix(head, zstdMagic) || bytes.Contains(head, []byte(`\data\`)), nil
}

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

func loadARPA(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<16)
	head, _ := in.Peek(4)
	var r io.Reader = in
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", path, err)
		}
		defer z.Close()
		r = z
	case bytes.HasPrefix(head, zstdMagic):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", path, err)
		}
		defer z.Close()
		r = z
	}
	return ReadARPA(path, r, "")
}

// maxLine is the maximum length of a line of an ARPA file in bytes.
const maxLine = 1 << 20

// ReadARPA reads a model in ARPA format into memory; name is used in errors.
//
// The format does not record how text was tokenized. If tokeniser is "", it is [Words] if at
// least 99 % of the words in the file are tokens of Words, otherwise [Blanks].
//
// The reader accepts blanks instead of tabs, <UNK> instead of <unk>, missing back-off weights,
// wrong counts, and a missing <unk> (log10 probability -100). Missing suffixes of longer
// n-grams, which the trie needs, get the probability that the model assigns to them by backing
// off. N-grams with words of more than 64 bytes, which no tokeniser produces, are
// dropped.
func ReadARPA(name string, r io.Reader, tokeniser Tokeniser) (*Model, error) {
	a := arpaReader{ids: map[string]uint32{}, in: bufio.NewScanner(r)}
	a.in.Buffer(make([]byte, 1<<16), maxLine)
	a.in.Split(bufio.ScanLines)
	for _, w := range special {
		a.intern(w)
	}
	if err := a.read(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("a line of more than %d bytes: is it an ARPA file?", maxLine)
		}
		return nil, fmt.Errorf("model %s: line %d: %w", name, a.line, err)
	}
	s, err := a.spec()
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	if s.Tokeniser = tokeniser; tokeniser == "" {
		s.Tokeniser = guessTokeniser(s.Words)
	}
	return Memory(model.Header{Name: name, Tool: "read from ARPA"}, s)
}

// guessTokeniser returns Words if it leaves the words unchanged, otherwise Blanks.
func guessTokeniser(words []string) Tokeniser {
	odd := 0
	for _, w := range words[Special:] {
		t := NewTokens(Words, w)
		if string(t.Next()) != w {
			odd++
		}
	}
	if odd*100 > len(words) {
		return Blanks
	}
	return Words
}

type arpaReader struct {
	in    *bufio.Scanner
	line  int
	words []string
	ids   map[string]uint32
	grams [][]Gram // by order; Count holds the line number
	known []bool   // words that were listed as 1-grams
}

func (a *arpaReader) intern(w string) uint32 {
	id := uint32(len(a.words))
	a.words = append(a.words, w)
	a.ids[w] = id
	a.known = append(a.known, false)
	return id
}

// next returns the next line that is not blank, trimmed.
func (a *arpaReader) next() (string, error) {
	for a.in.Scan() {
		a.line++
		if s := strings.TrimSpace(a.in.Text()); s != "" {
			return s, nil
		}
	}
	if err := a.in.Err(); err != nil {
		a.line++
		return "", err
	}
	return "", io.ErrUnexpectedEOF
}

func (a *arpaReader) read() error {
	s, err := a.next()
	for ; err == nil && s != `\data\`; s, err = a.next() {
	}
	if err != nil {
		return orEnd(err, `no line \data\`)
	}
	order := 0
	for s, err = a.next(); err == nil && s[0] != '\\'; s, err = a.next() {
		rest, ok := strings.CutPrefix(s, "ngram ")
		k, _, ok2 := strings.Cut(rest, "=")
		n, err := strconv.Atoi(strings.TrimSpace(k))
		if !ok || !ok2 || err != nil || n != order+1 {
			return fmt.Errorf("found %.60q, wanted \"ngram %d=COUNT\"", s, order+1)
		}
		if order = n; order > MaxOrder {
			return fmt.Errorf("order %d, at most %d can be read", n, MaxOrder)
		}
	}
	for err == nil && s != `\end\` {
		k := len(a.grams) + 1
		if want := fmt.Sprintf(`\%d-grams:`, k); s != want || k > order {
			return fmt.Errorf("found %.60q, wanted %q", s, want)
		}
		a.grams = append(a.grams, nil)
		for s, err = a.next(); err == nil && s[0] != '\\'; s, err = a.next() {
			if err := a.gram(s, k); err != nil {
				return err
			}
		}
	}
	if err != nil {
		return orEnd(err, `the file ends without \end\: copy it again`)
	}
	if len(a.grams) < order || order == 0 {
		return fmt.Errorf(`\end\ after %d orders of %d`, len(a.grams), order)
	}
	return nil
}

func orEnd(err error, what string) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New(what)
	}
	return err
}

// gram parses one n-gram: log10 probability, words, and an optional back-off weight.
func (a *arpaReader) gram(s string, k int) error {
	f := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' })
	if len(f) != k+1 && len(f) != k+2 {
		return fmt.Errorf("%d fields, wanted a log10 probability, %d words and maybe a back-off weight", len(f), k)
	}
	var g Gram
	var err error
	if g.Prob, err = logProb(f[0]); err != nil {
		return err
	}
	if g.Prob > 0 {
		return fmt.Errorf("log10 probability %s, wanted 0 or less", f[0])
	}
	if len(f) == k+2 {
		if g.Backoff, err = logProb(f[k+1]); err != nil {
			return err
		}
	}
	long := false
	for i, w := range f[1 : k+1] {
		if w == "<UNK>" {
			w = special[Unknown]
		}
		long = long || len(w) > maxTokenBytes
		id, ok := a.ids[w]
		if k == 1 {
			if !ok {
				id = a.intern(strings.Clone(w))
			}
			if a.known[id] {
				return fmt.Errorf("word %.60q is listed twice", w)
			}
			a.known[id] = true
		} else if !ok || !a.known[id] {
			return fmt.Errorf("word %.60q is not among the 1-grams", w)
		}
		g.Words[k-1-i] = id
	}
	if k > 1 && long {
		return nil
	}
	g.Count = uint64(a.line)
	a.grams[k-1] = append(a.grams[k-1], g)
	return nil
}

// logProb parses a log10. Values below -99, including "-inf", become -99.
func logProb(s string) (float32, error) {
	x, err := strconv.ParseFloat(s, 32)
	if (err != nil && !errors.Is(err, strconv.ErrRange)) || math.IsNaN(x) || x > 99 {
		return 0, fmt.Errorf("%.60q is not a log10", s)
	}
	return float32(max(x, -99)), nil
}
