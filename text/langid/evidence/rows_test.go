package evidence

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/model"
)

// features returns the features of r, without pairs of weight 0 in longer rows.
func (r *Rows) features(t *testing.T) (out []Feature) {
	t.Helper()
	row, pair, err := r.starts()
	must.Succeed(t, err)
	steps, hash := r.steps, uint64(0)
	for i, size := range r.sizes {
		d, k := binary.Uvarint(steps)
		steps = steps[k:]
		hash += d<<8 | uint64(r.low[i])
		n := int(size & MaxPairs)
		f := Feature{Hash: uint32(hash), Short: size&shortGram != 0, Longer: size&longer != 0}
		c := uint16(r.high[row[n]]) << 8
		for k := pair[n]; k < pair[n]+n; k++ {
			c += uint16(r.classes[k])
			if r.levels[k] != 0 || n == 1 {
				f.Classes, f.Levels = append(f.Classes, c), append(f.Levels, r.levels[k])
			}
		}
		row[n]++
		pair[n] += n
		out = append(out, f)
	}
	return out
}

// made returns a model file of 200 languages in two scripts, and its features.
func made(t *testing.T, rng *rand.Rand) ([]byte, []Feature) {
	t.Helper()
	settings := Settings{Unit: 0.125}
	for i := range 200 {
		settings.Classes = append(settings.Classes, ClassSettings{Lang: fmt.Sprintf("x%d", i), Script: []string{"Latn", "Cyrl"}[i/100], Prior: -float64(i%3) / 8})
	}
	features := randomFeatures(rng, 2000, len(settings.Classes))
	rows := must.Get(NewRows(features))(t)
	raw := must.Get(json.Marshal(settings))(t)
	w := model.Memory(model.Header{Kind: Kind, Behaviour: Behaviour})
	w.Section("settings")
	w.Write(raw)
	must.Succeed(t, rows.Write(w))
	b := must.Get(w.Bytes())(t)
	return b, features
}

// randomFeatures returns n features in ascending order of their hashes, with up to classes classes.
func randomFeatures(rng *rand.Rand, n, classes int) (features []Feature) {
	for i := range n {
		f := Feature{Hash: uint32(i)<<18 | rng.Uint32N(1<<18), Short: rng.IntN(3) == 0, Longer: rng.IntN(3) == 0}
		most := 1 + rng.IntN(classes)
		for range 1 + rng.IntN(1+rng.IntN(MaxPairs-4)) {
			f.Classes = append(f.Classes, uint16(rng.IntN(most)))
		}
		slices.Sort(f.Classes)
		f.Classes = slices.Compact(f.Classes)
		for range f.Classes {
			f.Levels = append(f.Levels, uint8(1+rng.IntN(levelMask)))
		}
		features = append(features, f)
	}
	return features
}

// old returns the model file b with features as behaviour 1 or 2. Every fifth feature is followed by
// one of a group of languages, whose classes follow the languages.
func old(t *testing.T, b []byte, features []Feature, behaviour int) []byte {
	t.Helper()
	f := must.Get(model.Parse("made", b))(t)
	m := must.Get(Parse("made", b))(t)
	var keys, low, steps, sizes, classes, weights []byte
	var byClasses, byWeights [MaxPairs + 1][]byte
	last := uint32(0)
	add := func(f Feature) {
		d := f.Hash - last
		last = f.Hash
		keys, low, steps = binary.AppendUvarint(keys, uint64(d)), append(low, byte(d)), binary.AppendUvarint(steps, uint64(d>>8))
		n, before := len(f.Classes), uint8(0)
		size := byte(n)
		if f.Short {
			size |= shortGram
		}
		if f.Longer {
			size |= longer
		}
		sizes = append(sizes, size)
		for k, c := range f.Classes {
			if c > math.MaxUint8 {
				t.Fatalf("class %d, wanted one byte", c)
			}
			classes, weights = append(classes, byte(c)-before), append(weights, byte(levelWeight(f.Levels[k])))
			before = byte(c)
		}
		byClasses[n] = append(byClasses[n], classes[len(classes)-n:]...)
		byWeights[n] = append(byWeights[n], weights[len(weights)-n:]...)
	}
	for i, f := range features {
		add(f)
		if i%5 == 0 {
			add(Feature{Hash: f.Hash + 1, Classes: []uint16{uint16(len(m.Classes)), uint16(len(m.Classes) + 3)}, Levels: []uint8{1, 2}})
		}
	}
	sections := []model.Section{{Name: "keys", Bytes: keys}, {Name: "sizes", Bytes: sizes}, {Name: "classes", Bytes: classes}, {Name: "weights", Bytes: weights}}
	if behaviour == 2 {
		sections = []model.Section{{Name: "low", Bytes: low}, {Name: "steps", Bytes: steps}, {Name: "sizes", Bytes: sizes},
			{Name: "classes", Bytes: slices.Concat(byClasses[:]...)}, {Name: "weights", Bytes: slices.Concat(byWeights[:]...)}}
	}
	h := f.Header
	h.Behaviour = behaviour
	w := model.Memory(h)
	settings, _ := f.Section("settings")
	w.Section("settings")
	w.Write(settings)
	for _, s := range sections {
		packed := must.Get(model.Pack(s.Bytes))(t)
		w.Section(s.Name)
		w.Write(packed)
	}
	return must.Get(w.Bytes())(t)
}

