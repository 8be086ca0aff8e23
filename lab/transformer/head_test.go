package transformer

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLineClassifier: a head beside the model and the one in its graph give
// the same probabilities, and those of the two classes add up to one.
func TestLineClassifier(t *testing.T) {
	head, err := LoadHead("testdata/tiny.head.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	hidden, logits := tiny(t, nil), tiny(t, func(c *Config) { c.Output = "logits" })
	docs := [][]string{testLines(t), {}, {"a"}}
	scores := func(e *Encoder, h *Head, class int) [][]float32 {
		c, err := NewLineClassifier(e, h, class)
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.ScoreDocs(t.Context(), docs, "")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	beside, inside, other := scores(hidden, head, 1), scores(logits, nil, 1), scores(logits, nil, 0)
	for i := range docs {
		if d := differ(t, beside[i], inside[i]); d > 1e-5 {
			t.Errorf("document %d: off by %v", i, d)
		}
		for j, p := range other[i] {
			if s := p + inside[i][j]; math.Abs(float64(s-1)) > 1e-6 {
				t.Errorf("probabilities add up to %v", s)
			}
		}
	}
	for want, err := range map[string]error{
		"class 2 of text among 2":                            second(NewLineClassifier(logits, nil, 2)),
		"class 32 of text among 32":                          second(NewLineClassifier(hidden, nil, 32)),
		"a head for vectors of width 32, the model's have 2": second(NewLineClassifier(logits, head, 1)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// weightsFile is a safetensors file with this header and so many zero bytes.
func weightsFile(header string, data int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), make([]byte, data)...)
}

func TestSafetensorsErrors(t *testing.T) {
	for _, c := range []struct {
		b    []byte
		want string
	}{
		{nil, "0 bytes"},
		{[]byte("\xff\xff\xff\xff\xff\xff\xff\xff"), "a header of 18446744073709551615 bytes in a file of 8"},
		{weightsFile(`[`, 0), "header: "},
		{weightsFile(`{"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}`, 8), `tensor "a": type "I64", wanted F32`},
		{weightsFile(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}}`, 8), `shape [1] of type F32 for 8 bytes`},
		{weightsFile(`{"a":{"dtype":"F32","shape":[2147483647,2147483647,4],"data_offsets":[0,4]}}`, 8), "shape [2147483647"},
		{weightsFile(`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, 8), "shape [-1]"},
		{weightsFile(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[8,4]}}`, 8), "offsets [8 4]"},
		{weightsFile(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,99]}}`, 8), "offsets [0 99] in 8 bytes"},
		{weightsFile(`{"a":7}`, 8), `tensor "a": `},
		{append(weightsFile(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 0), 0, 0, 0xC0, 0x7F), "no finite number"},
	} {
		if _, err := parseSafetensors(c.b, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.b, err, c.want)
		}
	}
	path := filepath.Join(t.TempDir(), "w")
	if err := os.WriteFile(path, weightsFile(`{"classifier.dense.weight":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}`, 4), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadHead(path); err == nil || !strings.Contains(err.Error(), "no tensor classifier.dense.bias, wanted classifier.dense.weight, ") {
		t.Error(err)
	}
}

// TestHalf: numbers of 16 bits of both kinds.
func TestHalf(t *testing.T) {
	for h, want := range map[uint16]float32{0: 0, 0x3C00: 1, 0xC000: -2, 0x7BFF: 65504, 1: 1. / (1 << 24), 0x8001: -1. / (1 << 24), 0x3555: .33325195} {
		if got := half(h); got != want {
			t.Errorf("%#x: %v, want %v", h, got, want)
		}
	}
	b := append(weightsFile(`{"a":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]},"b":{"dtype":"F16","shape":[],"data_offsets":[2,4]},"__metadata__":{"x":"y"}}`, 0), 0xC0, 0x3F, 0, 0x3C)
	all, err := parseSafetensors(b, nil)
	if err != nil || len(all) != 2 || all["a"].Data[0] != 1.5 || all["b"].Data[0] != 1 {
		t.Errorf("%v, %v", all, err)
	}
}

func FuzzSafetensors(f *testing.F) {
	b, err := os.ReadFile("testdata/tiny.head.safetensors")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(weightsFile(`{"classifier.dense.weight":{"dtype":"F16","shape":[1,1],"data_offsets":[0,2]}}`, 4))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := parseSafetensors(b, nil)
		if err != nil {
			return
		}
		if h, err := newHead(all); err == nil && h.width < 1<<10 {
			if n := len(h.Logits(nil, make([]float32, 2*h.width))); n != 2*h.classes {
				t.Errorf("%d logits", n)
			}
		}
	})
}
