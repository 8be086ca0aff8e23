package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestPart writes a file in two runs: the old one stays until the new one is
// whole, behind a link too, and a part that is whole gets its name once.
func TestPart(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "out"), filepath.Join(t.TempDir(), "link")
	must.Succeed(t, os.WriteFile(name, []byte("old"), 0o640))
	if err := os.Symlink(name, link); err != nil {
		testkit.Lacks(t, "links", err)
	}
	for i, run := range []struct {
		length int64
		text   string
	}{{0, "first, lost"}, {6, "second"}} {
		o := must.Get(openPart(link, run.length))(t)
		must.Is(t, must.Err(openPart(link, 0)), errBusy)
		must.Succeed(t, must.Err(io.WriteString(o, run.text)))
		if got := content(t, link); got != "old" {
			t.Errorf("run %d: the output is %q before it is whole", i, got)
		}
		o.Discard()
	}
	for range 2 {
		must.Succeed(t, Publish(link))
	}
	must.Equal(t, content(t, name), "first,second")
	if st, err := os.Lstat(link); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if st, err := os.Stat(name); err != nil || st.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, want that of the old file", st.Mode())
	}
	if _, err := openPart(name, 7); err == nil {
		t.Error("a part that is shorter than its checkpoint says is no error")
	}
}

// TestSpecial wants an open file under a name of the system to be written in place, whether it
// is a pipe or a file.
func TestSpecial(t *testing.T) {
	r, w, err := os.Pipe()
	must.Succeed(t, err)
	defer r.Close()
	defer w.Close()
	f := must.Get(os.Create(filepath.Join(t.TempDir(), "f")))(t)
	defer f.Close()
	must.Succeed(t, must.Err(f.WriteString("head ")))
	for _, to := range []*os.File{w, f} {
		name := fmt.Sprintf("/proc/self/fd/%d", to.Fd())
		if _, err := os.Stat(name); err != nil {
			testkit.Lacks(t, "names of open files", err)
		}
		for _, open := range []func() (*Output, error){func() (*Output, error) { return openPart(name, 0) }, func() (*Output, error) { return Create(name) }} {
			o := must.Get(open())(t)
			if o.Path() != name {
				t.Fatalf("written to %s, want in place", o.Path())
			}
			must.Succeed(t, must.Err(io.WriteString(o, "text")))
			must.Succeed(t, o.Commit())
		}
	}
	must.Equal(t, content(t, f.Name()), "head texttext", "the file holds")
	b := make([]byte, 100)
	if n, err := r.Read(b); err != nil || string(b[:n]) != "texttext" {
		t.Errorf("the pipe gave %q, %v", b[:n], err)
	}
}

// TestGrowPacked writes a packed file in one run and in two, and wants the same
// bytes, which unpack to what was written.
func TestGrowPacked(t *testing.T) {
	dir := t.TempDir()
	var whole bytes.Buffer
	write := func(name string, stop bool) []byte {
		whole.Reset()
		g := must.Get(Grow(name, 0))(t)
		for i := range 100000 {
			line := fmt.Sprintf("line %d of a text that is packed\n", i)
			whole.WriteString(line)
			must.Succeed(t, must.Err(io.WriteString(g, line)))
			if !g.Full() {
				continue
			}
			n, err := g.Cut()
			must.Succeed(t, err)
			if stop {
				must.Succeed(t, must.Err(io.WriteString(g, "what is lost")))
				must.Succeed(t, g.Sync())
				g.Discard()
				if g, err = Grow(name, n); err != nil {
					t.Fatal(err)
				}
			}
		}
		must.Succeed(t, errors.Join(g.End(), g.Commit(), g.Commit()))
		return []byte(content(t, name))
	}
	a, b := write(filepath.Join(dir, "a.zst"), false), write(filepath.Join(dir, "b.zst"), true)
	if !bytes.Equal(a, b) {
		t.Errorf("%d bytes in one run, %d in several", len(a), len(b))
	}
	z := must.Get(zstd.NewReader(bytes.NewReader(a)))(t)
	defer z.Close()
	if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, whole.Bytes()) {
		t.Errorf("unpacked %d of %d bytes, error %v", len(got), whole.Len(), err)
	}
	if _, err := Grow(filepath.Join(dir, "c.bz2"), 0); err == nil {
		t.Error("bzip2 is not refused")
	}
}
