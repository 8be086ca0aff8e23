// Command frequencies writes the frequency lists of package model/data/frequencies from the lists of
// the Python package wordfreq (data: CC BY-SA 4.0):
//
//	go run ./lab/train/frequencies -o model/data/frequencies wordfreq-3.1.1-py3-none-any.whl
//
// Entries of wordfreq are divided into tokens with the rules of each language, so that they are the
// words of an index: don't counts as do and n't. A list holds the most frequent tokens with a letter.
package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"

	"chaffinch/internal/files"
	"chaffinch/internal/sorts"
	"chaffinch/model/data/frequencies"
	"chaffinch/text/token"
)

// languages are the languages of the lists: languages with many pages on the web whose words are
// separated by spaces.
var languages = strings.Fields("cs de en es fr it nl pl pt ru sv uk")

func main() {
	out := flag.String("o", "", "folder to write to")
	words := flag.Int("words", 10_000, "words of a list")
	flag.Parse()
	if err := run(flag.Arg(0), *out, *words); err != nil {
		fmt.Fprintln(os.Stderr, "frequencies:", err)
		os.Exit(1)
	}
}

func run(wheel, out string, words int) error {
	if wheel == "" || out == "" {
		return errors.New("wanted -o FOLDER and the wheel of wordfreq")
	}
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return err
	}
	defer z.Close()
	for _, lang := range languages {
		bins, err := read(z, lang)
		if err != nil {
			return fmt.Errorf("%s: %w", lang, err)
		}
		if err := write(filepath.Join(out, lang+".br"), list(bins, token.For(lang), words)); err != nil {
			return err
		}
	}
	return nil
}

// list returns the words of a list and their shares of all tokens.
func list(bins [][]string, t *token.Tokenizer, words int) map[string]float64 {
	shares, sum := map[string]float64{}, 0.0
	for bin, entries := range bins {
		share := math.Pow(10, -float64(bin)/100)
		for _, e := range entries {
			for _, w := range t.Words(e, nil) {
				if w := e[w.Start:w.End]; strings.IndexFunc(w, unicode.IsLetter) >= 0 {
					shares[w] += share
					sum += share
				}
			}
		}
	}
	all := sorts.ByValue(shares)
	out := map[string]float64{}
	for _, w := range all[:min(words, len(all))] {
		out[w] = shares[w] / sum
	}
	return out
}

// write writes a list in the format that package model/data/frequencies reads.
func write(name string, shares map[string]float64) error {
	var text, bins bytes.Buffer
	last := ""
	for _, w := range slices.Sorted(maps.Keys(shares)) {
		n := 0
		for n < min(len(w), len(last), frequencies.End-1) && w[n] == last[n] {
			n++
		}
		text.WriteByte(byte(n))
		text.WriteString(w[n:])
		bins.WriteByte(frequencies.Bin(shares[w]))
		last = w
	}
	text.WriteByte(frequencies.End)
	var packed bytes.Buffer
	z := brotli.NewWriterLevel(&packed, brotli.BestCompression)
	if _, err := io.Copy(z, io.MultiReader(&text, &bins)); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return files.WriteFile(name, packed.Bytes())
}

// read returns the entries of the list of a language by their frequency in centibels.
func read(z *zip.ReadCloser, lang string) ([][]string, error) {
	f, err := z.Open("wordfreq/data/large_" + lang + ".msgpack.gz")
	if err != nil {
		if f, err = z.Open("wordfreq/data/small_" + lang + ".msgpack.gz"); err != nil {
			return nil, err
		}
	}
	defer f.Close()
	g, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(g)
	if err != nil {
		return nil, err
	}
	r := &reader{b}
	n := r.array()
	r.header()
	var bins [][]string
	for range n - 1 {
		words := make([]string, r.array())
		for i := range words {
			words[i] = r.text()
		}
		bins = append(bins, words)
	}
	if len(r.b) > 0 {
		return nil, fmt.Errorf("%d bytes after the last list", len(r.b))
	}
	return bins, nil
}

// reader reads the subset of MessagePack that the lists use. It panics on other values.
type reader struct{ b []byte }

func (r *reader) take(n int) []byte {
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

// number returns an unsigned number of n bytes.
func (r *reader) number(n int) (x int) {
	for _, b := range r.take(n) {
		x = x<<8 | int(b)
	}
	return x
}

func (r *reader) array() int {
	switch b := r.number(1); {
	case b>>4 == 0x9:
		return b & 0xf
	case b == 0xdc:
		return r.number(2)
	case b == 0xdd:
		return r.number(4)
	default:
		panic(fmt.Sprintf("%#x: wanted an array", b))
	}
}

func (r *reader) text() string {
	switch b := r.number(1); {
	case b>>5 == 0x5:
		return string(r.take(b & 0x1f))
	case b == 0xd9:
		return string(r.take(r.number(1)))
	default:
		panic(fmt.Sprintf("%#x: wanted a string", b))
	}
}

// header skips the description of the list: a map with the format and a version.
func (r *reader) header() {
	end := bytes.Index(r.b, []byte("version")) + len("version") + 1
	r.take(end)
}
