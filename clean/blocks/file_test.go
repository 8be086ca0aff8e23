package blocks

import (
	"bytes"
	"context"
	"encoding/binary"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"chaffinch/internal/boost"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	"chaffinch/model/data"
	"chaffinch/page"
)

// saved returns the bytes of a model file.
func saved(t testing.TB, m *Model) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.chf")
	must.Succeed(t, m.Save(path, model.Header{Name: "test"}))
	return must.Read(t, path)
}

// smallSaved is the file of [small], saved once for all tests.
var smallSaved []byte

// savedSmall returns the bytes of the file of [small].
func savedSmall(t testing.TB) []byte {
	t.Helper()
	if smallSaved == nil {
		smallSaved = saved(t, small(t))
	}
	return bytes.Clone(smallSaved)
}

// rewrite copies a model file; change may return another uncompressed content for a section, or
// nil to leave it out.
func rewrite(t testing.TB, b []byte, change func(name string, content []byte) []byte) []byte {
	t.Helper()
	f := must.Get(model.Parse("m", b))(t)
	w := model.Memory(f.Header)
	for _, name := range f.Sections() {
		packed, _ := f.Section(name)
		content := must.Get(model.Unpack(packed))(t)
		changed := change(name, bytes.Clone(content))
		if changed == nil {
			continue
		}
		if !bytes.Equal(changed, content) {
			packed = must.Get(model.Pack(changed))(t)
		}
		w.Section(name)
		w.Write(packed)
	}
	return must.Get(w.Bytes())(t)
}

// only returns a change of one section.
func only(section string, change func(b []byte) []byte) func(string, []byte) []byte {
	return func(name string, b []byte) []byte {
		if name == section {
			return change(b)
		}
		return b
	}
}

func TestBrokenFiles(t *testing.T) {
	good := savedSmall(t)
	for _, c := range []struct {
		name   string
		change func(string, []byte) []byte
		want   string
	}{
		{"no words", only(sectionWords, func([]byte) []byte { return nil }), `no section "words"`},
		{"no roles", only(sectionRoles, func([]byte) []byte { return []byte("[]") }), "train the model again"},
		{"roles are no list", only(sectionRoles, func([]byte) []byte { return []byte("{}") }), "section roles"},
		{"weights cut", only(sectionAttributes, func(b []byte) []byte { return b[:len(b)-1] }), "bytes, wanted"},
		{"scale is not a number", only(sectionWords, func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[4:], 0x7FC00000)
			return b
		}), "scale"},
		{"bias without end", only(sectionWords, func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b, 0x7F800000)
			return b
		}), "bias"},
		{"a weight of 8 bits", only(sectionWords, func(b []byte) []byte { b[100] = 64; return b }), "a weight of 64 steps"},
		{"a hint of 8 bits", only(sectionHints, func(b []byte) []byte { b[100] = 0x80; return b }), "a weight of -128 steps"},
		{"hints cut", only(sectionHints, func(b []byte) []byte { return b[:len(b)-1] }), "section hints"},
		{"another column", only(sectionCuts, func(b []byte) []byte { b[1] = 'X'; return b }), "train the model again"},
		{"cuts end", only(sectionCuts, func(b []byte) []byte { return b[:len(b)-2] }), "section cuts"},
		{"cuts go on", only(sectionCuts, func(b []byte) []byte { return append(b, 0) }), "too many"},
		{"cuts fall", only(sectionCuts, func(b []byte) []byte {
			at := 1 + int(b[0]) + 1
			copy(b[at:at+4], b[at+4:at+8])
			return b
		}), "after"},
		{"longest name of a column", only(sectionCuts, func(b []byte) []byte { return append([]byte{255}, b[1:]...) }), "section cuts: column 0 is"},
		{"forest cut", only(sectionForest, func(b []byte) []byte { return b[:len(b)/2] }), "section forest"},
	} {
		_, err := parse("m", rewrite(t, good, c.change))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", c.name, err, c.want)
		}
	}
}

