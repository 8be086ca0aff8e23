package transformer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/recurrent"
	"chaffinch/lab/gold"
	"chaffinch/lab/train/nets"
	"chaffinch/model"
	"chaffinch/page"
)

// labelled makes documents of the lines of testdata: a block of text between
// blocks of boilerplate. A line with a bar, a dot or a sign of its kind is
// boilerplate.
func labelled(t testing.TB, n int, seed uint64) (docs []*gold.LineDoc) {
	t.Helper()
	var text, boilerplate []string
	for _, l := range testLines(t) {
		if strings.ContainsAny(l, "|·>€:!+") || strings.Contains(l, "Copyright") {
			boilerplate = append(boilerplate, l)
		} else {
			text = append(text, l)
		}
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		d := &gold.LineDoc{ID: fmt.Sprint(i), Lang: "en"}
		add := func(from []string, is bool, n int) {
			for range n {
				d.Lines = append(d.Lines, from[rng.IntN(len(from))])
				d.Labels = append(d.Labels, is)
			}
		}
		add(boilerplate, false, rng.IntN(4))
		add(text, true, 1+rng.IntN(8))
		add(boilerplate, false, rng.IntN(4))
		docs = append(docs, d)
	}
	return docs
}

// quick are settings under which training takes a second.
func quick() TrainConfig {
	cfg := DefaultTrain
	cfg.Hidden, cfg.Net.Epochs, cfg.Net.Rate, cfg.Net.Batch = 16, 8, 1e-2, 4
	return cfg
}

