package records

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"sync"

	"chaffinch/input"
	"chaffinch/internal/readers"

	"chaffinch/internal/files"
	"chaffinch/internal/packed"
	"chaffinch/page"
)

// form reads the records of one open file.
type form interface {
	// next fills d with the next record and reports whether there is one. Any error is a read
	// error.
	next(d *Doc) (bool, error)
}

// Reader reads the documents of a collection in the order of its files. It is not safe for
// concurrent use, except for Release and Progress.
type Reader struct {
	cfg    Config
	files  *files.Queue
	format Format         // of all files, once a file was opened
	num    int64          // of the next document
	in     *packed.Reader // source of the lines: the file or stream
	stream *stream        // converts a file without lines to lines
	lines  *lines
	form   form
	bad    int64
	// unended reports whether the last bytes returned, from file number ended, lack a line end.
	unended bool
	ended   int
	docs    sync.Pool
}

// Open lists the files of paths: files, folders (walked in the order of names) and "-" for
// standard input, which cfg.Stdin holds. It returns an error if a path does not exist, if there
// is nothing to read, or if cfg is invalid.
func Open(paths []string, cfg Config) (*Reader, error) {
	if err := cfg.setDefaults(); err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, errors.New("no input: name files or folders, or - for standard input")
	}
	list := files.List(paths)
	for i := range list {
		f := &list[i]
		if f.Name == "-" {
			if cfg.Stdin == "" {
				return nil, errors.New("-: standard input is read twice: Spool it into a file and name that as Config.Stdin")
			}
			st, err := os.Stat(cfg.Stdin)
			if err != nil {
				return nil, fmt.Errorf("-: spooled standard input: %w", err)
			}
			f.Size, f.At = st.Size(), cfg.Stdin
		}
		if f.Err != nil && f.Named {
			return nil, fmt.Errorf("%s: %w", f.Name, f.Err)
		}
		if f.Size < 0 {
			return nil, fmt.Errorf("%s: no file but a pipe or device, which cannot be read twice: give it as -", f.Name)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no files in it", paths[0])
	}
	r := &Reader{cfg: cfg, files: files.NewQueue(list), format: cfg.Format}
	r.docs.New = func() any { return new(Doc) }
	return r, nil
}

// All returns an iterator over the documents of [Reader.Next], up to the first error.
func (r *Reader) All() iter.Seq2[*Doc, error] { return readers.All(r.Next, readers.Never) }

// Next returns the next document, io.EOF at the end. Any other error ends the reading;
// recoverable errors are reported to Config.OnError instead. The document belongs to the caller
// until it is passed to Release. Any number of documents may be held.
func (r *Reader) Next() (*Doc, error) {
	for {
		if err := r.begin(); err != nil {
			return nil, err
		}
		d := r.docs.Get().(*Doc)
		d.reset()
		d.most = r.cfg.maxParas()
		r.in.Forget()
		ok, err := r.form.next(d)
		if err != nil {
			r.Release(d)
			return nil, &page.Error{File: r.files.Current().Name, Offset: r.in.At(r.in.Pos()), Line: r.lines.n, Err: err}
		}
		if ok && d.over {
			r.wrong(0, d.Source.Offset, fmt.Errorf("document %s: more than %d paragraphs: passed on unchanged; %w", d.ID, d.most, ErrTooLong))
			r.outside(d.Raw)
			r.Release(d)
			continue
		}
		if ok {
			d.Num, d.Source.File, d.format = r.num, r.files.Current().Name, r.format
			r.num++
			r.ended, r.unended = r.files.At, len(d.Raw) > 0 && d.Raw[len(d.Raw)-1] != '\n'
			return d, nil
		}
		r.Release(d)
		r.closeFile()
	}
}

// begin opens the next file with something to read, unless a file is open. It returns io.EOF if
// there is none.
func (r *Reader) begin() error {
	for r.form == nil {
		if r.files.Ended() {
			return io.EOF
		}
		if err := r.openFile(); err != nil {
			if len(r.files.List) == 1 {
				return &page.Error{File: r.files.Current().Name, Offset: -1, Err: err}
			}
			r.wrong(0, -1, fmt.Errorf("left out: %w", err))
		}
		if r.form == nil {
			r.closeFile()
		}
	}
	return nil
}

// maxKept is the size above which the buffers of a document are not reused.
const maxKept = 4 << 20

// Release recycles d. Neither d nor its memory may be used afterwards, but its strings may.
func (r *Reader) Release(d *Doc) {
	if d == nil || cap(d.Raw)+cap(d.text) > maxKept || cap(d.Paras) > maxKept/64 {
		return
	}
	r.docs.Put(d)
}

// reset empties d and keeps its buffers.
func (d *Doc) reset() {
	*d = Doc{Raw: d.Raw[:0], Paras: d.Paras[:0], text: d.text[:0], glue: d.glue[:0], meta: d.meta[:0], most: d.most}
}

// Bad returns the number of pieces of input that could not be read. Each was reported to
// OnError.
func (r *Reader) Bad() int64 { return r.bad }

// wrong counts and reports a piece of input that could not be read.
func (r *Reader) wrong(line, offset int64, err error) {
	r.bad++
	r.reportProblem(line, offset, err)
}

