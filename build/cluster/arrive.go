package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"chaffinch/build/store"
	"chaffinch/format/sniff"
	"chaffinch/internal/disk"
)

// Objects are fetched in ranges, rangesAtOnce of them concurrently and in order. The first ranges have
// firstRange bytes, so that several connections soon serve the reader; later ones grow up to lastRange.
const (
	firstRange   = 256 << 10
	lastRange    = 8 << 20
	rangesAtOnce = 4
)

// readAhead is the number of bytes fetched after a piece, for its reader.
const readAhead = 64 << 10

// fetching fetches the objects of a shard to files, while others read the files.
type fetching struct {
	stop  context.CancelFunc
	files []*arrival
	queue []*part
	next  atomic.Int64 // index in queue
	wg    sync.WaitGroup
}

// arrival is a file that is being fetched. It implements [input.Arrival].
type arrival struct {
	open func(ctx context.Context, from, n int64) (io.ReadCloser, error)
	path string
	size int64

	mu    sync.Mutex
	more  sync.Cond
	parts []*part // ascending
	first int     // of the parts that have not arrived
	err   error
}

// part is a range of a file.
type part struct {
	of            *arrival
	from, to, got int64
}

// add plans the fetch of a piece: the head of the object and the piece itself, each at the same
// offset of the file.
func (f *fetching) add(s store.Store, name string, p *Piece) error {
	a := &arrival{path: p.At, size: p.Size, open: func(ctx context.Context, from, n int64) (io.ReadCloser, error) {
		return s.Open(ctx, name, from, n)
	}}
	a.more.L = &a.mu
	if err := disk.MkdirAll(filepath.Dir(p.At)); err != nil {
		return err
	}
	out, err := disk.OpenFile(p.At, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	if err := errors.Join(out.Truncate(p.Size), out.Close()); err != nil {
		return err
	}
	from, to := p.From, p.Size
	if p.To > 0 {
		to = min(p.To+readAhead, p.Size)
	}
	if head := min(sniff.Bytes, p.Size); from <= head {
		from = 0
	} else {
		a.parts = append(a.parts, &part{of: a, to: head})
	}
	for i := 0; from < to; i++ {
		next := min(from+min(int64(firstRange)<<min(i/(2*rangesAtOnce), 8), lastRange), to)
		a.parts = append(a.parts, &part{of: a, from: from, to: next})
		from = next
	}
	f.files, f.queue = append(f.files, a), append(f.queue, a.parts...)
	p.Arrival = a
	return nil
}

// start begins to fetch.
func (f *fetching) start(ctx context.Context) {
	ctx, f.stop = context.WithCancel(ctx)
	for range min(rangesAtOnce, len(f.queue)) {
		f.wg.Go(func() {
			for {
				i := f.next.Add(1) - 1
				if i >= int64(len(f.queue)) {
					return
				}
				if err := f.queue[i].fetch(ctx); err != nil {
					for _, a := range f.files {
						a.fail(err)
					}
					f.stop()
					return
				}
			}
		})
	}
}

// wait waits until all files have arrived.
func (f *fetching) wait() error {
	f.wg.Wait()
	return f.failed()
}

// failed returns the error that ended the fetch, or nil.
func (f *fetching) failed() error {
	for _, a := range f.files {
		a.mu.Lock()
		err := a.err
		a.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// end stops the fetch.
func (f *fetching) end() {
	f.stop()
	f.wg.Wait()
}

// fetch writes the range to the file. The store retries, and resumes within the range.
func (p *part) fetch(ctx context.Context) (err error) {
	in, err := p.of.open(ctx, p.from, p.to-p.from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := disk.OpenFile(p.of.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if _, err := out.Seek(p.from, io.SeekStart); err != nil {
		return err
	}
	n := p.to - p.from
	got, err := io.Copy(&arriving{out, p}, io.LimitReader(in, n)) // the bytes after the range are of another one
	if err == nil && got != n {
		err = fmt.Errorf("%d bytes from byte %d on, wanted %d", got, p.from, n)
	}
	return err
}

// arriving writes a range.
type arriving struct {
	file io.Writer
	part *part
}

// Write writes bytes and wakes their readers.
func (w *arriving) Write(b []byte) (int, error) {
	n, err := w.file.Write(b)
	a := w.part.of
	a.mu.Lock()
	w.part.got += int64(n)
	a.mu.Unlock()
	a.more.Broadcast()
	return n, err
}

func (a *arrival) fail(err error) {
	a.mu.Lock()
	if a.err == nil {
		a.err = err
	}
	a.mu.Unlock()
	a.more.Broadcast()
}

// Wait waits until the bytes of the piece before offset end have arrived. It returns the offset up to
// which they have arrived.
func (a *arrival) Wait(end int64) (int64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		for a.first < len(a.parts) && a.parts[a.first].got == a.parts[a.first].to-a.parts[a.first].from {
			a.first++
		}
		if a.first == len(a.parts) {
			return a.size, nil
		}
		if p := a.parts[a.first]; p.from+p.got >= min(end, a.size) {
			return p.from + p.got, nil
		}
		if a.err != nil {
			return 0, a.err
		}
		a.more.Wait()
	}
}
