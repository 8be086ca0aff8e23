package files

import (
	"sync/atomic"

	"chaffinch/internal/packed"
)

// progress counts the bytes read of a list of files. done may be called at any time, the other
// methods by the reader only.
type progress struct {
	before atomic.Int64 // of the files before the current one
	from   atomic.Int64 // offset at which the current file begins
	in     atomic.Pointer[packed.Reader]
	most   atomic.Int64 // largest result of done so far
}

// begin starts a file that has before bytes in the files before it.
func (p *progress) begin(before int64) {
	p.in.Store(nil)
	p.before.Store(before)
	p.most.Store(0)
}

// read sets the reader of the current file, nil if it is closed, and the offset of its first
// record to read.
func (p *progress) read(in *packed.Reader, from int64) {
	p.in.Store(nil)
	p.from.Store(from)
	p.in.Store(in)
}

// pass ends the current file, which has size bytes.
func (p *progress) pass(size int64) {
	p.in.Store(nil) // first, so that the file never counts twice
	p.before.Add(max(size, 0))
}

// done returns the number of bytes read. It never decreases, although a file is read again after
// damage.
func (p *progress) done() int64 {
	done := p.before.Load()
	if in := p.in.Load(); in != nil {
		done += max(0, in.PackedOffset()-p.from.Load())
	}
	for {
		most := p.most.Load()
		if done <= most {
			return most
		}
		if p.most.CompareAndSwap(most, done) {
			return done
		}
	}
}