func train(t testing.TB, e *Encoder, cache string) *Model {
	t.Helper()
	docs := labelled(t, 60, 1)
	m, err := Train(t.Context(), e, docs[:50], docs[50:], quick(), cache, Progress{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func save(t testing.TB, m *Model) (path string, b []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "lines.chf")
	if err := m.Save(path, "test"); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, b
}

// TestTrain: the network learns what is text, the same vectors give the same
// file, and a file gives the same scores as the model that was saved.
func TestTrain(t *testing.T) {
	e := tiny(t, func(c *Config) { c.Pooling = Mean })
	cache := filepath.Join(t.TempDir(), "vectors")
	m := train(t, e, cache)
	path, first := save(t, m)
	if _, again := save(t, train(t, e, cache)); !bytes.Equal(first, again) {
		t.Error("two runs made two files")
	}
	right, all := 0, 0
	test := labelled(t, 20, 2)
	var docs [][]string
	for _, d := range test {
		docs = append(docs, d.Lines)
	}
	scores, err := m.ScoreDocs(t.Context(), docs, "")
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range test {
		for j, is := range d.Labels {
			all++
			if is == (scores[i][j] >= .5) {
				right++
			}
		}
	}
	if right*100 < all*95 {
		t.Errorf("%d of %d lines right", right, all)
	}
	opened, err := Open(path, e.cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Encoder().Close()
	for i, d := range docs { // one by one: whatever else is asked for changes nothing
		one, err := opened.Score(t.Context(), nil, d)
		if err != nil {
			t.Fatal(err)
		}
		if x := differ(t, one, scores[i]); x > 1e-4 {
			t.Errorf("document %d: scores are off by %v", i, x)
		}
	}
	for _, d := range [][]string{{}, {"a"}, slices.Repeat(docs[0], 200)} {
		if one, err := m.Score(t.Context(), nil, d); err != nil || len(one) != len(d) {
			t.Errorf("%d lines: %d scores, %v", len(d), len(one), err)
		}
	}
}

// TestOtherTransformer: a network is of one transformer only.
func TestOtherTransformer(t *testing.T) {
	e := tiny(t, nil)
	path, _ := save(t, train(t, e, ""))
	b, err := os.ReadFile(e.cfg.Tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	cfg := e.cfg
	cfg.Tokenizer = filepath.Join(t.TempDir(), "tokenizer.json")
	if err := os.WriteFile(cfg.Tokenizer, append(b, '\n'), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, cfg); err == nil || !strings.Contains(err.Error(), "name the same two files, or train again") {
		t.Error(err)
	}
	if _, err := Open(e.cfg.Model, e.cfg); err == nil {
		t.Error("an ONNX file was read as a network")
	}
}

// TestCache: vectors are taken from the folder, and a damaged file is named.
func TestCache(t *testing.T) {
	e := tiny(t, nil)
	dir := t.TempDir()
	docs := [][]string{{"The mill", "a"}, {}, {"by the river"}}
	want, err := e.DocVectors(t.Context(), docs, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got, err := e.DocVectors(t.Context(), docs, dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range docs {
			if !slices.Equal(got[i], want[i]) {
				t.Errorf("document %d differs", i)
			}
		}
	}
	files, err := fs.Glob(os.DirFS(dir), "*.vectors")
	if err != nil || len(files) != 3 {
		t.Fatalf("files %q, %v", files, err)
	}
	// What is in the folder is what is given.
	path := e.cachePath(dir, docs[0])
	b := make([]byte, 4*2*e.Width())
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := e.DocVectors(t.Context(), docs, dir, nil); err != nil || slices.Max(got[0]) != 0 {
		t.Errorf("%v, %v", got[0], err)
	}
	if err := os.WriteFile(path, b[:5], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := e.DocVectors(t.Context(), docs, dir, nil); err == nil || !strings.Contains(err.Error(), "5 bytes, wanted 256: delete it") {
		t.Error(err)
	}
}

// TestLabeller: one verdict per block, and pages together get what they get
// alone.
func TestLabeller(t *testing.T) {
	m := train(t, tiny(t, func(c *Config) { c.Pooling = Mean }), "")
	l, err := NewLabeller(m, .5)
	if err != nil {
		t.Fatal(err)
	}
	var pages []*page.Page
	for _, d := range append(labelled(t, 3, 3), &gold.LineDoc{}) {
		p := &page.Page{}
		for _, line := range d.Lines {
			p.Blocks = append(p.Blocks, page.Block{Text: line})
		}
		pages = append(pages, p)
	}
	all, err := l.LabelPages(t.Context(), pages)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range pages {
		one, err := l.Label(t.Context(), p)
		if err != nil || len(one) != len(p.Blocks) {
			t.Fatalf("%d verdicts for %d blocks, %v", len(one), len(p.Blocks), err)
		}
		for j, v := range one {
			if w := all[i][j]; v.Label != w.Label || v.By != l.Name() || v.Reason == "" || (v.Label == page.Good) != (v.Score >= .5) {
				t.Errorf("page %d, block %d: %+v alone, %+v with others", i, j, v, w)
			}
		}
	}
	for _, bad := range []float64{0, 1, -1} {
		if _, err := NewLabeller(m, bad); err == nil || !strings.Contains(err.Error(), "wanted a probability above 0 and below 1") {
			t.Errorf("threshold %v: %v", bad, err)
		}
	}
}

// TestFileErrors: sections that do not fit the header are told.
func TestFileErrors(t *testing.T) {
	for want, change := range map[string]func(*info, *[]byte, *[]byte){
		"scale of 16 bytes for vectors of width 3": func(i *info, _, _ *[]byte) { i.Shape.Dense = 3 },
		"recurrent: ": func(i *info, _, net *[]byte) { *net = (*net)[4:] },
		"cell":        func(i *info, _, _ *[]byte) { i.Shape.Cell = "x" },
	} {
		i, scale, net := small(t)
		change(&i, &scale, &net)
		if err := new(Model).parse(file(t, i, scale, net)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	i, scale, net := small(t)
	if err := new(Model).parse(file(t, i, scale, net)); err != nil {
		t.Error(err)
	}
}

// small is the content of a small file.
func small(t testing.TB) (i info, scale, net []byte) {
	t.Helper()
	i.Shape = recurrent.Shape{Dense: 2, Cell: recurrent.LSTM, Hidden: 1, Layers: 1}
	n, err := nets.New(i.Shape, 1)
	if err != nil {
		t.Fatal(err)
	}
	if net, err = n.AppendBinary(nil); err != nil {
		t.Fatal(err)
	}
	return i, make([]byte, 16), net
}

func file(t testing.TB, i any, scale, net []byte) *model.File {
	t.Helper()
	config, err := json.Marshal(i)
	if err != nil {
		t.Fatal(err)
	}
	w := model.Memory(model.Header{Kind: kind, Behaviour: behaviour, Config: config})
	w.Section("scale")
	w.Write(scale)
	w.Section("net")
	w.Write(net)
	b, err := w.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	f, err := model.Parse("small", b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func FuzzFile(f *testing.F) {
	i, scale, net := small(f)
	config, err := json.Marshal(i)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(config, scale, net)
	f.Fuzz(func(t *testing.T, config, scale, net []byte) {
		if !json.Valid(config) {
			return
		}
		var m Model
		if m.parse(file(t, json.RawMessage(config), scale, net)) == nil {
			m.net.LogOdds(make([]float32, 3), &recurrent.Sequence{Dense: make([]float32, 3*m.info.Shape.Dense), N: 3})
		}
	})
}