// TestUncompressed: a file with uncompressed sections is read, if it says so.
func TestUncompressed(t *testing.T) {
	m := small(t)
	f := must.Get(model.Parse("m", saved(t, m)))(t)
	for behaviour, want := range map[int]string{3: "", 4: "section roles"} {
		h := f.Header
		h.Behaviour = behaviour
		w := model.Memory(h)
		for _, name := range f.Sections() {
			packed, _ := f.Section(name)
			content := must.Get(model.Unpack(packed))(t)
			w.Section(name)
			w.Write(content)
		}
		b := must.Get(w.Bytes())(t)
		got, err := parse("m", b)
		if want != "" {
			must.Fail(t, err, want)
			continue
		}
		must.Succeed(t, err)
		if !bytes.Equal(saved(t, got), saved(t, m)) {
			t.Error("another model")
		}
	}
}

// firstCuts returns the section of cuts with the first n columns only.
func firstCuts(t testing.TB, b []byte, n int) []byte {
	t.Helper()
	rest := b
	for range n {
		var err error
		if _, rest, err = boost.ReadCuts(rest[1+int(rest[0]):]); err != nil {
			t.Fatal(err)
		}
	}
	return b[:len(b)-len(rest)]
}

// TestOlderColumns: a file from before the last columns came is read, labels as it
// did and is written as it was; one whose forest looks at columns that it lacks is
// not read.
func TestOlderColumns(t *testing.T) {
	whole := savedSmall(t)
	older := rewrite(t, whole, only(sectionCuts, func(b []byte) []byte { return firstCuts(t, b, int(columns)-1) }))
	p := cut(t, "<ul><li>Home<li>About</ul><p>A line of text, which ends with a full stop.")
	var want []page.Verdict
	for _, b := range [][]byte{whole, older} {
		m := must.Get(parse("m", b))(t)
		l := must.Get(NewWith(m, Default))(t)
		v := must.Get(l.Label(context.Background(), p))(t)
		if want == nil {
			want = v
		}
		if !reflect.DeepEqual(v, want) {
			t.Errorf("labels %v, with all columns %v", v, want)
		}
		if again := saved(t, m); !bytes.Equal(again, b) {
			t.Errorf("written again %d bytes, read %d", len(again), len(b))
		}
	}
	_, err := parse("m", rewrite(t, whole, only(sectionCuts, func(b []byte) []byte { return firstCuts(t, b, 1) })))
	if err == nil || !strings.Contains(err.Error(), "roles by column") {
		t.Errorf("a forest that looks at columns without cuts: error %v", err)
	}
}

// FuzzModel reads sections of any content: an error, or a model that labels.
func FuzzModel(f *testing.F) {
	good := savedSmall(f)
	file := must.Get(model.Parse("m", good))(f)
	for i, name := range []string{sectionRoles, sectionCuts, sectionForest, sectionPages} {
		b, _ := file.Section(name)
		f.Add(uint8(i), b)
		f.Add(uint8(i), b[:len(b)/2])
	}
	p := cut(f, "<ul><li>Home<li>About</ul><p>A line of text, which ends with a full stop.")
	f.Fuzz(func(t *testing.T, section uint8, content []byte) {
		name := []string{sectionRoles, sectionCuts, sectionForest, sectionPages}[section%4]
		m, err := parse("m", rewrite(t, good, only(name, func([]byte) []byte { return content })))
		if err != nil {
			return
		}
		l := must.Get(NewWith(m, Default))(t)
		if v, err := l.Label(context.Background(), p); err != nil || len(v) != len(p.Blocks) {
			t.Errorf("%d verdicts for %d blocks, error %v", len(v), len(p.Blocks), err)
		}
	})
}

// TestEmbedded holds the size of the model in the program.
func TestEmbedded(t *testing.T) {
	const most = 4 << 20
	if n := len(data.Blocks); n > most {
		t.Errorf("the embedded model has %d bytes, wanted at most %d", n, most)
	}
	must.Succeed(t, must.Err(embedded()))
}

// parse reads a model file from memory. name is used in errors.
func parse(name string, b []byte) (*Model, error) { return model.Decode(name, b, readOnHeap) }
