package model

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

func write(t *testing.T) (path string, raw []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "m")
	w := must.Get(Create(path, Header{Kind: "test", Behaviour: 3, Name: "tiny"}))(t)
	w.Section("a")
	w.Write([]byte("hello "))
	w.Write([]byte("world"))
	w.Section("empty")
	w.Section("b")
	w.Write(bytes.Repeat([]byte{7}, 1000))
	must.Succeed(t, w.Close())
	return path, must.Read(t, path)
}

func TestRoundTrip(t *testing.T) {
	path, _ := write(t)
	f := must.Get(Open(path))(t)
	defer f.Close()
	must.Succeed(t, f.Want("test", 1, 3))
	if err := f.Want("other", 1, 3); err == nil {
		t.Error("Want took the wrong kind")
	}
	if err := f.Want("test", 4, 5); err == nil {
		t.Error("Want took an old behaviour")
	}
	f.Name = ""
	if err := f.Want("other", 1, 3); err == nil || !strings.HasPrefix(err.Error(), "model "+path+": ") {
		t.Errorf("error of a model without a name: %v", err)
	}
	if b, ok := f.Section("a"); !ok || string(b) != "hello world" {
		t.Errorf("a = %q, %v", b, ok)
	}
	if b, ok := f.Section("empty"); !ok || len(b) != 0 {
		t.Errorf("empty = %q, %v", b, ok)
	}
	if _, ok := f.Section("missing"); ok {
		t.Error("found a section that was not written")
	}
}

// Every damaged byte and every truncation must be noticed.
func TestDamage(t *testing.T) {
	_, raw := write(t)
	for i := range raw {
		b := bytes.Clone(raw)
		b[i] ^= 0x40
		if _, err := Parse("m", b); err == nil {
			t.Fatalf("byte %d of %d changed and nobody noticed", i, len(raw))
		}
		if _, err := Parse("m", raw[:i]); err == nil {
			t.Fatalf("cut at byte %d of %d and nobody noticed", i, len(raw))
		}
	}
}

func TestUnfinished(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m")
	w := must.Get(Create(path, Header{Kind: "test"}))(t)
	w.Section("a")
	w.Write([]byte("x"))
	tmp := must.Read(t, w.file.Path())
	must.Fail(t, must.Err(Parse("m", tmp)), "did not finish")
	w.Abort()
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("Abort left %v", left)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := Parse("fuzz", b); err == nil {
			for _, s := range m.sections {
				m.Section(s.Name)
			}
		}
	})
}

// A model made in memory has the same bytes as one made on disk.
func TestMemory(t *testing.T) {
	_, raw := write(t)
	w := Memory(Header{Kind: "test", Behaviour: 3, Name: "tiny"})
	w.Section("a")
	w.Write([]byte("hello world"))
	w.Section("empty")
	w.Section("b")
	w.Write(bytes.Repeat([]byte{7}, 1000))
	b, err := w.Bytes()
	if err != nil || !bytes.Equal(b, raw) {
		t.Errorf("%d bytes, wanted the %d of the file: %v", len(b), len(raw), err)
	}
}
