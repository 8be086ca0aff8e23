package corpus

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
)

// zipf writes a vertical of n tokens with words as frequent as in text.
func zipf(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	z := rand.NewZipf(r, 1.2, 3, 1<<17)
	var b strings.Builder
	for i := 0; i < n; {
		fmt.Fprintf(&b, "<doc id=\"d%d\" lang=%q>\n", i, []string{"en", "de", "fr"}[r.IntN(3)])
		for range 1 + r.IntN(20) {
			b.WriteString("<s>\n")
			for range 1 + r.IntN(25) {
				k := z.Uint64()
				w := fmt.Sprintf("w%x", k*2654435761%(1<<32))
				if r.IntN(30) == 0 {
					w = strings.ToUpper(w[:1]) + w[1:]
				}
				fmt.Fprintf(&b, "%s\tl%x\t%c\n", w, k/3, 'A'+byte(k%11))
				i++
			}
			b.WriteString("<g/>\n.\t.\tP\n</s>\n")
			i++
		}
		b.WriteString("</doc>\n")
	}
	return b.String()
}

func zipfConfig() BuildConfig {
	cfg := DefaultBuild
	cfg.Columns = []string{"word", "lemma", "tag"}
	return cfg
}

func buildBytes(t *testing.T, vert string, cfg BuildConfig) ([]byte, BuildReport) {
	t.Helper()
	dir := t.TempDir()
	rep := must.Get(Build(t.Context(), strings.NewReader(vert), dir, cfg))(t)
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	return must.Read(t, filepath.Join(dir, fileName)), rep
}

// TestMemoryLimits wants the same bytes from much memory and from so little
// that words and places have to go to disk.
func TestMemoryLimits(t *testing.T) {
	testkit.Slow(t)
	vert := zipf(120_000)
	cfg := zipfConfig()
	want, rep := buildBytes(t, vert, cfg)
	if rep.Runs != 0 {
		t.Fatalf("%d runs with enough memory", rep.Runs)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, m := range []int64{1 << 10, 1 << 18} {
		cfg.Memory = m
		for _, processors := range []int{1, 3, 16} {
			runtime.GOMAXPROCS(processors)
			got, rep := buildBytes(t, vert, cfg)
			if rep.Runs < 5 {
				t.Errorf("memory %d: only %d runs", m, rep.Runs)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("memory %d, %d processors give another index", m, processors)
			}
		}
	}
}

// TestIndex compares every attribute with the vertical.
func TestIndex(t *testing.T) {
	vert := zipf(20_000)
	cfg := zipfConfig()
	cfg.Memory = 1 << 12
	c := buildWith(t, vert, cfg)
	var rows [][]string
	for line := range strings.Lines(vert) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "<") {
			f := strings.Split(line, "\t")
			rows = append(rows, append(f, strings.ToLower(f[0])))
		}
	}
	if c.Size() != int64(len(rows)) {
		t.Fatalf("%d tokens, wanted %d", c.Size(), len(rows))
	}
	for i, name := range []string{"word", "lemma", "tag", "lc"} {
		a := must.Get(c.Attr(name))(t)
		places := map[string][]int64{}
		for p, row := range rows {
			if got := a.Word(a.At(int64(p))); got != row[i] {
				t.Fatalf("token %d has the %s %q, wanted %q", p, name, got, row[i])
			}
			places[row[i]] = append(places[row[i]], int64(p))
		}
		if a.Len() != len(places) {
			t.Errorf("%d different values of %s, wanted %d", a.Len(), name, len(places))
		}
		for w, want := range places {
			id, ok := a.ID(w)
			if got := slices.Collect(a.Positions(id)); !ok || !slices.Equal(got, want) || a.Freq(id) != int64(len(want)) {
				t.Fatalf("%s %q: %v, frequency %d, wanted %v", name, w, got, a.Freq(id), want)
			}
		}
		if _, ok := a.ID("nowhere"); ok {
			t.Error("found a word that is not there")
		}
		for id := 1; id < a.Len(); id++ {
			if a.Word(uint32(id-1)) >= a.Word(uint32(id)) {
				t.Fatalf("%s: values %d and %d are not in order", name, id-1, id)
			}
		}
	}
	doc := must.Get(c.Struct("doc"))(t)
	at := int64(0)
	for i := range doc.Len() {
		start, end := doc.Span(i)
		if start != at || end <= start || doc.Value("id", i) != fmt.Sprintf("d%d", start) {
			t.Fatalf("document %d is %d-%d with id %s", i, start, end, doc.Value("id", i))
		}
		if j, ok := doc.Find(end - 1); !ok || j != i {
			t.Fatalf("token %d is in document %d, wanted %d", end-1, j, i)
		}
		at = end
	}
	if got := c.Text(at-2, at); !strings.HasSuffix(got, ".") || strings.Contains(got, " ") {
		t.Errorf("text at the end is %q", got)
	}
}

