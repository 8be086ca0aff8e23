package input

import (
	"io"
	"os"
	"slices"
	"sync"

	"chaffinch/format/plain"
	"chaffinch/format/sniff"
	"chaffinch/internal/packed"
	"chaffinch/page"
)

// whole reads a file of that size, which stands at its beginning, if it is one
// page that is not packed: with one buffer and nothing in between. It returns
// nil for all else, and where reading fails; what was taken of the file then
// has to be read again.
func (r *Reader) whole(file *os.File, size int64, name string, named bool) *plainForm {
	kind := r.cfg.Form
	if r.cfg.Kept || size <= 0 || size > r.cfg.MaxPageBytes || kind != "" && kind != formHTML && kind != formText {
		return nil
	}
	buf := r.spare.get(int(size) + 1) // one more, to see the end
	n, err := io.ReadFull(file, buf[:min(len(buf), sniff.Bytes)])
	head := buf[:n]
	if n == 0 || err != nil && err != io.ErrUnexpectedEOF || packed.KindOf(head) != packed.Plain || r.manifold(head) {
		r.spare.put(buf)
		return nil
	}
	f := &plainForm{name: name, named: named, cfg: r.cfg, kind: kind}
	f.page = f.classify(head[:min(n, plain.SniffBytes)])
	if f.page.Drop != page.None {
		r.spare.put(buf)
		return f
	}
	for err == nil {
		if n == len(buf) { // it has grown
			r.spare.put(buf)
			return nil
		}
		var k int
		k, err = file.Read(buf[n:])
		n += k
	}
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		r.spare.put(buf)
		return nil
	}
	f.page.Raw = buf[:n]
	return f
}

// manifold reports whether a file that begins with head holds more than one page.
func (r *Reader) manifold(head []byte) bool {
	found := sniff.Of(head, "doc")
	return holds(found) || r.cfg.Form == "" && recognise(found) != ""
}

// Release takes back a page that Next has returned. Its memory serves pages to
// come, so nothing may refer to the page or to parts of it any more, strings
// included. It is safe for concurrent use.
func (r *Reader) Release(p *page.Page) {
	if p.Raw != nil {
		r.spare.put(p.Raw)
		p.Raw = nil
	}
}

// buffers keeps buffers for pages to come, the last ones on top: they are
// likely to be in the processor's cache.
type buffers struct {
	mu    sync.Mutex
	free  [][]byte
	bytes int
}

// Bounds of the bytes of the buffers that are kept: of all, and of one.
const maxSpare, maxSpareOne = 8 << 20, 2 << 20

// get returns a buffer of that length with any content. It is not much larger,
// since the pages in flight are limited by their length.
func (b *buffers) get(size int) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := len(b.free) - 1; i >= 0; i-- {
		if buf := b.free[i]; size <= cap(buf) && cap(buf) <= 4*size+64<<10 {
			b.free = slices.Delete(b.free, i, i+1)
			b.bytes -= cap(buf)
			return buf[:size]
		}
	}
	return make([]byte, size, size+size/4)
}

// put takes a buffer that nobody uses.
func (b *buffers) put(buf []byte) {
	if cap(buf) > maxSpareOne {
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
