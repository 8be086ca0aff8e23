package files

import (
	"bufio"
	"fmt"
	"io"

	"chaffinch/internal/packed"
)

// Growing is an output that is written from its first byte to its last, by one
// run or by several: each goes on where the one before was cut. A file whose name
// says that it is packed is, in members.
type Growing struct {
	w    *bufio.Writer
	n    int64          // bytes of the output up to here, packed
	out  *Output        // nil if it is not a file of ours
	pack *packed.Writer // nil if it is not packed
	some bool           // something was written
}

// growBuffer is the size of the buffer of an output.
const growBuffer = 1 << 18

// GrowOn returns an output on w, which nothing here closes.
func GrowOn(w io.Writer) *Growing { return &Growing{w: bufio.NewWriterSize(w, growBuffer)} }

// Grow opens a file to go on behind length bytes, with all that [openPart] says.
func Grow(name string, length int64) (*Growing, error) {
	if err := packable(name); err != nil {
		return nil, err
	}
	out, err := openPart(name, length)
	if err != nil {
		return nil, err
	}
	return grow(out, name, length)
}

// GrowOnce starts a file that one run writes, or nobody: see [Create].
func GrowOnce(name string) (*Growing, error) {
	if err := packable(name); err != nil {
		return nil, err
	}
	out, err := Create(name)
	if err != nil {
		return nil, err
	}
	return grow(out, name, 0)
}

// packable is an error if the end of a name promises a packing that is not written.
func packable(name string) error {
	if kind, _ := packed.CutSuffix(name); kind != packed.Plain && !kind.Writes() {
		return fmt.Errorf("output %s: %s is not written: take %s, or pack it afterwards", name, kind, packed.WrittenSuffixes())
	}
	return nil
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

// counted takes the bytes of the output as they will stand in it.
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

// Some tells whether anything was written.
func (g *Growing) Some() bool { return g.some }

// Packed tells whether the output is packed. Then its bytes depend on where it is
// cut, which is to be where it is [Growing.Full] and nowhere else.
func (g *Growing) Packed() bool { return g.pack != nil }

// Full tells that a packed output should be cut.
func (g *Growing) Full() bool { return g.pack != nil && g.pack.Full() }

// Cut lets another run go on from here, and returns the length up to here.
func (g *Growing) Cut() (int64, error) {
	if g.pack != nil {
		if err := g.pack.Cut(); err != nil {
			return g.n, err
		}
	}
	return g.n, nil
}

// End ends what is packed, when all is written.
func (g *Growing) End() error {
	if g.pack == nil {
		return nil
	}
	return g.pack.Close()
}

// Flush hands on what is held.
func (g *Growing) Flush() error { return g.w.Flush() }

// Sync brings what was written to stable storage.
func (g *Growing) Sync() error {
	if err := g.w.Flush(); err != nil || g.out == nil {
		return err
	}
	return g.out.Sync()
}

// Commit gives a file its name, if it has not got it.
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

// Discard gives up, unless the file was committed: a part stays.
func (g *Growing) Discard() {
	if g != nil {
		g.out.Discard()
	}
}

// ReplacePacked is [Replace] for a file that is packed if its name says so.
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

// members ends each member of a packed output that is large enough.
type members struct{ g *Growing }

func (m members) Write(b []byte) (n int, err error) {
	if n, err = m.g.Write(b); err == nil && m.g.Full() {
		_, err = m.g.Cut()
	}
	return n, err
}
