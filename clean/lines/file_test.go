package lines

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/boost"
	"chaffinch/internal/recurrent"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
)

// small returns a model of two networks and a forest with random weights.
func small(t testing.TB) *Model {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	random := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(rng.NormFloat64() * .2)
		}
		return v
	}
	features, err := NewFeatures(nil, true)
	must.Succeed(t, err)
	width := features.Width()
	features.Mean, features.Scale = random(width), make([]float32, width)
	p := Parts{Features: features, Words: new(NGrams), Chars: new(NGrams), Shape: NetShape{Dense: width, Rows: 64, Dim: 2, Project: 6, Cell: "gru", Hidden: 4, Layers: 1, Skip: true}, Mix: .5, Threshold: .5}
	for i := range features.Scale {
		features.Scale[i] = rng.Float32()
		p.Cuts = append(p.Cuts, []float32{-.5, 0, .5})
	}
	for _, g := range []*NGrams{p.Words, p.Chars} {
		g.Scale = .01
		for i := range g.Weights {
			g.Weights[i] = int8(rng.IntN(255) - 127)
		}
	}
	for range 2 {
		n := must.Get(recurrent.Empty(p.Shape.shape()))(t)
		copy(n.Flat, random(len(n.Flat)))
		copy(n.Table, random(len(n.Table)))
		b, _ := n.AppendBinary(nil)
		p.Nets = append(p.Nets, b)
	}
	questions := []boost.Split{{Feature: 0, Threshold: 1}, {Feature: 1, Threshold: 2}}
	forest := boost.NewForest([]boost.Feature{{Col: 3}, {Col: 5, Shift: -1}}, []boost.Tree{{Levels: questions, Values: []float64{1, -1, .5, -.5}}}, .1)
	if p.Forest, err = forest.AppendBinary(nil); err != nil {
		t.Fatal(err)
	}
	return must.Get(NewModel(p))(t)
}

func saved(t testing.TB, m *Model) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.chf")
	must.Succeed(t, m.Save(path, model.Header{Name: "test"}))
	return must.Read(t, path)
}

// TestParts puts a model together from its parts again.
func TestParts(t *testing.T) {
	m := small(t)
	p := must.Get(m.Parts())(t)
	again := must.Get(NewModel(p))(t)
	if !bytes.Equal(saved(t, again), saved(t, m)) {
		t.Error("the parts of a model make another one")
	}
	p.Words = nil
	if _, err := NewModel(p); err == nil {
		t.Error("a model with one regression of two")
	}
}

