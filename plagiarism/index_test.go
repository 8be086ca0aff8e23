package plagiarism

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/model"
)

// buildIndex makes an index on disk.
func buildIndex(t *testing.T, dir string, memory int64, texts ...string) {
	t.Helper()
	b := must.Get(NewIndexBuilder(dir, DefaultIndex, memory, ""))(t)
	for i, s := range texts {
		must.Succeed(t, b.Add(fmt.Sprintf("s%d", i), s))
	}
	must.Succeed(t, b.Close(context.Background()))
}

func openIndex(t *testing.T, dir string) *Index {
	t.Helper()
	x := must.Get(OpenIndex(dir))(t)
	t.Cleanup(func() { x.Close() })
	return x
}

func TestIndex(t *testing.T) {
	small, large := t.TempDir(), t.TempDir()
	texts := append(madeTexts(30, 2000), "", heron, "¡\xff")
	buildIndex(t, small, 1<<10, texts...)
	buildIndex(t, large, 1<<30, texts...)
	a := must.Read(t, filepath.Join(small, indexFile))
	b := must.Read(t, filepath.Join(large, indexFile))
	if !bytes.Equal(a, b) {
		t.Error("the index differs with the memory that it was made in")
	}
	if left, _ := os.ReadDir(small); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	x := openIndex(t, small)
	if x.Docs() != len(texts) || x.Config != DefaultIndex || len(x.postings) == 0 || x.Bytes() != size(texts) {
		t.Errorf("%d documents, %d bytes of fingerprints, %d bytes, %+v", x.Docs(), len(x.postings), x.Bytes(), x.Config)
	}
	for i, s := range texts {
		id := must.Get(x.ID(i))(t)
		text, err := x.Text(i)
		if err != nil || id != fmt.Sprintf("s%d", i) || text != s {
			t.Errorf("document %d: id %q, text %.20q: %v", i, id, text, err)
		}
	}
	if err := x.Verify(); err != nil {
		t.Error(err)
	}
	// Every fingerprint of a source is found where it is.
	var w words
	w.cut(texts[7], 0, sectionWords)
	var p prints
	n := 0
	p.compute(&w, x.common, &x.Config)
	for i, f := range p.f {
		n++
		lo, most, err := x.bucket(f)
		must.Succeed(t, err)
		if !slices.ContainsFunc(x.find(nil, f, lo, most, 1<<20, 0), func(h hit) bool {
			doc, _, _, err := x.section(int(h.section))
			return err == nil && doc == 7 && h.r == p.at[i]
		}) {
			t.Fatalf("fingerprint %x of word %d is not found", f, p.at[i])
		}
	}
	if n < 1000 {
		t.Errorf("%d fingerprints", n)
	}
}