// TestLists seeks in lists of many lengths.
func TestLists(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 2, 127, 128, 129, 256, 5000} {
		for _, gap := range []uint32{1, 2, 1000, 800_000} {
			xs := make([]uint32, n)
			x := r.Uint32N(gap)
			for i := range xs {
				xs[i] = x
				x += 1 + r.Uint32N(gap)
			}
			var l lister
			l.begin([]byte("before"))
			for _, x := range xs {
				l.add(x)
			}
			b := l.end()
			list := append(b, make([]byte, listPad)...)[6:len(b)]
			var c cursor
			c.reset(list, n, math.MaxUint32+1)
			for i := 0; i < n; {
				if x, ok := c.peek(); !ok || x != xs[i] {
					t.Fatalf("%d numbers with gaps to %d: number %d is %d, %v, wanted %d", n, gap, i, x, ok, xs[i])
				}
				if r.IntN(3) == 0 {
					c.step()
					i++
					continue
				}
				target := xs[i] + r.Uint32N(gap*uint32(1+r.IntN(400)))
				c.seek(target)
				for i < n && xs[i] < target {
					i++
				}
			}
			if x, ok := c.peek(); ok {
				t.Fatalf("%d behind the end", x)
			}
		}
	}
}

// TestDamage wants an index refused that is not whole.
func TestDamage(t *testing.T) {
	b, _ := buildBytes(t, sample, BuildConfig{Columns: []string{"word", "lemma", "tag"}, Lower: "lc", Document: "doc", Memory: 1 << 20})
	dir := t.TempDir()
	refused := func(b []byte, want string) {
		t.Helper()
		must.Write(t, filepath.Join(dir, fileName), b)
		c, err := Open(dir)
		if err == nil {
			c.Close()
			t.Fatalf("opened, wanted an error with %q", want)
		}
		if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("error %q, wanted %q and the folder", err, want)
		}
	}
	for i := 12; i < len(b)-28; i += 41 {
		d := slices.Clone(b)
		d[i] ^= 4
		refused(d, "damaged")
	}
	refused(b[:len(b)/2], "missing or damaged")
	refused(append([]byte("CHFUNBRN"), b[8:]...), "did not finish")
	refused([]byte("x"), "is it one?")
	w := model.Memory(model.Header{Kind: "lm.word"})
	other := must.Get(w.Bytes())(t)
	refused(other, "is it an index?")
	later := must.Get(model.Memory(model.Header{Kind: kind, Behaviour: behaviour + 1}).Bytes())(t)
	refused(later, "version 3, written by")
	hollow, err := model.Memory(model.Header{Kind: kind, Behaviour: behaviour, Config: []byte(`{"tokens":1,"attributes":[{"name":"word"}]}`)}).Bytes()
	must.Succeed(t, err)
	refused(hollow, "section attr/word/text is missing")
}

// sealed sets the checksum of a damaged index, so that it is read.
func sealed(b []byte) []byte {
	b = slices.Clone(b)
	if n := len(b) - 12; n > 0 {
		binary.LittleEndian.PutUint32(b[n:], crc32.Checksum(b[:max(n-16, 0)], crc32.MakeTable(crc32.Castagnoli)))
	}
	return b
}

// TestDamageInside reads indexes that are damaged in spite of a right checksum:
// they give wrong answers or an error, but they end.
func TestDamageInside(t *testing.T) {
	testkit.Slow(t)
	whole, _ := buildBytes(t, sample, BuildConfig{Columns: []string{"word", "lemma", "tag"}, Lower: "lc", Document: "doc", Memory: 1 << 20})
	r := rand.New(rand.NewPCG(5, 6))
	opened := 0
	for range 2000 {
		b := slices.Clone(whole)
		for range 1 + r.IntN(4) {
			b[r.IntN(len(b)-28)] = byte(r.Uint32())
		}
		file, err := model.Parse("damaged", sealed(b))
		if err != nil {
			continue
		}
		if c, err := readIndex("damaged", file); err == nil && c.Size() < 1000 {
			opened++
			walk(t, c)
		}
	}
	if opened < 100 {
		t.Errorf("only %d of 2000 were read", opened)
	}
}

// FuzzOpen reads indexes that are damaged in spite of a right checksum.
func FuzzOpen(f *testing.F) {
	for _, vert := range []string{sample, "a\tb\tc\n"} {
		dir := f.TempDir()
		must.Succeed(f, must.Err(Build(f.Context(), strings.NewReader(vert), dir, zipfConfig())))
		b := must.Read(f, filepath.Join(dir, fileName))
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := model.Parse("fuzz", sealed(b))
		if err != nil {
			return
		}
		c, err := readIndex("fuzz", file)
		if err != nil || c.Size() > 1000 {
			return
		}
		walk(t, c)
	})
}

// walk touches everything in an index.
func walk(t *testing.T, c *Corpus) {
	look := func(a *Attr, places int64) {
		for id := range uint32(a.Len()) {
			a.ID(a.Word(id))
			a.Freq(id)
			for range a.Positions(id) {
			}
		}
		for p := range places {
			a.Word(a.At(p))
		}
	}
	for _, a := range c.attrs {
		look(a, c.Size())
	}
	for _, s := range c.structs {
		if s.Len() > 1000 {
			return
		}
		for i := range s.Len() {
			s.Find(int64(i))
			s.Span(i)
		}
		for _, a := range s.attrs {
			look(a, int64(s.Len()))
		}
	}
	c.Text(0, c.Size())
	for _, cql := range []string{`[word=".*a.*" & tag!="N"] []{0,2} [lc="c.*"]`, `<s/> containing "cat"`, `[] within <doc lang="e.*"/>`, `[lemma="."] </s>`} {
		q, err := c.Query(t.Context(), cql)
		if err != nil {
			continue
		}
		k, err := q.Concordance(t.Context(), ConcordanceConfig{View: KWIC, Context: 20, Sort: []string{"right", "left", "match"}})
		if err != nil {
			continue
		}
		for range k.Lines(t.Context()) {
		}
	}
}