// rewrite copies a model file; change may return another content for a
// section, or nil to leave it out.
func rewrite(t testing.TB, b []byte, change func(name string, content []byte) []byte) []byte {
	t.Helper()
	f := must.Get(model.Parse("m", b))(t)
	w := model.Memory(f.Header)
	for _, name := range f.Sections() {
		content, _ := f.Section(name)
		if content = change(name, bytes.Clone(content)); content != nil {
			w.Section(name)
			w.Write(content)
		}
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

// setting returns a change of the settings.
func setting(change func(s *settings)) func(string, []byte) []byte {
	return only(sectionSettings, func(b []byte) []byte {
		var s settings
		if err := json.Unmarshal(b, &s); err != nil {
			panic(err)
		}
		change(&s)
		b, err := json.Marshal(s)
		if err != nil {
			panic(err)
		}
		return b
	})
}

func TestBrokenFiles(t *testing.T) {
	good := saved(t, small(t))
	for _, c := range []struct {
		name   string
		change func(string, []byte) []byte
		want   string
	}{
		{"no settings", only(sectionSettings, func([]byte) []byte { return nil }), `no section "settings"`},
		{"settings are a list", only(sectionSettings, func([]byte) []byte { return []byte("[]") }), "section settings"},
		{"no words", only(sectionWords, func([]byte) []byte { return nil }), "wanted both"},
		{"no cuts", only(sectionCuts, func([]byte) []byte { return nil }), `no section "cuts"`},
		{"words cut", only(sectionWords, func(b []byte) []byte { return b[1:] }), "bytes, wanted"},
		{"scale is no number", only(sectionChars, func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[4:], math.Float32bits(float32(math.NaN())))
			return b
		}), "scale"},
		{"an unknown column", setting(func(s *settings) { s.Columns[3] = "colour" }), "retrain the model"},
		{"columns out of order", setting(func(s *settings) { s.Columns[1] = s.Columns[0] }), "wrong place"},
		{"a column less", setting(func(s *settings) { s.Columns = s.Columns[1:] }), "networks for"},
		{"a mean less", setting(func(s *settings) { s.Mean = s.Mean[1:] }), "means and"},
		{"wild scale", setting(func(s *settings) { s.Scale[0] = -1 }), "scale -1"},
		{"many networks", setting(func(s *settings) { s.Nets = 17 }), "at most 16"},
		{"three networks", setting(func(s *settings) { s.Nets = 3 }), "section nets"},
		{"huge networks", setting(func(s *settings) { s.Shape.Hidden = 1 << 20 }), "hidden"},
		{"another cell", setting(func(s *settings) { s.Shape.Cell = "cortex" }), "cortex"},
		{"mix", setting(func(s *settings) { s.Mix = 2 }), "wanted 0 to 1"},
		{"threshold", setting(func(s *settings) { s.Threshold = -1 }), "wanted 0 to 1"},
		{"weights cut", only(sectionNets, func(b []byte) []byte { return b[8:] }), "section nets"},
		{"cuts cut", only(sectionCuts, func(b []byte) []byte { return b[:len(b)-1] }), "section cuts"},
		{"cuts go on", only(sectionCuts, func(b []byte) []byte { return append(b, 0) }), "too many"},
		{"cuts fall", only(sectionCuts, func(b []byte) []byte { copy(b[1:5], b[5:9]); return b }), "rising"},
		{"forest cut", only(sectionForest, func(b []byte) []byte { return b[:len(b)/2] }), "section forest"},
	} {
		_, err := Parse("m", rewrite(t, good, c.change))
		must.Fail(t, err, c.want)
	}
}

// FuzzModel reads sections of any content: an error, or a model that scores.
func FuzzModel(f *testing.F) {
	good := saved(f, small(f))
	file := must.Get(model.Parse("m", good))(f)
	names := []string{sectionSettings, sectionWords, sectionNets, sectionCuts, sectionForest}
	for i, name := range names {
		b, _ := file.Section(name)
		f.Add(uint8(i), b)
		f.Add(uint8(i), b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, section uint8, content []byte) {
		m, err := Parse("m", rewrite(t, good, only(names[int(section)%len(names)], func([]byte) []byte { return content })))
		if err != nil {
			return
		}
		for i, p := range m.Score(nil, "en", crawled) {
			if !(p >= 0 && p <= 1) {
				t.Errorf("line %d: probability %v", i, p)
			}
		}
	})
}

// TestScoreAny scores what no training had: nothing, empty lines, bytes that
// are no text, very long lines, and more lines than a window has.
func TestScoreAny(t *testing.T) {
	m := small(t)
	if p := m.Score(nil, "en", nil); len(p) != 0 {
		t.Errorf("no lines, %d probabilities", len(p))
	}
	many := make([]string, 10000)
	for i := range many {
		many[i] = strings.Repeat("line ", i%9)
	}
	for _, lines := range [][]string{{""}, {"", "", ""}, {"\xff\xfe\x00"}, {strings.Repeat("word ", 100000)}, many} {
		p := m.Score(nil, "", lines)
		if len(p) != len(lines) {
			t.Fatalf("%d lines, %d probabilities", len(lines), len(p))
		}
		for i, v := range p {
			if !(v >= 0 && v <= 1) {
				t.Errorf("line %d of %d: probability %v", i, len(lines), v)
			}
		}
	}
}

func BenchmarkScore(b *testing.B) {
	m := must.Get(Embedded())(b)
	docs := dump(50)
	bytes, lines := 0, 0
	for _, d := range docs {
		for _, l := range d.lines {
			bytes += len(l) + 1
			lines++
		}
	}
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	var p []float32
	for b.Loop() {
		for _, d := range docs {
			p = m.Score(p[:0], d.lang, d.lines)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*lines), "ns/line")
}

// TestLoadUnknown: a name that is neither a file nor a model of the program gets their names.
func TestLoadUnknown(t *testing.T) {
	_, err := Load("fastt")
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "best or fast") {
		t.Errorf("%v, want the names of the models in the program", err)
	}
}