// TestOldFiles wants the same model from files of earlier behaviours, without their groups.
func TestOldFiles(t *testing.T) {
	b, features := made(t, rand.New(rand.NewPCG(4, 5)))
	want := must.Get(Parse("made", b))(t)
	for behaviour := oldestBehaviour; behaviour < Behaviour; behaviour++ {
		got := must.Get(Parse("made", old(t, b, features, behaviour)))(t)
		if len(want.words.slots) < 1000 || !reflect.DeepEqual(got, want) {
			t.Errorf("behaviour %d: %d slots and %d quads of pairs, wanted %d and %d, all the same", behaviour, len(got.words.slots), len(got.pairs), len(want.words.slots), len(want.pairs))
		}
	}
}

// TestManyClasses wants each feature to have the weights of its row, with up to MaxClasses classes and
// gaps of any size between them.
func TestManyClasses(t *testing.T) {
	features := randomFeatures(rand.New(rand.NewPCG(2, 3)), 5000, MaxClasses)
	rows := must.Get(NewRows(features))(t)
	if got := rows.features(t); !reflect.DeepEqual(got, features) {
		t.Error("features changed in the file")
	}
	m := &Model{Classes: make([]class, MaxClasses)}
	must.Succeed(t, m.index(rows))
	for _, f := range features {
		table := &m.words
		if f.Short {
			table = &m.grams
		}
		slot := uint64(0)
		for _, s := range table.slots[f.Hash>>table.shift:] {
			if s == 0 || s>>32 == uint64(f.Hash) {
				slot = s
				break
			}
		}
		b := &batch{m: m}
		var got, want Tally
		b.take(&got, slot)
		b.addRows(&got)
		for k, c := range f.Classes {
			want.Score[c] = levelWeight(f.Levels[k])
		}
		if slot == 0 || slot&longer != 0 != f.Longer || got.Score != want.Score {
			t.Fatalf("feature %x: slot %x, other weights than %v of %v", f.Hash, slot, f.Levels, f.Classes)
		}
	}
}

// TestDamagedRows wants errors of rows that do not fit together.
func TestDamagedRows(t *testing.T) {
	good := func() *Rows {
		return &Rows{low: []byte{1, 2}, steps: []byte{0, 1}, sizes: []byte{1, 2 | shortGram}, high: []byte{0, 0}, classes: []byte{0, 1, 2}, levels: []byte{1, 2, 3}}
	}
	m := func() *Model { return &Model{Classes: make([]class, 4)} }
	if err := m().index(good()); err != nil {
		t.Fatalf("good rows: %v", err)
	}
	for name, spoil := range map[string]func(r *Rows){
		"a row without pairs":   func(r *Rows) { r.sizes[0] = 0 },
		"a class too few":       func(r *Rows) { r.classes = r.classes[:2] },
		"a weight too many":     func(r *Rows) { r.levels = append(r.levels, 4) },
		"a step too few":        func(r *Rows) { r.steps = r.steps[:1] },
		"a low byte too few":    func(r *Rows) { r.low = r.low[:1] },
		"a high byte too many":  func(r *Rows) { r.high = append(r.high, 0) },
		"hashes beyond 32 bits": func(r *Rows) { r.steps = binary.AppendUvarint(r.steps[:1], 1<<24) },
	} {
		r := good()
		spoil(r)
		if err := m().index(r); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, features := range map[string][]Feature{
		"no classes":         {{Hash: 1}},
		"a weight too few":   {{Hash: 1, Classes: []uint16{1, 2}, Levels: []uint8{1}}},
		"unsorted features":  {{Hash: 2, Classes: []uint16{1}, Levels: []uint8{1}}, {Hash: 1, Classes: []uint16{1}, Levels: []uint8{1}}},
		"a repeated feature": {{Hash: 2, Classes: []uint16{1}, Levels: []uint8{1}}, {Hash: 2, Classes: []uint16{1}, Levels: []uint8{1}}},
	} {
		if _, err := NewRows(features); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestLevels wants levels of weights to be off by no more than half a step: one unit up to 16, two up
// to 32, four up to 64.
func TestLevels(t *testing.T) {
	for i := -480; i <= 512; i++ {
		units := float64(i) / 8
		step := 4.0
		switch {
		case math.Abs(units) < 16:
			step = 1
		case math.Abs(units) < 32:
			step = 2
		}
		if got := float64(levelWeight(Level(units))); math.Abs(got-units) > step/2 {
			t.Errorf("%v: %v, wanted a multiple of %v beside it", units, got, step)
		}
	}
	for i := range uint8(levelMask + 1) {
		if got := Level(float64(levelWeight(i))); got != i {
			t.Errorf("level %d: weight %d has level %d", i, levelWeight(i), got)
		}
	}
	if high, low := levelWeight(Level(1000)), levelWeight(Level(-1000)); high != 64 || low != -60 {
		t.Errorf("weights of ±1000 units are %v and %v, wanted 64 and -60", high, low)
	}
}

// levelWeight returns the weight of a level in units.
func levelWeight(level uint8) int32 { return levels[level&levelMask] }
