package packed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// packing is one way to store parts, with the offset of each.
type packing struct {
	name    string
	file    []byte
	offsets []int64 // of each part; nil if all are in one member
}

func pack(parts [][]byte) []packing {
	whole := bytes.Join(parts, nil)
	join := func(name string, f func([]byte) []byte) packing {
		p := packing{name: name}
		for _, b := range parts {
			p.offsets = append(p.offsets, int64(len(p.file)))
			p.file = append(p.file, f(b)...)
		}
		return p
	}
	return []packing{
		join("plain", func(b []byte) []byte { return b }),
		join("gzip members", testkit.Gzip),
		join("zstd frames", testkit.Zstd),
		{"gzip", testkit.Gzip(whole), nil},
		{"zstd", testkit.Zstd(whole), nil},
		{"gzip of zstd", testkit.Gzip(testkit.Zstd(whole)), nil},
		{"zstd of gzip members", testkit.Zstd(join("", testkit.Gzip).file), nil},
	}
}

var parts = [][]byte{testkit.Words(1, 100), testkit.Words(2, 70000), testkit.Words(3, 1), testkit.Words(4, 300000), testkit.Words(5, 5000)}

func TestReadAndSeek(t *testing.T) {
	whole := bytes.Join(parts, nil)
	for _, p := range pack(parts) {
		t.Run(p.name, func(t *testing.T) {
			r := must.Get(NewReader(bytes.NewReader(p.file), Default))(t)
			defer r.Close()
			rng := rand.New(rand.NewPCG(7, 7))
			places := map[int]Pos{}
			var got []byte
			next, at := 0, 0 // begin of the next part
			for {
				if len(got) == at && next < len(parts) {
					must.Succeed(t, must.Err(r.Peek(1)))
					pos := r.Pos()
					if p.offsets != nil && pos != (Pos{p.offsets[next], 0}) {
						t.Errorf("part %d is at %v, wanted %d", next, pos, p.offsets[next])
					}
					places[at] = pos
					at += len(parts[next])
					next++
				} else if rng.IntN(3) == 0 && len(places) < 12 {
					places[len(got)] = r.Pos()
				}
				n := min(1+rng.IntN(40000), at-len(got))
				if rng.IntN(2) == 0 {
					n = min(n, 1+rng.IntN(100))
				}
				var err error
				if rng.IntN(4) == 0 {
					b, perr := r.Peek(n)
					got = append(got, b...)
					if m, derr := r.Discard(int64(len(b))); m != int64(len(b)) || derr != nil {
						t.Fatalf("Discard: %d of %d, %v", m, len(b), derr)
					}
					err = perr
				} else {
					b := make([]byte, max(n, 1))
					n, err = r.Read(b)
					got = append(got, b[:n]...)
				}
				if err == io.EOF {
					break
				}
				must.Succeed(t, err)
				r.Forget()
			}
			if !bytes.Equal(got, whole) {
				t.Fatalf("%d bytes differ from the %d that were packed", len(got), len(whole))
			}
			for off, pos := range places {
				if err := r.Seek(pos); err != nil {
					t.Fatalf("Seek(%v): %v", pos, err)
				}
				b, _ := r.Peek(200)
				if want := whole[off:min(len(whole), off+200)]; !bytes.Equal(b, want) {
					t.Fatalf("after Seek(%v): %.30q, wanted %.30q", pos, b, want)
				}
				if again := r.Pos(); again != pos {
					must.Succeed(t, r.Seek(again))
					if c, _ := r.Peek(20); !bytes.Equal(c, b[:len(c)]) {
						t.Errorf("Pos after Seek(%v) is %v, which is another place", pos, again)
					}
				}
			}
		})
	}
}

// collect reads on after all damage and returns the bytes and the damages.
func collect(r *Reader) (got []byte, all []*Damage) {
	b := make([]byte, 8<<10)
	for range 1 << 20 {
		n, err := r.Read(b)
		got = append(got, b[:n]...)
		var d *Damage
		if errors.As(err, &d) {
			all = append(all, d)
			if r.Resync() != nil {
				return
			}
		} else if err != nil {
			return
		}
	}
	panic("no end")
}

// pipe hides that the input can go back.
type pipe struct{ io.Reader }

func TestDamage(t *testing.T) {
	for _, p := range pack(parts)[1:3] {
		for _, seekable := range []bool{true, false} {
			name := fmt.Sprintf("%s, can go back %v", p.name, seekable)
			f := bytes.Clone(p.file)
			mid := int(p.offsets[3]) + 1000
			for i := range 40 { // inside the fourth part
				f[mid+i] ^= 0x5a
			}
			var in io.Reader = bytes.NewReader(f)
			if !seekable {
				in = pipe{in}
			}
			r := must.Get(NewReader(in, Default))(t)
			got, bad := collect(r)
			if len(bad) == 0 || bad[0].Member != p.offsets[3] {
				t.Fatalf("%s: damage %v, wanted one at %d", name, bad, p.offsets[3])
			}
			before := bytes.Join(parts[:3], nil)
			if !bytes.HasPrefix(got, before) || !bytes.HasSuffix(got, parts[4]) {
				t.Errorf("%s: what lies before or behind the damage is lost", name)
			}
			r.Close()
		}
	}
}

