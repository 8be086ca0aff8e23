package files

import (
	"bufio"
	"fmt"
	"io"

	"chaffinch/internal/packed"
)

// Growing is an output that one or several runs write from the first byte to the last. Each run
// resumes at the last cut of the previous one. If the file name has a compression suffix, the
// output is compressed in members.
type Growing struct {
	w    *bufio.Writer
	n    int64          // size of the output so far, compressed
	out  *Output        // nil if the output is not a file opened here
	pack *packed.Writer // nil if the output is not compressed
	some bool           // something was written
}

// growBuffer is the size of the buffer of an output.
const growBuffer = 1 << 18

// GrowOn returns an output that writes to w. It does not close w.
func GrowOn(w io.Writer) *Growing { return &Growing{w: bufio.NewWriterSize(w, growBuffer)} }

// Grow opens a file to append after length bytes, see [openPart].
func Grow(name string, length int64) (*Growing, error) {
	if err := packed.CheckName(name); err != nil {
		return nil, err
	}
	out, err := openPart(name, length)
	if err != nil {
		return nil, err
	}
	return grow(out, name, length)
}

// GrowOnce creates a file that a single run writes completely, see [Create].
func GrowOnce(name string) (*Growing, error) {
	if err := packed.CheckName(name); err != nil {
		return nil, err
	}
	out, err := Create(name)
	if err != nil {
		return nil, err
	}
	return grow(out, name, 0)
}

func grow(out *Output, name string, length int64) (*Growing, error) {
	g := GrowOn(out)
	g.out, g.n, g.some = out, length, length > 0
	if kind, _ := packed.CutSuffix(name); kind != packed.Plain {
		var err error
		if g.pack, err = packed.NewWriter(counted{g}, kind, g.some); err != nil {
			out.Discard()
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return g, nil
}

// counted counts the bytes of the output, after compression.
type counted struct{ g *Growing }

func (c counted) Write(b []byte) (int, error) {
	n, err := c.g.w.Write(b)
	c.g.n += int64(n)
	return n, err
}

// Write writes b, compressed or not.
func (g *Growing) Write(b []byte) (int, error) {
	g.some = g.some || len(b) > 0
	if g.pack != nil {
		return g.pack.Write(b)
	}
	return counted{g}.Write(b)
}

// Some reports whether anything was written.
func (g *Growing) Some() bool { return g.some }

// Packed reports whether the output is compressed. Its bytes then depend on where it is cut: cut it
// where [Growing.Full] reports true and nowhere else.
func (g *Growing) Packed() bool { return g.pack != nil }

// Full reports whether a compressed output should be cut.
func (g *Growing) Full() bool { return g.pack != nil && g.pack.Full() }

// Cut ends the current member, so that another run can resume here. It returns the length of the
// output.
func (g *Growing) Cut() (int64, error) {
	if g.pack != nil {
		if err := g.pack.Cut(); err != nil {
			return g.n, err
		}
	}
	return g.n, nil
}

// End ends the compression after the last write.
func (g *Growing) End() error {
	if g.pack == nil {
		return nil
	}
	return g.pack.Close()
}

// Flush writes the buffer to the output.
func (g *Growing) Flush() error { return g.w.Flush() }

// Sync writes the output to stable storage.
func (g *Growing) Sync() error {
	if err := g.w.Flush(); err != nil || g.out == nil {
		return err
	}
	return g.out.Sync()
}

// Commit renames a file to its final name, unless that was done.
func (g *Growing) Commit() error {
	if g.out == nil {
		return g.w.Flush()
	}
	if g.out.closed {
		return nil
	}
	if err := g.w.Flush(); err != nil {
		return err
	}
	return g.out.Commit()
}

// Discard abandons the output unless it was committed. A part remains.
func (g *Growing) Discard() {
	if g != nil {
		g.out.Discard()
	}
}

// ReplacePacked is [Replace] for a file that is compressed if its name has a compression suffix.
func ReplacePacked(name string, fn func(w io.Writer) error) error {
	g, err := GrowOnce(name)
	if err != nil {
		return err
	}
	defer g.Discard()
	if err := fn(members{g}); err != nil {
		return err
	}
	if err := g.End(); err != nil {
		return err
	}
	return g.Commit()
}

// members cuts a compressed output whenever a member is full.
type members struct{ g *Growing }

func (m members) Write(b []byte) (n int, err error) {
	if n, err = m.g.Write(b); err == nil && m.g.Full() {
		_, err = m.g.Cut()
	}
	return n, err
}
