package dedup

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"chaffinch/collection"
	"chaffinch/internal/disk"
)

// output is a file that appears under its name when it is whole.
type output struct {
	name   string
	file   *disk.File // nil: standard output
	buf    *bufio.Writer
	writer *collection.Writer
	shelf  *shelf // of the output in the order of ids
	cfg    collection.WriterConfig
	record []byte
}

// outputState is what a checkpoint knows of an output.
type outputState struct {
	Length int64                  // of the file
	Writer collection.WriterState // of what it ends with
	Shelf  []int64                `json:",omitempty"`
}

func partOf(name string) string { return name + ".part" }

// create opens an output to go on in state s.
func (r *run) create(name string, number int, s outputState) (*output, error) {
	o := &output{name: name, cfg: r.job.writer()}
	if name == "" {
		o.buf = bufio.NewWriterSize(r.job.Stdout, 1<<16)
	} else {
		var err error
		if o.file, err = openAt(partOf(name), s.Length); err != nil {
			return nil, err
		}
		o.buf = bufio.NewWriterSize(o.file, 1<<16)
	}
	o.writer = collection.NewWriter(o.buf, o.cfg)
	if name != "" {
		o.writer.Continue(s.Writer)
	}
	if r.job.Order == InID {
		var err error
		if o.shelf, err = r.openShelf(number, s.Shelf); err != nil {
			return nil, errors.Join(err, o.close())
		}
	}
	return o, nil
}

// write writes a document, whose place in the order of ids is pos.
func (o *output) write(d *collection.Doc, e *collection.Edit, pos int64) error {
	if o.shelf == nil {
		return o.writer.Write(d, e)
	}
	if o.cfg.Format == "" {
		o.cfg.Format = d.Format()
	}
	if f := d.Format(); f != o.cfg.Format {
		return fmt.Errorf("%s: its format is %s, that of the output is %s: convert it, or give both in two runs", d.Source.File, f, o.cfg.Format)
	}
	b, err := o.cfg.Append(o.record[:0], d, e)
	if err != nil || len(b) == 0 {
		return err
	}
	// Whatever stood behind it in the input, another document follows it here.
	if d.Format() == collection.Text && o.cfg.Split != collection.SplitLine {
		b = append(bytes.TrimRight(b, "\r\n"), "\n\n"...)
	} else if b[len(b)-1] != '\n' {
		b = append(b, '\n')
	}
	o.record = b
	return o.shelf.add(pos, b)
}

// sync makes safe what was written, and returns the state.
func (o *output) sync() (s outputState, err error) {
	if err := o.writer.Flush(); err != nil {
		return s, err
	}
	if err := o.buf.Flush(); err != nil {
		return s, err
	}
	if o.shelf != nil {
		if s.Shelf, err = o.shelf.sync(); err != nil {
			return s, err
		}
	}
	if o.file == nil {
		return s, nil
	}
	st, err := o.file.Stat()
	if err != nil {
		return s, err
	}
	s.Length, s.Writer = st.Size(), o.writer.State()
	return s, o.file.Sync()
}

func (o *output) close() error {
	var errs []error
	if o.file != nil {
		errs = append(errs, o.file.Close())
	}
	if o.shelf != nil {
		errs = append(errs, o.shelf.close())
	}
	return errors.Join(errs...)
}

// publish gives the file its name. A file that has it already is left.
func publish(name string) error {
	if name == "" {
		return nil
	}
	if err := disk.Rename(partOf(name), name); err != nil {
		if _, e := os.Stat(name); e == nil && errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
	return disk.SyncDir(filepath.Dir(name))
}
