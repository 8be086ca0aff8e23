package storable

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// read returns all hashes; the keys that Perl wrote in Latin-1 are marked by
// "latin1:", those that it wrote in UTF-8 by "utf8:".
func read(b []byte) (all []map[string]float64, err error) {
	r, err := NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	for {
		if _, err = r.Next(); err == io.EOF {
			return all, nil
		} else if err != nil {
			return all, err
		}
		m := map[string]float64{}
		all = append(all, m)
		for {
			k, v, err := r.Entry()
			if err == io.EOF {
				break
			} else if err != nil {
				return all, err
			}
			name := string(k.Bytes)
			if k.Latin1 {
				name = "latin1:" + name
			} else if k.UTF8 {
				name = "utf8:" + name
			}
			m[name] = v
		}
	}
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	return must.Read(t, filepath.Join("testdata", name))
}

func TestOrders(t *testing.T) {
	want := []map[string]float64{
		{"latin1:the caf\xe9": 1. / 3, "utf8:дом мой": .125, "it is": 1, "is it": .25, "a b": 70000, "b a": -5, "c d": 5e9, "1985 was": 1e-9},
		{"the": .5, "latin1:caf\xe9": 1. / 7, "utf8:дом": 1. / 9},
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-14*math.Abs(a) } // network order has 15 digits
	for _, name := range []string{"native.st", "network.st"} {
		got := must.Get(read(file(t, name)))(t)
		for i := range want {
			if !maps.EqualFunc(got[i], want[i], near) {
				t.Errorf("%s: hash %d: got %v, want %v", name, i, got[i], want[i])
			}
		}
	}
	if got, err := read(file(t, "native.st")); err != nil || got[0]["latin1:the caf\xe9"] != 1./3 {
		t.Errorf("native order: %v, %v: wanted all bits of 1/3", got, err)
	}
	got, err := read(file(t, "plain.st"))
	if err != nil || len(got) != 3 || got[0]["plain"] != .5 || got[0]["keys"] != 1 || len(got[1]) != 0 || got[2]["third"] != 2 {
		t.Errorf("plain.st: got %v, %v", got, err)
	}
}

// TestForeignMachines reads what a 32-bit machine and a big-endian one write.
func TestForeignMachines(t *testing.T) {
	for _, c := range []struct {
		order string
		bo    binary.AppendByteOrder
	}{{"1234", binary.LittleEndian}, {"4321", binary.BigEndian}, {"12345678", binary.LittleEndian}, {"87654321", binary.BigEndian}} {
		b := append([]byte("pst0\x04\x0b"), byte(len(c.order)))
		b = append(append(b, c.order...), 4, byte(len(c.order)), byte(len(c.order)), 8, tagArray)
		b = c.bo.AppendUint32(b, 1)
		b = c.bo.AppendUint32(append(b, tagRef, tagHash), 2)
		b = append(b, tagInteger)
		if len(c.order) == 4 {
			b = c.bo.AppendUint32(b, math.MaxUint32-6)
		} else {
			b = c.bo.AppendUint64(b, math.MaxUint64-6)
		}
		b = append(c.bo.AppendUint32(b, 1), 'a')
		b = c.bo.AppendUint64(append(b, tagDouble), math.Float64bits(.75))
		b = append(c.bo.AppendUint32(b, 1), 'b')
		got, err := read(b)
		if err != nil || len(got) != 1 || got[0]["a"] != -7 || got[0]["b"] != .75 {
			t.Errorf("%s: got %v, %v", c.order, got, err)
		}
	}
}

func TestErrors(t *testing.T) {
	for name, want := range map[string]string{
		"nested.st": "before byte 31: tag 4, wanted a number",
		"hash.st":   "tag 3, wanted an array (2) of hashes",
		"text.st":   `text "no number", wanted a finite number`,
	} {
		must.Fail(t, must.Err(read(file(t, name))), want)
	}
	whole := file(t, "native.st")
	for n := range whole {
		if _, err := read(whole[:n]); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut after %d bytes: got %v, wanted an unexpected end", n, err)
		}
	}
	for old, want := range map[string]string{
		"PK\x03\x04....":                              "is it a file of Perl's Storable?",
		"pst0\x02\x00......":                          "Storable format 1, wanted 2",
		"pst0\x04\x0b\x04abcd....":                    `byte order "abcd"`,
		"pst0\x04\x0b\x041234\x04\x04\x04\x10\x02...": "number of 16",
		"pst0\x05\x0b\x02\xff\xff\xff\xff":            "size -1",
		"pst0\x05\x0b" + strings.Repeat("\x04", 20):   "references in a row",
		"pst0\x05\x0b\x02\x00\x00\x00\x01\x04\x03\x00\x00\x00\x01\x08\x81\x00\x10\x00\x00": "key of 1048576 bytes",
	} {
		must.Fail(t, must.Err(read([]byte(old))), want)
	}
}

func FuzzReader(f *testing.F) {
	for _, name := range []string{"native.st", "network.st", "plain.st", "nested.st", "hash.st", "text.st"} {
		f.Add(file(f, name))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := read(b)
		for _, m := range all {
			for k, v := range m {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%q has value %v", k, v)
				}
			}
		}
		if err != nil && !strings.HasPrefix(err.Error(), "storable: ") {
			t.Fatalf("error without a place: %v", err)
		}
	})
}
