package inflate

import (
	"bufio"
	"bytes"
	stdgzip "compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// samples are texts that pack in different ways.
func samples() map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	letters := make([]byte, 500_000)
	for i := range letters {
		letters[i] = "abcdefgh"[rng.IntN(rng.IntN(8)+1)]
	}
	var lines bytes.Buffer
	for i := range 20_000 {
		fmt.Fprintf(&lines, "<li class=\"item-%d\"><a href=\"/page/%d\">page %x</a></li>\n", i%7, i*i, rng.Uint32())
	}
	far := append(append(bytes.Clone(noise[:32<<10]), noise[:32<<10]...), noise[100:40_000]...)
	return map[string][]byte{
		"nothing": nil, "a byte": {7}, "short": []byte("hello hello hello hello"), "zeros": make([]byte, 700_000),
		"noise": noise, "letters": letters, "lines": lines.Bytes(), "far matches": far,
		"periods": bytes.Repeat([]byte("abc"), 100_000), "steep": steep(),
	}
}

// steep returns letters of which each is half as frequent as the one before, so that
// codes get as long as they can.
func steep() []byte {
	var b []byte
	for i, n := 0, 1<<17; n > 0; i, n = i+1, n/2 {
		b = append(b, bytes.Repeat([]byte{byte(i)}, n)...)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	rng.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
	return b
}

func packedAt(t testing.TB, text []byte, level int) []byte {
	var b bytes.Buffer
	w := must.Get(stdgzip.NewWriterLevel(&b, level))(t)
	w.Name, w.Comment, w.Extra = "name", "comment", []byte("extra")
	w.Write(text)
	w.Close()
	return b.Bytes()
}

// TestReader reads what was packed in every way, through buffers of any size, and
// leaves what follows in the input.
func TestReader(t *testing.T) {
	testkit.Slow(t)
	z := new(Reader)
	for name, text := range samples() {
		for _, level := range []int{stdgzip.NoCompression, stdgzip.BestSpeed, stdgzip.DefaultCompression, stdgzip.BestCompression, stdgzip.HuffmanOnly} {
			data := append(packedAt(t, text, level), "rest"...)
			for _, in := range []io.Reader{bytes.NewReader(data), iotest.HalfReader(bytes.NewReader(data)), iotest.OneByteReader(bytes.NewReader(data))} {
				for _, size := range []int{16, 64 << 10} {
					br := bufio.NewReaderSize(in, size)
					if err := z.Reset(br); err != nil {
						t.Fatalf("%s, level %d: %v", name, level, err)
					}
					got, err := io.ReadAll(z)
					if err != nil || !bytes.Equal(got, text) {
						t.Fatalf("%s, level %d, buffer %d: %d bytes, %v; wanted %d", name, level, size, len(got), err, len(text))
					}
					if rest, _ := io.ReadAll(br); size == 16 && string(rest) != "rest" {
						t.Fatalf("%s, level %d: %q is left, wanted what follows the member", name, level, rest)
					}
					in = bytes.NewReader(data)
				}
			}
		}
	}
}

// TestMembers reads one member after the other with one reader.
func TestMembers(t *testing.T) {
	var data, want []byte
	for _, text := range []string{"one", "", strings.Repeat("two ", 40_000), "three"} {
		data, want = append(data, packedAt(t, []byte(text), 6)...), append(want, text...)
	}
	z, br := new(Reader), bufio.NewReader(bytes.NewReader(data))
	var got []byte
	for {
		if err := z.Reset(br); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		text := must.Get(io.ReadAll(z))(t)
		got = append(got, text...)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%d bytes, wanted %d", len(got), len(want))
	}
}

// TestCut returns the available part of a file that ends early, with an error.
func TestCut(t *testing.T) {
	text := samples()["lines"][:30_000]
	data := packedAt(t, text, 6)
	for n := 0; n < len(data); n += 1 + n/50 {
		compare(t, data[:n])
	}
	z := new(Reader)
	must.Succeed(t, z.Reset(bufio.NewReader(bytes.NewReader(data[:len(data)-1]))))
	if got, err := io.ReadAll(z); err != io.ErrUnexpectedEOF || len(got) != len(text) {
		t.Errorf("%d of %d bytes, %v", len(got), len(text), err)
	}
}

// TestDamage changes bytes: whatever the library takes is taken, and gives the same.
func TestDamage(t *testing.T) {
	text := samples()["lines"][:20_000]
	rng := rand.New(rand.NewPCG(5, 6))
	for _, level := range []int{0, 6, stdgzip.HuffmanOnly} {
		data := packedAt(t, text, level)
		for range 400 {
			bad := bytes.Clone(data)
			for range 1 + rng.IntN(2) {
				bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
			}
			compare(t, bad)
		}
	}
}

// TestInputError passes on the error of the input.
func TestInputError(t *testing.T) {
	data := packedAt(t, samples()["lines"], 6)
	broken := errors.New("cable pulled")
	z := new(Reader)
	in := io.MultiReader(bytes.NewReader(data[:len(data)/2]), iotest.ErrReader(broken))
	must.Succeed(t, z.Reset(bufio.NewReader(in)))
	if got, err := io.ReadAll(z); !errors.Is(err, broken) || len(got) == 0 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// compare reads data as the library does: the same bytes up to the same kind of end.
func compare(t *testing.T, data []byte) {
	t.Helper()
	z := new(Reader)
	err := z.Reset(bufio.NewReader(bytes.NewReader(data)))
	std, stdErr := stdgzip.NewReader(bytes.NewReader(data))
	if err != nil && stdErr == nil {
		t.Fatalf("header: %v, the library takes it", err)
	}
	if err != nil || stdErr != nil { // the library takes no names of more than 512 bytes
		return
	}
	std.Multistream(false)
	got, err := io.ReadAll(io.LimitReader(z, 64<<20))
	want, stdErr := io.ReadAll(io.LimitReader(std, 64<<20))
	if (err == nil) != (stdErr == nil) || (err == io.ErrUnexpectedEOF) != (stdErr == io.ErrUnexpectedEOF) && !brokenFurtherOn(data) {
		t.Fatalf("%d bytes, %v; the library: %d bytes, %v", len(got), err, len(want), stdErr)
	}
	if err == nil && !bytes.Equal(got, want) || !bytes.HasPrefix(got, want) {
		t.Fatalf("%d bytes that are not those of the library, %d", len(got), len(want))
	}
	compareAppended(t, data, got, err)
}

// brokenFurtherOn reports whether data that is cut off is broken as well, whatever follows: which
// of the two is noticed first depends on how many bits are read at once.
func brokenFurtherOn(data []byte) bool {
	for _, b := range []byte{0, 0x55, 0xff} {
		z := new(Reader)
		z.Reset(bufio.NewReader(bytes.NewReader(append(bytes.Clone(data), bytes.Repeat([]byte{b}, 400)...))))
		if _, err := io.Copy(io.Discard, z); err != errCorrupt {
			return false
		}
	}
	return true
}

// compareAppended unpacks data in memory, which comes to what reading came to.
func compareAppended(t *testing.T, data, text []byte, readErr error) {
	t.Helper()
	br := bufio.NewReader(bytes.NewReader(data))
	z := new(Reader)
	z.Reset(br)
	io.Copy(io.Discard, z)
	rest, _ := io.ReadAll(br)
	before := []byte("before")
	got, used, err := z.AppendMember(before, data, len(text))
	if !errors.Is(err, readErr) || readErr == nil && (used != len(data)-len(rest) || string(got) != string(before)+string(text)) || err != nil && string(got) != "before" {
		t.Fatalf("in memory: %d bytes out of %d, %v; read: %d, %d, %v", len(got)-len(before), used, err, len(text), len(data)-len(rest), readErr)
	}
	if len(text) > history+ahead && readErr == nil {
		if got, _, err := z.AppendMember(before, data, len(text)-history-ahead); err != ErrLarge || string(got) != "before" {
			t.Fatalf("less was wanted: %d bytes, %v", len(got), err)
		}
	}
}

// TestCheck is asked the same in whatever pieces the input comes, and its error ends
// the member.
func TestCheck(t *testing.T) {
	for name, text := range samples() {
		data := packedAt(t, text, 6)
		var asked [2][][2]int64
		for i, in := range []io.Reader{bytes.NewReader(data), iotest.HalfReader(bytes.NewReader(data))} {
			z := new(Reader)
			z.Check = func(taken, given int64) error {
				asked[i] = append(asked[i], [2]int64{taken, given})
				return nil
			}
			z.Reset(bufio.NewReaderSize(in, 4096<<i))
			io.Copy(io.Discard, z)
			for _, a := range asked[i] {
				if a[0] > int64(len(data)) || a[1] > int64(len(text)) {
					t.Errorf("%s: asked of %d bytes", name, a)
				}
			}
		}
		if !slices.Equal(asked[0], asked[1]) || len(asked[0]) < len(text)/(history+ahead) {
			t.Errorf("%s: asked %v and %v", name, asked[0], asked[1])
		}
	}
	z, full := new(Reader), errors.New("full")
	z.Check = func(int64, given int64) error {
		if given > 200_000 {
			return full
		}
		return nil
	}
	z.Reset(bufio.NewReader(bytes.NewReader(packedAt(t, samples()["zeros"], 6))))
	if got, err := io.ReadAll(z); err != full || len(got) <= 200_000 || len(got) > 200_000+history+ahead {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func FuzzReader(f *testing.F) {
	for _, text := range samples() {
		text = text[:min(len(text), 2000)]
		for _, level := range []int{0, 1, 6, stdgzip.HuffmanOnly} {
			f.Add(packedAt(f, text, level))
		}
	}
	f.Fuzz(compare)
}

// BenchmarkReader is beside the libraries, on lines of markup.
func BenchmarkReader(b *testing.B) {
	text := samples()["lines"]
	data := packedAt(b, text, 6)
	b.Run("inflate", func(b *testing.B) {
		z := new(Reader)
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			z.Reset(bufio.NewReader(bytes.NewReader(data)))
			io.Copy(io.Discard, z)
		}
	})
	b.Run("klauspost", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			z, _ := gzip.NewReader(bytes.NewReader(data))
			io.Copy(io.Discard, z)
		}
	})
	b.Run("standard", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			z, _ := stdgzip.NewReader(bytes.NewReader(data))
			io.Copy(io.Discard, z)
		}
	})
}
