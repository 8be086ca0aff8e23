// Package worker makes a program the worker of [chaffinch/format/pdf]: it reads PDF with PDFium,
// a WebAssembly module without access to files or the network. Programs that read PDF call
// [Main] first in main. Importing the package adds 9 MB to a program.
//
// Unstable: this package may change in any release.
package worker

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"chaffinch/format/pdf"
	"chaffinch/format/pdf/internal/wire"
)

// Main runs a worker and exits if [chaffinch/format/pdf.Reader] started the program as one.
// Otherwise, it allows readers to start the program and returns.
func Main() {
	if os.Getenv(wire.Env) == "" {
		pdf.AllowSelf()
		return
	}
	signal.Ignore(os.Interrupt) // the reader stops the worker
	if err := serve(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pdf worker:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve answers requests until the input ends or PDFium fails.
func serve(ctx context.Context, in io.Reader, out io.Writer) error {
	e, err := newEngine(ctx)
	if err != nil {
		return err
	}
	r, w := bufio.NewReader(in), bufio.NewWriter(out)
	if err := wire.WriteResponse(w, wire.OK, nil); err != nil { // ready
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	var doc *document
	for {
		op, number, payload, err := wire.ReadRequest(r)
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		var b []byte
		if op == wire.Open {
			if doc != nil {
				doc.close()
			}
			doc, b, err = e.open(payload)
		} else {
			b, err = doc.answer(op, number, payload)
		}
		status := byte(wire.OK)
		if err != nil {
			status, b = statusOf(err), []byte(err.Error())
		}
		if err := wire.WriteResponse(w, status, b); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if status == wire.Trapped {
			return nil
		}
	}
}

var errEncrypted = errors.New("the document needs a password")

func statusOf(err error) byte {
	var t trap
	switch {
	case errors.As(err, &t):
		return wire.Trapped
	case errors.Is(err, errEncrypted):
		return wire.Encrypted
	}
	return wire.Damaged
}

// catch sets err to the trap that the caller panicked with.
func catch(err *error) {
	if r := recover(); r != nil {
		t, ok := r.(trap)
		if !ok {
			panic(r)
		}
		*err = t
	}
}

// answer answers a request about a page.
func (d *document) answer(op byte, number int, payload []byte) (b []byte, err error) {
	defer catch(&err)
	if d == nil || number < 0 || number >= d.pages {
		return nil, fmt.Errorf("page %d: no such page", number)
	}
	switch {
	case op == wire.Read:
		p, err := d.read(number)
		if err != nil {
			return nil, err
		}
		return p.Encode()
	case op == wire.Render && len(payload) == 4:
		return d.render(number, int(binary.LittleEndian.Uint32(payload)))
	}
	return nil, fmt.Errorf("request %q: unknown", op)
}

// open opens a document in a fresh instance and describes it as JSON.
func (e *engine) open(raw []byte) (d *document, b []byte, err error) {
	defer catch(&err)
	i, err := e.start()
	if err != nil {
		return nil, nil, err
	}
	d = &document{instance: i}
	if err := d.load(raw); err != nil {
		d.close()
		return nil, nil, err
	}
	b, err = json.Marshal(d.describe())
	return d, b, err
}
