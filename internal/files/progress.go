package files

import (
	"sync/atomic"

	"chaffinch/internal/packed"
)

// progress counts the bytes that are read of a list of files. done may be called
// at any time, the rest by the reader alone.
type progress struct {
	before atomic.Int64 // of the files before the one that is read
	in     atomic.Pointer[packed.Reader]
	most   atomic.Int64 // what done has told
}

// begin goes to a file with that many bytes in the files before it.
func (p *progress) begin(before int64) {
	p.in.Store(nil)
	p.before.Store(before)
	p.most.Store(0)
}

// read tells what reads the file at hand, nil if nothing does any more.
func (p *progress) read(in *packed.Reader) { p.in.Store(in) }

// pass goes on behind the file at hand, of that size.
func (p *progress) pass(size int64) {
	p.in.Store(nil) // first, so that the file never counts twice
	p.before.Add(max(size, 0))
}

// done returns how many bytes are read. It never goes back, although behind
// damage a file is read again.
func (p *progress) done() int64 {
	done := p.before.Load()
	if in := p.in.Load(); in != nil {
		done += in.PackedOffset()
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
