// Package pdf reads PDF: it converts a document to HTML with paragraphs, headings, lists, tables
// and running heads, in reading order.
//
// PDFium reads the characters of a page in a worker process with limits of memory and time; see
// package worker. [Reader.Read] arranges them in lines, columns and paragraphs.
//
// Unstable: this package may change in any release.
package pdf

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"chaffinch/format/document"
	"chaffinch/format/pdf/internal/wire"
	"chaffinch/format/pdf/roles"
	"chaffinch/page"
)

// startTime is the most time that a worker takes to start. Compiling PDFium takes 5 s of an idle
// processor; later starts load the compiled module from the user's cache folder.
const startTime = 2 * time.Minute

// Reader reads PDF in worker processes, which it starts when they are needed. The zero value is
// ready to use. Its methods may be called at once by several goroutines.
type Reader struct {
	// Command is the command of a worker. Default: the program itself, if it calls worker.Main.
	Command []string
	// Workers is the most processes. Default: the number of processors.
	Workers int
	// PageTime is the most time for a page. Default: 10 s.
	PageTime time.Duration
	// FilesPerWorker is the number of documents after which a worker is restarted. Default: 200.
	FilesPerWorker int

	// Rules uses the rules alone for the roles of paragraphs, without the embedded model.
	Rules bool

	once    sync.Once
	idle    chan *process // without a document
	stopped chan struct{} // processes that may be started
	closing sync.Mutex    // one Close at a time takes all processes
}

func (r *Reader) pageTime() time.Duration {
	if r.PageTime > 0 {
		return r.PageTime
	}
	return 10 * time.Second
}

func (r *Reader) filesPerWorker() int {
	if r.FilesPerWorker > 0 {
		return r.FilesPerWorker
	}
	return 200
}

func (r *Reader) start() {
	n := r.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	r.idle, r.stopped = make(chan *process, n), make(chan struct{}, n)
	for range n {
		r.stopped <- struct{}{}
	}
}

// Prepare starts a worker, unless one is idle. The next document then does not wait for the start, which
// compiles PDFium if the user's cache folder does not contain the compiled module.
func (r *Reader) Prepare(ctx context.Context) error {
	p, err := r.take(ctx)
	if err == nil {
		r.give(p)
	}
	return err
}

// take returns an idle worker. If there is none, it starts one, or waits if all are in use.
func (r *Reader) take(ctx context.Context) (*process, error) {
	r.once.Do(r.start)
	select {
	case p := <-r.idle:
		return p, nil
	default:
	}
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case p := <-r.idle:
		return p, nil
	case <-r.stopped:
		p, err := r.startProcess(ctx)
		if err != nil {
			r.give(nil)
		}
		return p, err
	}
}

// give returns a worker, or nil for one that was stopped.
func (r *Reader) give(p *process) {
	if p == nil {
		r.stopped <- struct{}{}
	} else {
		r.idle <- p
	}
}

// Close stops the workers, after calls in progress. The reader starts others when it is used
// again.
func (r *Reader) Close() {
	r.once.Do(r.start)
	r.closing.Lock()
	defer r.closing.Unlock()
	n := cap(r.idle)
	for range n {
		select {
		case p := <-r.idle:
			p.stop()
		case <-r.stopped:
		}
	}
	for range n {
		r.give(nil)
	}
}

// Read converts a document to HTML. The error reports a failure of the program, such as a
// missing worker; a document without text has [document.Document.Drop].
func (r *Reader) Read(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
	return r.read(ctx, raw, limits, nil)
}

func (r *Reader) read(ctx context.Context, raw []byte, limits document.Limits, o *OCR) (document.Document, error) {
	var m *roles.Model
	if !r.Rules {
		var err error
		if m, err = roles.Embedded(); err != nil {
			return document.Document{}, err
		}
	}
	limits = limits.WithDefaults()
	d, err := r.load(ctx, raw, limits, o)
	if err != nil {
		if reason, ok := dropReason(err); ok {
			return document.Document{Drop: reason}, nil
		}
		return document.Document{}, err
	}
	if d.cut == page.None && len(d.pages) < d.doc.Pages { // after maxFailures
		d.cut = page.Truncated
	}
	return convert(d.doc, d.pages, d.cut, limits, m), nil
}

