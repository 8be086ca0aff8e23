package input

import (
	"io"
	"slices"
	"sync"

	"chaffinch/format/plain"
	"chaffinch/format/sniff"
	"chaffinch/internal/packed"
	"chaffinch/page"
)

// readWhole reads a file of the given size from its beginning, if it is one uncompressed page, into
// a single buffer. It returns nil for other files and after a read error; the bytes already
// read must then be read again.
func (r *Reader) readWhole(file io.Reader, size int64, name string, named bool) *plainForm {
	kind := r.cfg.Form
	if r.cfg.Kept || size <= 0 || size > r.cfg.MaxPageBytes || kind != "" && kind != formHTML && kind != formText {
		return nil
	}
	whole := int(size)
	buf := r.spare.get(whole + 1) // one more byte, to detect a file that has grown
	n, err := io.ReadAtLeast(file, buf[:min(len(buf), firstRead)], min(whole, firstRead))
	head := buf[:min(n, sniff.Bytes)]
	if n == 0 || err != nil && err != io.ErrUnexpectedEOF || packed.KindOf(head) != packed.Plain || r.hasManyPages(head, name) {
		r.spare.put(buf)
		return nil
	}
	f := &plainForm{name: name, named: named, cfg: r.cfg, kind: kind}
	f.page = f.classify(head[:min(n, plain.SniffBytes)])
	if f.page.Drop != page.None {
		r.spare.put(buf)
		return f
	}
	if err == nil && n < whole {
		var k int
		k, err = io.ReadAtLeast(file, buf[n:], whole-n)
		n += k
	}
	if n > whole || err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		r.spare.put(buf)
		return nil
	}
	f.page.Raw = buf[:n]
	return f
}

// firstRead is the number of bytes that readWhole reads before it detects the form of a file. Most pages
// are shorter, so that one read is enough.
const firstRead = 64 << 10

// hasManyPages reports whether a file that begins with head contains more than one page.
func (r *Reader) hasManyPages(head []byte, name string) bool {
	found := detect(head, name)
	return holds(found) || r.cfg.Form == "" && recognise(found) != ""
}

// Release recycles a page that Next returned. Nothing may refer to the page or its parts
// afterwards, strings included. Release is safe for concurrent use.
func (r *Reader) Release(p *page.Page) {
	if p.Raw != nil {
		r.spare.put(p.Raw)
		p.Raw = nil
	}
}

// buffers holds recycled buffers, the most recent ones on top, because they are likely to be in
// the processor's cache.
type buffers struct {
	mu    sync.Mutex
	free  [][]byte
	bytes int
}

// maxSpare is the maximum number of bytes of recycled buffers.
const maxSpare = 8 << 20

// get returns a buffer of the given length with undefined content.
func (b *buffers) get(size int) []byte {
	if buf := b.take(size); buf != nil {
		return buf[:size]
	}
	return make([]byte, size, size+size/4)
}

// take returns an empty recycled buffer for the given length, or nil if there is none. Its capacity is
// not much larger, because pages in flight are limited by their length.
func (b *buffers) take(size int) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := len(b.free) - 1; i >= 0; i-- {
		if buf := b.free[i]; size <= cap(buf) && cap(buf) <= 4*size+64<<10 {
			b.free = slices.Delete(b.free, i, i+1)
			b.bytes -= cap(buf)
			return buf[:0]
		}
	}
	return nil
}

// put recycles a buffer.
func (b *buffers) put(buf []byte) {
	if cap(buf) > maxSpare {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free = append(b.free, buf)
	b.bytes += cap(buf)
	for b.bytes > maxSpare {
		b.bytes -= cap(b.free[0])
		b.free = slices.Delete(b.free, 0, 1)
	}
}