func TestTruncated(t *testing.T) {
	for _, p := range pack(parts)[1:] {
		for _, cut := range []int{1, 9, 100, len(p.file) / 2} {
			r, err := NewReader(bytes.NewReader(p.file[:len(p.file)-cut]), Default)
			if err != nil {
				t.Fatal(p.name, err)
			}
			got, bad := collect(r)
			if len(bad) != 1 || !errors.Is(bad[0], io.ErrUnexpectedEOF) {
				t.Errorf("%s without %d bytes: %v", p.name, cut, bad)
			}
			if whole := bytes.Join(parts, nil); !bytes.HasPrefix(whole, got) || cut < 100 && p.name != "zstd of gzip members" && len(got) < len(whole)-130000 { // a zstd block is 128 KB
				t.Errorf("%s without %d bytes: %d of %d bytes", p.name, cut, len(got), len(whole))
			}
			r.Close()
		}
	}
}

func TestGarbageBetweenMembers(t *testing.T) {
	a, b := testkit.Words(1, 5000), testkit.Words(2, 5000)
	for name, between := range map[string]string{"zeros": strings.Repeat("\x00", 700), "words": "no packed data here", "half a header": "\x1f\x8b\x08\x00"} {
		f := append(append(testkit.Gzip(a), between...), testkit.Gzip(b)...)
		r := must.Get(NewReader(bytes.NewReader(f), Default))(t)
		got, bad := collect(r)
		if !bytes.Equal(got, append(bytes.Clone(a), b...)) {
			t.Errorf("%s: %d bytes, wanted 10000", name, len(got))
		}
		if want := name != "zeros"; want != (len(bad) > 0) {
			t.Errorf("%s: damage %v", name, bad)
		}
	}
}

func TestBomb(t *testing.T) {
	zeros := make([]byte, 8<<20)
	cfg := Config{MaxRatio: 100, GraceBytes: 1 << 20}
	for name, f := range map[string][]byte{"gzip": append(testkit.Gzip(zeros), testkit.Gzip([]byte("next"))...), "zstd": append(testkit.Zstd(zeros), testkit.Zstd([]byte("next"))...)} {
		r := must.Get(NewReader(bytes.NewReader(f), cfg))(t)
		got, bad := collect(r)
		if len(bad) != 1 || !errors.Is(bad[0], ErrTooCompressed) {
			t.Errorf("%s: %v, wanted ErrTooCompressed", name, bad)
		}
		if len(got) > 3<<20 || !bytes.HasSuffix(got, []byte("next")) {
			t.Errorf("%s: %d bytes, ending in %q", name, len(got), got[max(0, len(got)-4):])
		}
	}
}

func TestDictionary(t *testing.T) {
	testkit.Slow(t)
	var samples [][]byte
	for i := range 200 {
		samples = append(samples, testkit.Words(uint64(i), 2000))
	}
	dict := must.Get(zstd.BuildDict(zstd.BuildDictOptions{ID: 77, Contents: samples, History: testkit.Words(999, 20000), Offsets: [3]int{1, 4, 8}}))(t)
	enc := must.Get(zstd.NewWriter(nil, zstd.WithEncoderDict(dict)))(t)
	frameOf := func(d []byte) []byte {
		return append([]byte{0x5d, 0x2a, 0x4d, 0x18, byte(len(d)), byte(len(d) >> 8), byte(len(d) >> 16), 0}, d...)
	}
	for name, head := range map[string][]byte{"plain": frameOf(dict), "packed": frameOf(testkit.Zstd(dict))} {
		f := bytes.Clone(head)
		for _, s := range samples[:3] {
			f = append(f, enc.EncodeAll(s, nil)...)
			f = append(f, 0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'x', 'y', 'z') // skipped
		}
		r := must.Get(NewReader(bytes.NewReader(f), Default))(t)
		got, bad := collect(r)
		if len(bad) > 0 || !bytes.Equal(got, bytes.Join(samples[:3], nil)) {
			t.Errorf("%s dictionary: %d bytes, %v", name, len(got), bad)
		}
		r.Close()
	}
}

func TestUnread(t *testing.T) {
	for _, magic := range []string{"\xfd7zXZ\x00"} {
		if _, err := NewReader(strings.NewReader(magic+"rest"), Default); !errors.Is(err, errFormat) {
			t.Errorf("%q: %v, wanted errFormat", magic, err)
		}
	}
	must.Is(t, must.Err(NewReader(bytes.NewReader(testkit.Gzip(testkit.Gzip(testkit.Gzip([]byte("x"))))), Default)), errFormat)
	if r, err := NewReader(strings.NewReader("BZh is no word"), Default); err != nil || r.Kind() != Plain {
		t.Errorf("a text that begins with BZh: %v", err)
	}
}

// TestAgain: the state after one file makes no difference for the next file.
func TestAgain(t *testing.T) {
	for _, kind := range []Kind{Gzip, Zstd} {
		packed := func(text string) string {
			var b bytes.Buffer
			w := must.Get(NewWriter(&b, kind, false))(t)
			must.Succeed(t, must.Err(io.WriteString(w, text)))
			must.Succeed(t, w.Close())
			return b.String()
		}
		one := testkit.Words(1, 5000)
		want := packed(string(one))
		packed(string(one[100:]) + string(testkit.Words(2, 90_000)))
		if packed("") == "" {
			t.Errorf("%s: an empty file has no member", kind)
		}
		if got := packed(string(one)); got != want {
			t.Errorf("%s: %d bytes after others, %d before, or not the same", kind, len(got), len(want))
		}
		for _, packing := range []string{want[:len(want)/2], want} { // damaged, then whole
			r := must.Get(NewReader(strings.NewReader(packing), Default))(t)
			got, err := io.ReadAll(r)
			r.Close()
			if whole := len(packing) == len(want); whole != (err == nil) || whole && string(got) != string(one) {
				t.Errorf("%s: %d bytes and %v of a file, whole: %v", kind, len(got), err, whole)
			}
		}
	}
}
