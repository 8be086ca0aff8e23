package dedup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"chaffinch/input/records"
	"chaffinch/pipeline"
)

// output is one of the outputs. In the order of ids, documents go to a sorter first.
type output struct {
	*records.Output
	stream *pipeline.Stream
	sorter *positionSorter // of the output in the order of ids
	cfg    records.WriterConfig
	record []byte
}

// sorterState is the writer state of an output with a sorter: the lengths of the files of
// the sorter.
type sorterState struct{ Shelf []int64 }

// create opens an output. Number 0 is for documents that stay, number 1 for the
// others.
func (r *run) create(name string, number int, at pipeline.Place) (*output, error) {
	o := &output{cfg: r.cfg.writer()}
	o.cfg.Explain = number == 1 && r.cfg.Explain
	if name == "" {
		o.stream = pipeline.NewStream(r.cfg.Stdout)
	} else {
		var err error
		if o.stream, err = pipeline.OpenStream(name, at.Length, false); err != nil {
			return nil, err
		}
	}
	err := r.openOutput(o, number, at)
	if err != nil {
		err = errors.Join(err, o.stream.Close())
	}
	return o, err
}

// openOutput opens the writer of an output, and its sorter in the order of ids.
func (r *run) openOutput(o *output, number int, at pipeline.Place) (err error) {
	if r.cfg.Order == InID {
		var s sorterState
		if at.Writer != nil {
			if err := json.Unmarshal(at.Writer, &s); err != nil {
				return err
			}
		}
		if o.sorter, err = r.openPositionSorter(number, s.Shelf); err != nil {
			return err
		}
		at.Writer = nil // the writer gets only text outside documents
	}
	o.Output, err = records.NewOutput(o.stream, o.cfg, at)
	return err
}

// write writes a document edited by e. In the order of ids, pos is its position in the
// output.
func (o *output) write(d *records.Doc, e *records.Edit, pos int64) error {
	if o.sorter == nil {
		return o.Writer.Write(d, e)
	}
	if o.cfg.Format == "" {
		o.cfg.Format = d.Format()
	}
	if f := d.Format(); f != o.cfg.Format {
		return fmt.Errorf("%s: its format is %s, the format of the output is %s: convert it, or give both in two runs", d.Source.File, f, o.cfg.Format)
	}
	b, err := o.cfg.Append(o.record[:0], d, e)
	if err != nil || len(b) == 0 {
		return err
	}
	// Here another document follows, regardless of what followed in the input.
	if d.Format() == records.Text && o.cfg.Split != records.SplitLine {
		b = append(bytes.TrimRight(b, "\r\n"), "\n\n"...)
	} else if b[len(b)-1] != '\n' {
		b = append(b, '\n')
	}
	o.record = b
	return o.sorter.add(pos, b)
}

// Cut returns the position up to which documents are written. The sorter is then on
// stable storage.
func (o *output) Cut() (pipeline.Place, error) {
	if o.sorter == nil {
		return o.Output.Cut()
	}
	lengths, err := o.sorter.sync()
	if err != nil {
		return pipeline.Place{}, err
	}
	at, err := o.Output.Cut() // of the text outside documents
	if err != nil {
		return at, err
	}
	at.Writer, err = json.Marshal(sorterState{lengths})
	return at, err
}

// Finish writes the documents in the sorter and ends the stream.
func (o *output) Finish(ctx context.Context) error {
	if err := o.Writer.Flush(); err != nil {
		return err
	}
	if o.sorter != nil {
		if _, err := o.sorter.sync(); err != nil {
			return err
		}
		if err := o.sorter.writeTo(ctx, o.stream); err != nil {
			return err
		}
	}
	return o.Output.Finish(ctx)
}

// Close closes the stream and the sorter.
func (o *output) Close() error {
	err := o.Output.Close()
	if o.sorter != nil {
		err = errors.Join(err, o.sorter.close())
	}
	return err
}