// reportProblem reports an error in the current file to OnError.
func (r *Reader) reportProblem(line, offset int64, err error) {
	if r.cfg.OnError != nil {
		r.cfg.OnError(&page.Error{File: r.files.Current().Name, Line: line, Offset: offset, Err: err})
	}
}

// damaged reports the damage that ended the last line, and resynchronizes after it.
func (r *Reader) damaged() {
	offset := int64(0)
	var d *packed.Damage
	if errors.As(r.lines.damage, &d) {
		offset = d.At
	}
	r.wrong(r.lines.n, offset, fmt.Errorf("cannot be unpacked: %w", r.lines.damage))
	r.in.Resync()
	r.lines.damage = nil
}

// tooLong reports the document that begins in line line at offset and exceeds the limit.
func (r *Reader) tooLong(line, offset int64, hint string) {
	r.wrong(line, offset, fmt.Errorf("a document of more than %d bytes: passed on unchanged; %s If not, %w", r.cfg.MaxBytes, hint, ErrTooLong))
}

// pass passes on the bytes read into d, with the rest of the last line.
func (r *Reader) pass(d *Doc) error {
	r.outside(d.Raw)
	d.reset()
	var err error
	if r.lines.long {
		err = r.lines.pass(r.outside)
	}
	if r.lines.damage != nil {
		r.damaged()
	}
	return err
}

// outside passes on bytes that belong to no document.
func (r *Reader) outside(b []byte) {
	if r.cfg.Outside == nil || len(b) == 0 {
		return
	}
	if r.unended && r.ended < r.files.At { // the last file had no line end
		r.cfg.Outside([]byte{'\n'})
	}
	r.unended, r.ended = b[len(b)-1] != '\n', r.files.At
	r.cfg.Outside(b)
}

// Position returns the position where the next document begins.
func (r *Reader) Position() Position {
	p := Position{Place: input.Place{File: r.files.At, Name: r.files.Current().Name}, Num: r.num, Format: r.format}
	if r.form != nil {
		at := r.in.Pos()
		p.Offset, p.Skip, p.Line = at.Member, at.Skip, r.lines.n
	}
	return p
}

// Seek moves to a position that a Reader of the same collection returned.
func (r *Reader) Seek(p Position) error {
	if err := r.files.Seek(p.File, p.Name); err != nil {
		return err
	}
	r.dropForm()
	r.num = p.Num
	if p.Format != "" {
		r.format = p.Format
	}
	if p.Offset == 0 && p.Skip == 0 && p.Line == 0 {
		return nil
	}
	outside := r.cfg.Outside
	r.cfg.Outside = nil // it already received the bytes before the position
	err := r.openFile()
	r.cfg.Outside = outside
	if err != nil {
		return &page.Error{File: p.Name, Offset: -1, Err: err}
	}
	if r.form == nil {
		return &page.Error{File: p.Name, Offset: -1, Err: errors.New("holds nothing to read any more: the inputs have changed: start over without resuming")}
	}
	if err := r.in.Seek(packed.Pos{Member: p.Offset, Skip: p.Skip}); err != nil {
		return &page.Error{File: p.Name, Offset: p.Offset, Err: err}
	}
	r.lines.n = p.Line
	return nil
}

// Mark returns the position where the next document begins, as JSON.
func (r *Reader) Mark() ([]byte, error) { return r.Position().Mark() }

// Goto moves to a position that Mark returned for a Reader of the same collection.
func (r *Reader) Goto(mark []byte) error {
	var p Position
	if err := json.Unmarshal(mark, &p); err != nil {
		return err
	}
	return r.Seek(p)
}

// Mark returns p as JSON.
func (p Position) Mark() ([]byte, error) { return json.Marshal(p) }

// Identity returns a hash of the names, sizes and modification times of the files, and of the
// reading configuration. Two Readers with the same Identity read the same documents, as far as
// this can be determined without reading them.
func (r *Reader) Identity() string {
	list := r.files.List
	for i := range list {
		if list[i].Name == "-" {
			list = append([]files.File(nil), list...)
			list[i].Name = r.cfg.Stdin
			break
		}
	}
	c := &r.cfg
	return fmt.Sprintf("%s %q %q %q %q %q %d %q", files.Identity(list), c.Format, c.TextField, c.Split, c.Doc, c.Para, c.Column, c.Compat)
}

// Progress returns the number of bytes read from the files and their total. It may be called at
// any time.
func (r *Reader) Progress() (done, total int64) {
	return r.files.Progress()
}

// Close closes the open file. Documents remain valid.
func (r *Reader) Close() error {
	r.dropForm()
	r.files.Close()
	return nil
}

// dropForm closes the readers of the current file.
func (r *Reader) dropForm() {
	if r.stream != nil {
		r.in.Close()
		r.stream.close()
	}
	r.in, r.form, r.lines, r.stream = nil, nil, nil, nil
}

// closeFile closes the file and advances to the next.
func (r *Reader) closeFile() {
	r.dropForm()
	r.files.Pass()
}

// unlessEnd returns err, but nil for io.EOF.
func unlessEnd(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}
