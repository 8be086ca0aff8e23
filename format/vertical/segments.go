package vertical

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"chaffinch/text/token"
)

// SegmentConfig configures a [Segments].
type SegmentConfig struct {
	// Doc is the identifier of the document that holds all segments.
	Doc string
	// Lang is the language as a BCP 47 tag.
	Lang string
	// Tokens tokenizes the text; nil uses only the rules of the language.
	Tokens *token.Family
	// Models adds columns if it is not nil.
	Models *Models
}

// Segments writes one language of a parallel text as a vertical: an <align> with a running number for
// each segment, with sentences and tokens. The n-th segments of all languages correspond.
type Segments struct {
	w    *io.PipeWriter
	buf  []byte
	n    int
	done chan struct{}
	err  error
	all  int64
}

// NewSegments starts a vertical. save receives a function that writes it, and calls that function with
// the output, such as a file. Close must be called.
func NewSegments(ctx context.Context, cfg SegmentConfig, save func(write func(io.Writer) error) error) *Segments {
	in, w := io.Pipe()
	s := &Segments{w: w, done: make(chan struct{})}
	go func() {
		defer close(s.done)
		s.err = save(func(out io.Writer) error { return s.write(ctx, out, in, cfg) })
		in.CloseWithError(s.err)
	}()
	s.buf = append(s.buf, "<doc"...)
	s.buf = attr(s.buf, "id", cfg.Doc)
	s.buf = attr(s.buf, "lang", cfg.Lang)
	s.buf = append(s.buf, ">\n"...)
	return s
}

// write tokenizes and tags the segments.
func (s *Segments) write(ctx context.Context, out io.Writer, in io.Reader, cfg SegmentConfig) error {
	read := ReaderConfig{Name: cfg.Doc, Strict: true}
	tokenize := func(out io.Writer) (err error) {
		_, s.all, err = Tokenize(out, in, read, cfg.Lang, cfg.Tokens)
		return err
	}
	if cfg.Models == nil {
		return tokenize(out)
	}
	tokens, w := io.Pipe()
	go func() { w.CloseWithError(tokenize(w)) }()
	_, err := cfg.Models.Tag(ctx, out, NewReader(tokens, read))
	tokens.CloseWithError(err)
	return err
}

// Add appends a segment, which may be empty. White space becomes single spaces.
func (s *Segments) Add(text string) error {
	s.n++
	s.buf = append(s.buf, "<align"...)
	s.buf = attr(s.buf, "id", strconv.Itoa(s.n))
	s.buf = append(s.buf, ">\n"...)
	if text = strings.Join(strings.Fields(text), " "); text != "" {
		s.buf = append(appendField(s.buf, strings.ToValidUTF8(text, "\ufffd"), true), '\n')
	}
	s.buf = append(s.buf, "</align>\n"...)
	if len(s.buf) < 1<<16 {
		return nil
	}
	_, err := s.w.Write(s.buf)
	s.buf = s.buf[:0]
	return err
}

// Len returns the number of segments.
func (s *Segments) Len() int { return s.n }

// Close ends the vertical and returns its number of tokens. If failed is not nil, the vertical is not
// saved.
func (s *Segments) Close(failed error) (tokens int64, err error) {
	if failed == nil {
		_, failed = s.w.Write(append(s.buf, "</doc>\n"...))
	}
	s.w.CloseWithError(failed)
	<-s.done
	if s.err != nil && failed == nil {
		return s.all, fmt.Errorf("segments: %w", s.err)
	}
	return s.all, s.err
}
