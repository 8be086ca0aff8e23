package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"chaffinch/format/sniff"
	"chaffinch/format/warc"
)

type warcExtract struct {
	File     string   `arg:"" help:"WARC, ARC or WACZ file, plain or compressed."`
	Offset   int64    `range:"[-1,)" default:"-1" help:"Byte offset of the record (of its compressed member), as printed by ls and index."`
	Skip     int64    `help:"Uncompressed bytes between the offset and the record, printed by ls after the plus sign."`
	ID       string   `name:"id" help:"WARC-Record-ID of the record."`
	URL      string   `name:"url" help:"Address: selects the first response, resource or conversion record with it."`
	As       string   `enum:"payload,stored,record" default:"payload" help:"What to write: the decoded payload (payload), the bytes stored after the HTTP header (stored), or the whole record (record)."`
	Out      string   `was:"output" short:"o" default:"-" help:"Output file, - for standard output."`
	MaxBytes byteSize `was:"max" default:"1GiB" placeholder:"SIZE" help:"Maximum size of the payload; larger payloads are an error. Default: ${default}."`
}

// Run writes one record.
func (c *warcExtract) Run(ctx context.Context, con *console) error {
	ways := 0
	for _, given := range []bool{c.Offset >= 0, c.ID != "", c.URL != ""} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		return fmt.Errorf("%d of --offset, --id and --url: wanted one, which selects the record", ways)
	}
	if c.Skip != 0 && c.Offset < 0 {
		return errors.New("--skip is used only with --offset")
	}
	in, err := openArchive(ctx, c.File, con)
	if err != nil {
		return err
	}
	defer in.close()
	r, rec, err := c.findIn(ctx, in)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	defer r.Close()
	return writeRaw(c.Out, con, func(out io.Writer) error {
		if err := c.write(out, r, rec); err != nil {
			return fmt.Errorf("%s: %w", c.File, err)
		}
		return nil
	})
}

// findIn returns the wanted record of a file, or of the first archive of a WACZ file
// that has it.
func (c *warcExtract) findIn(ctx context.Context, in *openedFile) (*warc.Reader, *warc.Record, error) {
	next := func() (io.Reader, error) { return in.in, nil }
	if in.form() == sniff.Zip {
		list, err := in.members(c.File)
		if err != nil {
			return nil, nil, err
		}
		if c.Offset >= 0 || c.As == "record" {
			return nil, nil, errors.New("a WACZ file: --offset and --as record need a WARC file: unzip it first")
		}
		next = func() (io.Reader, error) {
			m, err := list.Next()
			if err == io.EOF || err == nil && m.Extra {
				return nil, errNoRecord
			}
			return m, err
		}
	}
	for {
		from, err := next()
		if err != nil {
			return nil, nil, err
		}
		r, err := warc.NewReader(from, warc.Config{})
		if err != nil {
			return nil, nil, err
		}
		rec, err := c.find(ctx, r)
		if err == nil {
			return r, rec, nil
		}
		r.Close()
		if err != errNoRecord || from == in.in {
			return nil, nil, err
		}
	}
}

var errNoRecord error = errNo{"no such record"}

// find returns the wanted record, open for reading.
func (c *warcExtract) find(ctx context.Context, r *warc.Reader) (*warc.Record, error) {
	if c.Offset >= 0 {
		if err := r.Seek(warc.Pos{Offset: c.Offset, Skip: c.Skip}); err != nil {
			return nil, err
		}
		rec, err := r.Next()
		if err == io.EOF {
			err = fmt.Errorf("no record at offset %d", c.Offset)
		}
		return rec, err
	}
	for {
		rec, err := r.Next()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == io.EOF {
			return nil, errNoRecord
		}
		if err != nil {
			var e *warc.Error
			if errors.As(err, &e) {
				continue
			}
			return nil, err
		}
		switch rec.Type {
		case "response", "resource", "conversion":
			if c.URL != "" && rec.URI == c.URL {
				return rec, nil
			}
		}
		if c.ID != "" && (rec.ID == c.ID || "<"+rec.ID+">" == c.ID || rec.ID == "urn:uuid:"+c.ID) {
			return rec, nil
		}
	}
}

func (c *warcExtract) write(out io.Writer, r *warc.Reader, rec *warc.Record) error {
	if c.As == "record" {
		if err := rec.Close(); err != nil {
			return err
		}
		return r.CopyRecord(out, rec)
	}
	var in interface {
		io.Reader
		Close() error
	} = rec
	if rec.Segmented() {
		in = r.Segments(rec)
	}
	err := c.payload(out, bufio.NewReaderSize(in, 256<<10), rec)
	if s, ok := in.(*warc.Segments); ok && err == nil {
		err = s.Missing()
	}
	return errors.Join(err, in.Close())
}

// payload writes the payload of rec, whose block br reads.
func (c *warcExtract) payload(out io.Writer, br *bufio.Reader, rec *warc.Record) error {
	var head warc.Header
	if b, _ := br.Peek(5); string(b) == "HTTP/" && rec.Type != "conversion" {
		h, err := warc.ReadHTTP(br)
		if err != nil {
			return err
		}
		head = h.Header
	}
	if c.As == "stored" {
		_, err := io.Copy(out, br)
		return err
	}
	lim := warc.DefaultLimits
	lim.MaxBytes = int64(c.MaxBytes)
	b, err := warc.Payload(br, head, lim)
	if _, werr := out.Write(b); werr != nil {
		return werr
	}
	return err
}
