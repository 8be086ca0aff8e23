package words

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"chaffinch/format/sniff"
	"chaffinch/internal/archive"
	"chaffinch/text/token"
)

// Input is text to train on: a file, a folder, or an archive.
type Input struct {
	// Path is the path of a text file (plain, gzip or zstd), a folder, or a tar archive, compressed
	// or not.
	Path string
	// Files selects files of a folder or an archive by their path inside it; * matches any
	// characters. Default: "*.txt".
	Files string
	// Weight is the weight of each sentence.
	Weight float64
}

// ParseInput parses PATH[:FILES][=WEIGHT], such as "news.tar.zst:2024/*.txt=3".
func ParseInput(s string) (Input, error) {
	in := Input{Path: s, Weight: 1}
	if p, w, ok := cutLast(s, "="); ok {
		x, err := strconv.ParseFloat(w, 64)
		if err == nil {
			if !(x >= 0.001 && x <= 1e6) {
				return in, fmt.Errorf("input %s: weight %s, wanted 0.001 to 1000000", s, w)
			}
			in.Path, in.Weight = p, x
		}
	}
	if _, err := os.Stat(in.Path); err == nil {
		return in, nil // a colon may be part of the name
	}
	if p, f, ok := cutLast(in.Path, ":"); ok {
		in.Path, in.Files = p, f
	}
	return in, nil
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// match reports whether s matches a pattern in which * matches any characters.
func match(pattern, s string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !strings.HasPrefix(s, head) {
		return false
	}
	s = s[len(head):]
	for star {
		var part string
		part, rest, star = strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(s, part)
		}
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s = s[i+len(part):]
	}
	return s == ""
}

// Split is the method of sentence segmentation.
type Split string

// The methods of sentence segmentation.
const (
	// Sentences treats each line as a paragraph and divides it by the rules of package token.
	Sentences Split = "sentences"
	// Lines treats each line as a sentence.
	Lines Split = "lines"
)

// maxLine is the length at which longer lines are divided, to limit memory.
const maxLine = 1 << 20

// reader reads inputs and yields sentences.
type reader struct {
	split   Split
	exclude []string
	yield   func(sentence string, source int) error
	files   []int    // of each input
	bytes   []int64  // of each input
	sums    []string // SHA-256 of each input
	spans   []token.Span
	done    func(n int) // bytes read
	sum     hash.Hash
}

// read reads all inputs in order. Files of folders are read in lexical order, files of archives in
// their own.
func (r *reader) read(ctx context.Context, inputs []Input) error {
	for i, in := range inputs {
		r.sum = sha256.New()
		r.files, r.bytes = append(r.files, 0), append(r.bytes, 0)
		err := walk(in.Path, func(name string, text io.Reader) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			if name != "" && !r.selects(in.Files, name) {
				return nil
			}
			r.files[i]++
			if err := r.file(text, i); err != nil {
				return fmt.Errorf("%s: %w", path.Join(in.Path, name), err)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if r.files[i] == 0 {
			return fmt.Errorf("%s: no file in it matches %q", in.Path, cmpOr(in.Files, defaultFiles))
		}
		r.sums = append(r.sums, hex.EncodeToString(r.sum.Sum(nil)))
	}
	return nil
}

const defaultFiles = "*.txt"

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (r *reader) selects(files, name string) bool {
	for _, x := range r.exclude {
		if match(x, name) {
			return false
		}
	}
	return match(cmpOr(files, defaultFiles), name)
}

// walk calls fn for each file of a folder or an archive, or for the file name itself with an empty
// name.
func walk(name string, fn func(name string, r io.Reader) error) error {
	st, err := os.Stat(name)
	if err != nil {
		return err
	}
	if st.IsDir() {
		return archive.Walk(name, fn)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<16)
	head, _ := in.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer z.Close()
		in = bufio.NewReaderSize(z, 1<<16)
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer z.Close()
		in = bufio.NewReaderSize(z, 1<<16)
	}
	if head, _ = in.Peek(262); len(head) == 262 && string(head[257:]) == "ustar" {
		return archive.Walk(name, fn)
	}
	return fn("", in)
}

// file yields the sentences of a text.
func (r *reader) file(text io.Reader, source int) error {
	text, err := sniff.Running(text)
	if err != nil {
		return err
	}
	in := bufio.NewReaderSize(text, maxLine)
	for {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			err = nil
		}
		r.sum.Write(line)
		r.bytes[source] += int64(len(line))
		if r.done != nil {
			r.done(len(line))
		}
		if e := r.line(string(bytes.TrimSpace(line)), source); e != nil {
			return e
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *reader) line(line string, source int) error {
	if line == "" {
		return nil
	}
	if r.split == Lines {
		return r.yield(line, source)
	}
	r.spans = token.Sentences(line, r.spans[:0])
	for _, s := range r.spans {
		if err := r.yield(line[s.Start:s.End], source); err != nil {
			return err
		}
	}
	return nil
}