func TestIndexErrors(t *testing.T) {
	dir := t.TempDir()
	must.Fail(t, must.Err(OpenIndex(dir)), "plagiarism index SOURCES")
	if _, err := NewIndexBuilder(dir, IndexConfig{}, 0, ""); err == nil {
		t.Error("settings that are zero passed")
	}
	b, err := NewIndexBuilder("", DefaultIndex, 0, "")
	must.Succeed(t, err)
	var twice *DuplicateError
	if err := errors.Join(b.Add("a", heron), b.Add("a", market)); !errors.As(err, &twice) || twice.ID != "a" {
		t.Errorf("the same id twice: %v", err)
	}
	if err := b.Add("b", quarry); err != nil {
		t.Errorf("after it: %v", err)
	}
	buildIndex(t, dir, 0, heron)
	path := filepath.Join(dir, indexFile)
	raw := must.Read(t, path)
	raw[len(raw)/2] ^= 1
	must.Write(t, path, raw)
	if _, err := OpenIndex(dir); err == nil {
		t.Error("a broken index was opened")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if b, err = NewIndexBuilder(filepath.Join(dir, "new"), DefaultIndex, 0, ""); err != nil {
		t.Fatal(err)
	}
	must.Succeed(t, errors.Join(b.Add("a", heron)))
	must.Is(t, b.Close(ctx), context.Canceled)
	if left, _ := os.ReadDir(filepath.Join(dir, "new")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestDamagedPlaces searches indexes whose sizes are right and some of whose numbers are wrong. A search
// that needs them fails, and any other succeeds.
func TestDamagedPlaces(t *testing.T) {
	texts := madeTexts(10, 500)
	b := must.Get(NewIndexBuilder("", DefaultIndex, 1<<20, ""))(t)
	for i, s := range texts {
		must.Succeed(t, b.Add(fmt.Sprint(i), s))
	}
	sound := must.Get(b.Index())(t)
	set := func(b *[]byte, at int, number uint64) {
		*b = slices.Clone(*b)
		binary.LittleEndian.PutUint64((*b)[at:], number)
	}
	for _, c := range []struct {
		damage      func(*Index)
		other, want string // other is not affected
	}{
		{func(*Index) {}, texts[3], ""},
		{func(x *Index) { set(&x.ends, 8*7, 1<<40) }, texts[3], "text of document 7 from byte"},
		{func(x *Index) { set(&x.ends, 8*6, uint64(len(x.texts))) }, texts[3], "text of document 7 from byte"},
		{func(x *Index) { set(&x.idEnds, 8*7, 1<<63) }, texts[3], "id of document 7 from byte 7 to 9223372036854775808 of 10"},
		{func(x *Index) { set(&x.secs, sectionSize*7+4, 1<<63) }, texts[3], "section 7 begins at byte 9223372036854775808 of"},
		{func(x *Index) { set(&x.secs, sectionSize*7, 1<<32-1) }, texts[3], "document 4294967295 of 10"},
		{func(x *Index) {
			for at := 0; at < len(x.dir); at += 8 {
				set(&x.dir, at, 1<<62)
			}
		}, "word", "from posting 4611686018427387904 to 4611686018427387904 of"},
	} {
		x := *sound
		c.damage(&x)
		s := must.Get(NewSearcher(&x, DefaultSearch))(t)
		must.Succeed(t, must.Err(s.Search(t.Context(), "suspicious", c.other)))
		docs := func(yield func(Document, error) bool) { yield(Document{ID: "suspicious", Text: texts[7]}, nil) }
		err := SearchAll(t.Context(), &x, docs, DefaultSearch, 1, func(r SearchResult) error { return r.Err })
		if c.want == "" {
			must.Succeed(t, err)
			continue
		}
		must.Fail(t, err, c.want)
		must.Fail(t, err, "index memory: ")
		must.Fail(t, err, "rebuild it (plagiarism index)")
	}
}

// FuzzIndex reads indexes whose sections are anything.
func FuzzIndex(f *testing.F) {
	b := must.Get(NewIndexBuilder("", DefaultIndex, 0, ""))(f)
	must.Succeed(f, errors.Join(b.Add("a", heron), b.Add("b", market+quarry)))
	x := must.Get(b.Index())(f)
	f.Add(x.texts, x.ends, x.ids, x.idEnds, x.secs, x.dir, x.postings, []byte{}, heron)
	f.Add([]byte("abc"), make([]byte, 8), []byte{}, make([]byte, 8), make([]byte, 12), make([]byte, 16), []byte{}, []byte{1}, "abc")
	f.Fuzz(func(t *testing.T, texts, ends, ids, idEnds, secs, dir, postings, common []byte, text string) {
		js, _ := json.Marshal(DefaultIndex)
		w := model.Memory(model.Header{Kind: indexKind, Behaviour: indexBehaviour, Config: js})
		for _, s := range []struct {
			name string
			b    []byte
		}{{"texts", texts}, {"ends", ends}, {"ids", ids}, {"id_ends", idEnds}, {"sections", secs}, {"directory", dir}, {"postings", postings}, {"common", common}} {
			w.Section(s.name)
			w.Write(s.b)
		}
		raw := must.Get(w.Bytes())(t)
		file := must.Get(model.Parse("fuzz", raw))(t)
		x, err := readIndex("fuzz", file)
		if err != nil {
			return
		}
		s := must.Get(NewSearcher(x, DefaultSearch))(t)
		s.Search(t.Context(), "", text)
	})
}
