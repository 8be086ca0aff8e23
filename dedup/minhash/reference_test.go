package minhash

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"testing"

	"chaffinch/input/records"
	"chaffinch/internal/testkit/must"
)

// docOf makes a document of one paragraph.
func docOf(text string) *records.Doc {
	return &records.Doc{Raw: []byte(text), Paras: []records.Para{{Text: []byte(text), End: len(text)}}}
}

type signature struct {
	Values int
	First  []string
	SHA256 string
}

// TestReference compares signatures with the signatures of the programs themselves.
func TestReference(t *testing.T) {
	b := must.Read(t, "testdata/reference/signatures.json")
	var ref struct{ Texts []map[string]json.RawMessage }
	must.Succeed(t, json.Unmarshal(b, &ref))
	read := func(raw json.RawMessage, v any) {
		must.Succeed(t, json.Unmarshal(raw, v))
	}
	for _, c := range ref.Texts {
		var text, words string
		read(c["text"], &text)
		read(c["words"], &words)
		if got := string(fineWebText(nil, []byte(text))); got != words {
			t.Errorf("words of %q\n got %q\nwant %q", text, got, words)
		}
		for _, preset := range []string{"fineweb", "fineweb32", "text-dedup", "data-juicer"} {
			var want *signature
			read(c[preset], &want)
			cfg := Config{Preset: preset}
			if want != nil {
				cfg.Bands, cfg.Rows = want.Values, 1 // all values
			}
			m := must.Get(New(cfg))(t)
			s := m.newSigner()
			shingles, compare := s.Shingles(docOf(text))
			if compare != (want != nil) {
				t.Errorf("%s: %q: compare %v, want %v", preset, text, compare, want != nil)
			}
			if !compare || want == nil {
				continue
			}
			h := sha256.New()
			for i, v := range s.Sign(shingles) {
				if i < len(want.First) && strconv.FormatUint(v, 10) != want.First[i] {
					t.Errorf("%s: %q: value %d is %d, want %s", preset, text, i, v, want.First[i])
				}
				h.Write(binary.BigEndian.AppendUint64(nil, v))
			}
			if got := hex.EncodeToString(h.Sum(nil)); got != want.SHA256 {
				t.Errorf("%s: %q: signature differs", preset, text)
			}
		}
	}
}

// TestTwister checks against numpy 2.4.6.
func TestTwister(t *testing.T) {
	g := newTwister(1)
	for i, want := range []uint64{775169054918279404, 1758426461858698313, 2109959069025162} {
		if got := g.below(1); got != want {
			t.Errorf("seed 1, draw %d: %d, want %d", i, got, want)
		}
	}
	for i, want := range []uint64{965365488286768773, 401325382989534144} {
		if got := g.below(0); got != want {
			t.Errorf("seed 1, draw %d from 0: %d, want %d", i, got, want)
		}
	}
	g = newTwister(42)
	if a, b := g.below32(1, 1<<31-1), g.below32(0, 1<<31-1); a != 1608637543 || b != 1273642419 {
		t.Errorf("seed 42: %d %d", a, b)
	}
}

// TestMurmur checks against the published verification value and texts of other
// lengths (mmh3 5.3.1).
func TestMurmur(t *testing.T) {
	for _, c := range []struct {
		text string
		seed uint32
		want uint32
	}{
		{"", 0, 0},
		{"", 1, 1364076727},
		{"a", 42, 3001393763},
		{"ab", 42, 3610054215},
		{"abc", 1608637543, 3161641920},
		{"abcd", 0, 1139631978},
		{"the quick brown fox jumps", 1608637543, 653076696},
		{"žluťoučký kůň", 7, 493390076},
	} {
		if got := murmur3([]byte(c.text), c.seed); got != c.want {
			t.Errorf("%q, seed %d: %d, want %d", c.text, c.seed, got, c.want)
		}
	}
}

// TestOptimal checks against datasketch's rule as text-dedup 0.4.0 has it.
func TestOptimal(t *testing.T) {
	for _, c := range []struct {
		threshold   float64
		perms, b, r int
	}{{.7, 240, 24, 10}, {.7, 256, 25, 10}, {.7, 250, 25, 10}, {.5, 128, 25, 5}, {.8, 128, 9, 13}, {.9, 64, 3, 21}} {
		if b, r := optimal(c.threshold, c.perms); b != c.b || r != c.r {
			t.Errorf("threshold %g, %d permutations: %d bands of %d, want %d of %d", c.threshold, c.perms, b, r, c.b, c.r)
		}
	}
}
