package dedup

import (
	"bytes"
	"errors"
	"fmt"

	"chaffinch/input/records"
	"chaffinch/internal/files"
)

// output is a file that appears under its name when it is whole.
type output struct {
	name   string // "" is standard output
	file   *files.Growing
	writer *records.Writer
	shelf  *shelf // of the output in the order of ids
	cfg    records.WriterConfig
	record []byte
}

// outputState is what a checkpoint knows of an output.
type outputState struct {
	Length int64               // of the file
	Writer records.WriterState // of the writer at that length
	Shelf  []int64             `json:",omitempty"`
}

// create opens an output to go on in state s.
func (r *run) create(name string, number int, s outputState) (*output, error) {
	o := &output{name: name, cfg: r.job.writer()}
	o.cfg.Explain = number == 1 && r.job.Explain
	if name == "" {
		o.file = files.GrowOn(r.job.Stdout)
	} else {
		var err error
		if o.file, err = files.Grow(name, s.Length); err != nil {
			return nil, err
		}
	}
	o.writer = records.NewWriter(o.file, o.cfg)
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
func (o *output) write(d *records.Doc, e *records.Edit, pos int64) error {
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
	if d.Format() == records.Text && o.cfg.Split != records.SplitLine {
		b = append(bytes.TrimRight(b, "\r\n"), "\n\n"...)
	} else if b[len(b)-1] != '\n' {
		b = append(b, '\n')
	}
	o.record = b
	return o.shelf.add(pos, b)
}

// cut lets another run go on from here, when all up to here is synced.
func (o *output) cut() (s outputState, err error) {
	if err := o.writer.Flush(); err != nil {
		return s, err
	}
	if o.shelf != nil {
		if s.Shelf, err = o.shelf.sync(); err != nil {
			return s, err
		}
	}
	if o.name == "" {
		return s, nil
	}
	s.Writer = o.writer.State()
	s.Length, err = o.file.Cut()
	return s, err
}

// end writes what waits for its place, and the end.
func (o *output) end() error {
	if o.shelf != nil {
		if err := o.shelf.writeTo(o.file); err != nil {
			return err
		}
	}
	return errors.Join(o.writer.Flush(), o.file.End(), o.file.Sync())
}

func (o *output) close() error {
	o.file.Discard()
	if o.shelf != nil {
		return o.shelf.close()
	}
	return nil
}