// load reads the pages of a document, and repairs it if necessary.
func (r *Reader) load(ctx context.Context, raw []byte, limits document.Limits, o *OCR) (d reading, err error) {
	s, cut, err := r.openRepaired(ctx, raw)
	if err != nil {
		return d, err
	}
	start := s.opened
	if d, err = s.pages(ctx, limits, start, o); err != nil {
		return d, err
	}
	if d.cut == page.None {
		d.cut = cut
	}
	if cut == page.None && d.lacks() {
		return r.again(ctx, raw, limits, start, o, d)
	}
	return d, nil
}

// reading is a document that was read.
type reading struct {
	doc   wire.Doc
	pages []*wire.Page // nil for a page that cannot be read
	cut   page.Reason
	chars int
}

// lacks reports whether pages cannot be read, or no page has text or an image of it, as in damaged
// files that PDFium opens.
func (d *reading) lacks() bool {
	if d.cut != page.None {
		return false
	}
	for _, p := range d.pages {
		if p != nil && d.chars == 0 && judge(p) != empty {
			return false
		}
	}
	return d.chars == 0 || slices.Contains(d.pages, nil)
}

// again reads a document after a repair, and returns the reading with more text.
func (r *Reader) again(ctx context.Context, raw []byte, limits document.Limits, start time.Time, o *OCR, d reading) (reading, error) {
	repaired := repair(raw)
	if repaired == nil {
		return d, nil
	}
	s, err := r.open(ctx, repaired)
	if err == nil {
		var other reading
		if other, err = s.pages(ctx, limits, start, o); err == nil && other.chars > d.chars {
			other.cut = cmp.Or(other.cut, page.Truncated)
			return other, nil
		}
	}
	if _, ok := dropReason(err); err != nil && !ok {
		return d, err
	}
	return d, nil
}

// pages reads the pages of a document, by OCR if o is not nil, and closes the document.
func (s *session) pages(ctx context.Context, limits document.Limits, start time.Time, o *OCR) (d reading, err error) {
	defer s.close()
	n := s.doc.Pages
	if n > limits.MaxPages {
		n, d.cut = limits.MaxPages, page.TooLarge
	}
	failures := 0
	for number := range n {
		if limits.MaxTime > 0 && time.Since(start) > limits.MaxTime {
			d.cut = page.TooSlow
			break
		}
		b, err := s.page(ctx, wire.Read, number, nil)
		if _, ok := dropReason(err); err != nil && !ok {
			return d, err
		}
		var p *wire.Page
		if err == nil {
			p, err = wire.DecodePage(b)
		}
		if err != nil {
			if errors.Is(err, errTimeout) {
				d.cut = page.TooSlow
			}
			if fatal(err) {
				if failures++; failures > maxFailures {
					break
				}
			}
		} else if d.chars += len(p.Chars); d.chars > maxChars {
			d.cut = page.TooLarge
			break
		} else if p.Cut {
			d.cut = page.TooLarge
		}
		if o != nil && p != nil && judge(p) == unreadable {
			read, err := o.page(ctx, s, number, p)
			if err != nil {
				return d, err
			}
			if read != nil {
				p = read
			}
		}
		d.pages = append(d.pages, p)
	}
	d.doc = s.doc
	return d, nil
}

const (
	maxFailures = 3         // pages on which the worker fails, per document
	maxChars    = 8_000_000 // characters of a document
)

// openRepaired opens a document, after a repair if PDFium does not read it.
func (r *Reader) openRepaired(ctx context.Context, raw []byte) (*session, page.Reason, error) {
	s, err := r.open(ctx, raw)
	if err == nil {
		return s, page.None, nil
	}
	if reason, ok := dropReason(err); !ok || reason != page.Damaged {
		return nil, page.None, err
	}
	repaired := repair(raw)
	if repaired == nil {
		return nil, page.None, err
	}
	if s, err = r.open(ctx, repaired); err != nil {
		return nil, page.None, err
	}
	return s, page.Truncated, nil
}

// dropReason returns the reason to drop a document after an error about it.
func dropReason(err error) (page.Reason, bool) {
	var f failure
	switch {
	case errors.Is(err, errTimeout):
		return page.TooSlow, true
	case !errors.As(err, &f):
		return page.None, false
	case f.status == wire.Encrypted:
		return page.Encrypted, true
	}
	return page.Damaged, true
}

// Render draws a page, from 1, as PNG with a width in pixels.
func (r *Reader) Render(ctx context.Context, raw []byte, number, width int) ([]byte, error) {
	s, _, err := r.openRepaired(ctx, raw)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.page(ctx, wire.Render, number-1, binary.LittleEndian.AppendUint32(nil, uint32(width)))
}
