package lm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	_ "chaffinch/model/data/words"
)

// bytesOf returns the model file of m.
func bytesOf(t testing.TB, m *Model) []byte {
	t.Helper()
	w := model.Memory(m.File.Header)
	for _, name := range m.File.Sections() {
		b, _ := m.File.Section(name)
		w.Section(name)
		w.Write(b)
	}
	return must.Get(w.Bytes())(t)
}

// madeUpSpec returns a model of pairs of so many words, with made-up numbers; gap is how far
// apart the words are that follow one word, in the mean.
func madeUpSpec(words int, gap int, bits uint) Spec {
	rng := rand.New(rand.NewPCG(7, uint64(words)))
	s := Spec{Estimator: KneserNey, Tokeniser: Words, Words: slices.Clone(special[:]), Bits: bits}
	for i := len(s.Words); i < words; i++ {
		s.Words = append(s.Words, "w"+hex.EncodeToString([]byte{byte(i >> 16), byte(i >> 8), byte(i)}))
	}
	var one, two Slice
	for i := range words {
		one = append(one, Gram{Words: [MaxOrder]uint32{uint32(i)}, Prob: -8 * rng.Float32(), Backoff: -rng.Float32()})
		for j := rng.IntN(2 * gap); j < words; j += 1 + rng.IntN(2*gap) {
			two = append(two, Gram{Words: [MaxOrder]uint32{uint32(i), uint32(j)}, Prob: -4 * rng.Float32()})
		}
	}
	slices.SortFunc(two, func(a, b Gram) int { return compare(&a.Words, &b.Words, 2, words) })
	s.Grams = []Grams{one, two}
	return s
}

// madeUp returns the file of such a model.
func madeUp(t testing.TB, words int, gap int, bits uint) []byte {
	t.Helper()
	s := madeUpSpec(words, gap, bits)
	m := must.Get(Memory(model.Header{Name: "made up"}, &s))(t)
	return bytesOf(t, m)
}

// TestPack wants the same bytes of a model that was packed, for vocabularies of several
// sizes and steps of all lengths.
func TestPack(t *testing.T) {
	for _, c := range []struct {
		words, gap int
		bits       uint
	}{{4, 1, 1}, {100, 3, 8}, {1000, 200, 5}, {20_000, 7_000, 8}, {70_000, 30_000, 8}} {
		whole := madeUp(t, c.words, c.gap, c.bits)
		f := must.Get(model.Parse("made up", whole))(t)
		packed := must.Get(Pack(f))(t)
		m := must.Get(Parse("made up", packed))(t)
		if got := bytesOf(t, m); !bytes.Equal(got, whole) {
			t.Errorf("%d words, %d pairs: %d bytes after packing, wanted the same %d", c.words, m.Ngrams(2), len(got), len(whole))
		}
	}
}

// TestEmbeddedOnce: an embedded model is unpacked once, and who closes it takes it from nobody.
func TestEmbeddedOnce(t *testing.T) {
	m := must.Get(Embedded("en"))(t)
	want := m.Sentence("The ferry lay at the quay.")
	must.Succeed(t, m.Close())
	again, err := Embedded("en")
	if err != nil || again != m {
		t.Errorf("another model: %v", err)
	}
	if got := again.Sentence("The ferry lay at the quay."); got != want || got.LogProb >= 0 {
		t.Errorf("%v, wanted %v", got, want)
	}
}

// TestEmbeddedIsWhole wants of the packed English model the bytes that training gave.
func TestEmbeddedIsWhole(t *testing.T) {
	m := must.Get(Embedded("en"))(t)
	sum := sha256.Sum256(bytesOf(t, m))
	if got := hex.EncodeToString(sum[:]); got != trainedEnglish {
		t.Errorf("SHA-256 %s, wanted %s", got, trainedEnglish)
	}
}

// trainedEnglish is the SHA-256 of the model that model/data/make-en.sh trains, before it
// is packed.
const trainedEnglish = "4e3329262a52af35c04372ccc08314a4ce51592e8720af19a43174341c1a9df3"

// TestPackRefuses wants errors for models that have no packed form.
func TestPackRefuses(t *testing.T) {
	for name, m := range map[string]*Model{"order 3": parse(t, small)} {
		if _, err := Pack(m.File); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestDamagedPack changes the parts of a packed model: an error or a model that scores,
// never a crash.
func TestDamagedPack(t *testing.T) {
	testkit.Slow(t)
	f, err := model.Parse("made up", madeUp(t, 600, 250, 4))
	must.Succeed(t, err)
	packed := must.Get(Pack(f))(t)
	if f, err = model.Parse("made up", packed); err != nil {
		t.Fatal(err)
	}
	parts := must.Get(f.Unpack(packedSections...))(t)
	refused := 0
	try := func(part int, changed []byte) {
		w := model.Memory(f.Header)
		for _, name := range f.Sections() {
			b, _ := f.Section(name)
			if i := slices.Index(packedSections, name); i == part {
				if b, err = model.Pack(changed); err != nil {
					t.Fatal(err)
				}
			}
			w.Section(name)
			w.Write(b)
		}
		b := must.Get(w.Bytes())(t)
		m, err := Parse("damaged", b)
		if err != nil {
			refused++
			return
		}
		m.Sentence("a b w000003 w000004")
		m.WriteARPA(new(bytes.Buffer))
	}
	for i, part := range parts {
		before := refused
		try(i, part[:len(part)/2])
		try(i, append(slices.Clone(part), 1))
		if refused == before {
			t.Errorf("%s: no error of a part that is too short or too long", packedSections[i])
		}
		for at := 0; at < len(part); at += 1 + len(part)/16 {
			changed := slices.Clone(part)
			changed[at] ^= 0xff
			try(i, changed)
		}
	}
}
