package records

import (
	"context"
	"encoding/json"

	"chaffinch/pipeline"
)

// Output is a stream of documents that another run can continue. It implements
// [pipeline.Durable].
type Output struct {
	Writer *Writer
	stream *pipeline.Stream
}

// NewOutput returns an Output on a stream that was opened at a place.
func NewOutput(stream *pipeline.Stream, cfg WriterConfig, at pipeline.Place) (*Output, error) {
	o := &Output{NewWriter(stream, cfg), stream}
	if at.Writer == nil {
		return o, nil
	}
	var s writerState
	if err := json.Unmarshal(at.Writer, &s); err != nil {
		return nil, err
	}
	o.Writer.resume(s)
	return o, nil
}

// Packed reports whether the output is compressed.
func (o *Output) Packed() bool { return o.stream.Packed() }

// Full reports whether a compressed output should be cut.
func (o *Output) Full() bool { return o.stream.Full() }

// Cut returns the place up to which documents are written.
func (o *Output) Cut() (pipeline.Place, error) {
	if err := o.Writer.Flush(); err != nil {
		return pipeline.Place{}, err
	}
	at, err := o.stream.Cut()
	if err != nil {
		return at, err
	}
	at.Writer, err = json.Marshal(o.Writer.state())
	return at, err
}

// Finish finishes the stream.
func (o *Output) Finish(ctx context.Context) error {
	if err := o.Writer.Flush(); err != nil {
		return err
	}
	return o.stream.Finish(ctx)
}

// Sync writes everything up to the last Cut to stable storage.
func (o *Output) Sync() error { return o.stream.Sync() }

// Publish renames a file to its final name.
func (o *Output) Publish() error { return o.stream.Publish() }

// Close closes the stream.
func (o *Output) Close() error { return o.stream.Close() }
