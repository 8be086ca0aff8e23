package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"chaffinch/format/sniff"
	"chaffinch/input"
	"chaffinch/internal/archive"
	"chaffinch/internal/files"
	"chaffinch/internal/packed"
	"chaffinch/internal/runes"
)

// stream reads the files of an archive or the rows of a Parquet file as JSON lines. It yields
// one line per text file, the lines of JSON Lines files, and one line per row. Positions in a
// stream refer to these lines.
type stream struct {
	r       *Reader
	name    string
	members archive.Members // nil if rows is set
	rows    input.Rows
	in      *packed.Reader // current JSON Lines file of an archive
	member  string
	buf     []byte
	left    []byte
}

// openStream makes r read the current open file as a stream. It returns the first bytes.
func (r *Reader) openStream(f files.File, found sniff.Form) ([]byte, error) {
	s := &stream{r: r, name: f.Name}
	var err error
	if found != sniff.Parquet {
		s.members, err = archive.Open(r.in, r.files.File, unpacking)
		if p, ok := s.members.(archive.Package); ok && p.Kind() == archive.WACZ {
			err = foreign(sniff.WARC)
		}
	} else if size, terr := archive.Table(r.in, r.files.File); terr != nil {
		err = terr
	} else if r.cfg.Parquet == nil {
		err = input.ErrParquet
	} else {
		s.rows, err = r.cfg.Parquet(r.files.File, size, r.cfg.TextField)
	}
	if err != nil {
		return nil, err
	}
	in, err := packed.NewReader(s, unpacking)
	if err != nil {
		return nil, err
	}
	r.stream, r.in = s, in
	r.lines = &lines{in: r.in, max: r.cfg.MaxBytes}
	head, err := r.in.Peek(sniff.Bytes)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return head, nil
}

// Read returns at most one line, so that it reads no more input than requested.
func (s *stream) Read(p []byte) (int, error) {
	for len(s.left) == 0 {
		if err := s.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, s.left)
	s.left = s.left[n:]
	return n, nil
}

// fill reads the next line, or a part of a line.
func (s *stream) fill() error {
	if cap(s.buf) > maxKept {
		s.buf = nil
	}
	s.buf = s.buf[:0]
	switch {
	case s.rows != nil:
		line, err := s.rows.Next(s.buf)
		s.buf = line
		if err == io.EOF {
			return err
		}
		if err != nil {
			s.r.wrong(0, -1, err)
			return nil
		}
		if !utf8.Valid(line) {
			line = bytes.ToValidUTF8(line, []byte("\ufffd"))
		}
		s.left = append(line, '\n')
		s.buf = s.left
		return nil
	case s.in != nil:
		return s.line()
	}
	return s.open()
}

// line passes on bytes of a JSON Lines file.
func (s *stream) line() error {
	b, err := s.in.Buffered()
	if err != nil {
		if err != io.EOF {
			s.wrong(fmt.Errorf("cannot be read: %w", err))
		}
		s.in.Close()
		s.in = nil
		s.left = []byte{'\n'} // ends the last line if it had no line end; otherwise an empty line, which is ignored
		return nil
	}
	s.left = append(s.buf, b...)
	s.buf = s.left
	s.in.Discard(int64(len(b)))
	return nil
}

// open opens the next file of the archive, and reads it if it is a text.
func (s *stream) open() error {
	m, err := s.members.Next()
	var bad *archive.Error
	if errors.As(err, &bad) {
		s.member = bad.Name
		s.wrong(bad.Err)
		return nil
	}
	if err != nil {
		return err
	}
	s.member = m.Name
	in, err := packed.NewReader(struct{ io.Reader }{m.Reader}, unpacking)
	if err != nil {
		s.wrong(err)
		return nil
	}
	head, err := in.Peek(sniff.Bytes)
	if err != nil && err != io.EOF {
		s.wrong(err)
		return nil
	}
	found := sniff.UTF8(head, s.r.cfg.Doc, s.r.cfg.Para)
	if form, named := forms[s.r.cfg.Format]; named && found != sniff.Empty && !found.Container() && found != sniff.Document && found != sniff.Binary {
		found = form
	}
	switch found {
	case sniff.JSONLines:
		s.in = in
	case sniff.Text, sniff.Markdown:
		s.text(in)
	case sniff.Empty:
	default:
		s.wrong(fmt.Errorf("left out: %w", &sniff.Error{Form: found, Want: "text or JSON lines in an archive"}))
	}
	return nil
}

// forms maps a configured format of the collection to the form of the files of an archive.
var forms = map[Format]sniff.Form{JSONL: sniff.JSONLines, Text: sniff.Text}

// text converts a file with one text to a line.
func (s *stream) text(in *packed.Reader) {
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, int64(s.r.cfg.MaxBytes)+1))
	switch {
	case err != nil:
		s.wrong(fmt.Errorf("left out: %w", err))
		return
	case len(b) > s.r.cfg.MaxBytes:
		s.wrong(fmt.Errorf("left out: a document of more than %d bytes: %w", s.r.cfg.MaxBytes, ErrTooLong))
		return
	case runes.HasUTF16Mark(b), bytes.IndexByte(b, 0) >= 0:
		s.wrong(errors.New("left out: no text in UTF-8"))
		return
	}
	b = bytes.TrimPrefix(b, bom)
	if !utf8.Valid(b) {
		b = bytes.ToValidUTF8(b, []byte("\ufffd"))
	}
	line := make([]byte, 0, len(b)+len(b)/16+64)
	line = appendString(append(line, `{"id":`...), []byte(s.name+"/"+s.member))
	line = appendString(append(line, `,"text":`...), b)
	s.left = append(line, "}\n"...)
}

// appendString appends b as a string in the form of encoding/json. It encodes b in parts, so
// that a long text is not copied as a whole.
func appendString(dst, b []byte) []byte {
	var part bytes.Buffer
	e := json.NewEncoder(&part)
	e.SetEscapeHTML(false)
	dst = append(dst, '"')
	for len(b) > 0 {
		n := min(len(b), 32<<10)
		for n < len(b) && !utf8.RuneStart(b[n]) {
			n--
		}
		part.Reset()
		e.Encode(string(b[:n])) // cannot fail
		dst = append(dst, part.Bytes()[1:part.Len()-2]...)
		b = b[n:]
	}
	return append(dst, '"')
}

// wrong reports an error in a file of the archive.
func (s *stream) wrong(err error) {
	if s.member != "" {
		err = fmt.Errorf("member %q: %w", s.member, err)
	}
	s.r.wrong(0, -1, err)
}

func (s *stream) close() {
	if s.in != nil {
		s.in.Close()
	}
	if s.rows != nil {
		s.rows.Close()
	}
}
