package packed

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// gzipped packs text.
func gzipped(t testing.TB, text []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := must.Get(gzip.NewWriterLevel(&b, level))(t)
	w.Write(text)
	w.Close()
	return b.Bytes()
}

// members returns a file of some megabytes: members of many sizes, one above what is
// unpacked ahead, empty ones, one that holds members, zeros between them.
func members(t testing.TB, seed uint64) (file []byte) {
	rng := rand.New(rand.NewPCG(seed, 1))
	noise := make([]byte, 700<<10)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	for i := 0; len(file) < 2<<20; i++ {
		level := []int{gzip.DefaultCompression, gzip.BestSpeed, gzip.NoCompression}[rng.IntN(3)]
		text := testkit.Words(seed+uint64(i), 1+rng.IntN(5000))
		switch rng.IntN(20) {
		case 0:
			text = nil
		case 1:
			text = bytes.Repeat(text, 1+rng.IntN(200)) // more than a task may hold
		case 2:
			text = noise[:rng.IntN(len(noise))] // more than the overlap
		case 3:
			text = append(gzipped(t, text, level), gzipped(t, text, level)...)
		case 4:
			file = append(file, make([]byte, rng.IntN(1000))...)
		}
		file = append(file, gzipped(t, text, level)...)
	}
	return file
}

// damage changes a file somewhere, in one of many ways.
func damage(rng *rand.Rand, file []byte) []byte {
	file = bytes.Clone(file)
	for range rng.IntN(4) {
		at := rng.IntN(len(file))
		some := make([]byte, rng.IntN(3000))
		for i := range some {
			some[i] = byte(rng.Uint32())
		}
		switch rng.IntN(5) {
		case 0:
			file[at] ^= 1 << rng.IntN(8)
		case 1:
			copy(file[at:], some)
		case 2:
			file = append(file[:at:at], append(some, file[at:]...)...)
		case 3:
			file = append(file[:at:at], file[min(at+len(some), len(file)):]...)
		case 4:
			file = file[:max(at, len(file)/2)]
		}
	}
	return file
}

// story reads a file in steps of many sizes and tells all that a user of r can see.
func story(t testing.TB, r *Reader, seed uint64) string {
	t.Helper()
	var s strings.Builder
	rng := rand.New(rand.NewPCG(seed, 2))
	p := make([]byte, 200<<10)
	sum := uint32(0)
	for {
		n := 1 + rng.IntN(len(p))
		if rng.IntN(2) == 0 {
			n = 1 + rng.IntN(100)
		}
		r.Forget()
		at := r.Pos()
		n, err := io.ReadFull(r, p[:n])
		sum = crc32.Update(sum, crc32.IEEETable, p[:n])
		fmt.Fprintf(&s, "%v: %d bytes, %x", at, n, sum)
		if err == nil && rng.IntN(10) == 0 {
			r.Unread(p[n-rng.IntN(min(n, 2000)) : n])
		}
		if rng.IntN(10) == 0 {
			b, err := r.Peek(rng.IntN(1000))
			fmt.Fprintf(&s, ", then %x %v", b, err)
			if r.AtMember() {
				fmt.Fprintf(&s, ", a member ends at %d", r.MemberEnd())
			}
		}
		var d *Damage
		switch {
		case errors.As(err, &d):
			fmt.Fprintf(&s, ": %d to %d: %v\n", d.Member, d.At, d)
			err = r.Resync()
			fmt.Fprintf(&s, "%v: on with %v\n", r.Pos(), err)
		case err != nil:
			fmt.Fprintf(&s, ": %v\n", err)
		default:
			s.WriteByte('\n')
		}
		if err == io.EOF || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return s.String()
		}
	}
}

func storyOf(t testing.TB, file []byte, cfg Config, seed uint64) string {
	t.Helper()
	r, err := NewReader(bytes.NewReader(file), cfg)
	if err != nil {
		return err.Error()
	}
	defer r.Close()
	return story(t, r, seed)
}

// TestAhead reads whole and damaged files with members unpacked ahead and without:
// bytes, places and errors are the same.
func TestAhead(t *testing.T) {
	rounds := 16
	if !testkit.Whole() {
		rounds = 6
	}
	for seed := range uint64(rounds) {
		file := members(t, seed%4)
		if rng := rand.New(rand.NewPCG(seed, 3)); seed >= 4 {
			file = damage(rng, file)
		}
		cfg := Config{}
		if seed%3 == 2 {
			cfg = Config{MaxRatio: 30, GraceBytes: 1 << 20}
		}
		want := storyOf(t, file, cfg, seed)
		for _, workers := range []int{2, 5} {
			cfg.Workers = workers
			if got := storyOf(t, file, cfg, seed); got != want {
				t.Fatalf("seed %d, %d workers: %s", seed, workers, firstDifference(got, want))
			}
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("step %d:\n%.300s\nwanted\n%.300s", i, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d steps, wanted %d", len(g), len(w))
}

// TestAheadUsed tells that members come from there: but for the first and those that
// are too large, each is unpacked ahead.
func TestAheadUsed(t *testing.T) {
	testkit.Slow(t)
	var file []byte
	for i := range 2000 {
		file = append(file, gzipped(t, testkit.Words(uint64(i), 500), gzip.BestSpeed)...)
	}
	r := must.Get(NewReader(bytes.NewReader(file), Config{Workers: 2}))(t)
	defer r.Close()
	m := r.m.(*gzipMember)
	taken, all := 0, 0
	for before := int64(-1); ; {
		b, err := r.Buffered()
		if err != nil {
			break
		}
		if at := r.PosAt(r.Offset() + int64(len(b)) - 1).Member; at != before {
			before = at
			all++
			if m.ready {
				taken++
			}
		}
		r.Discard(int64(len(b)))
	}
	if want := all - all*(steady+2*minBuffer)/len(file); taken < want {
		t.Errorf("%d of %d members were unpacked ahead, wanted %d", taken, all, want)
	}
}

// TestAheadSeek goes to and fro while members are unpacked ahead.
func TestAheadSeek(t *testing.T) {
	file := members(t, 1)
	read := func(cfg Config) (said string) {
		r := must.Get(NewReader(bytes.NewReader(file), cfg))(t)
		defer r.Close()
		rng := rand.New(rand.NewPCG(5, 5))
		var places []Pos
		for range 30 {
			r.Discard(int64(rng.IntN(1 << 20)))
			r.Forget()
			places = append(places, r.Pos())
			if rng.IntN(4) == 0 {
				must.Succeed(t, r.Seek(places[rng.IntN(len(places))]))
			}
			b, err := r.Peek(50)
			said += fmt.Sprintf("%v %x %v\n", r.Pos(), b, err)
		}
		return said
	}
	if got, want := read(Config{Workers: 3}), read(Config{}); got != want {
		t.Error(firstDifference(got, want))
	}
}

// TestAheadInput hands on what the input says, and ends with it or with Close: no
// goroutine is left.
func TestAheadInput(t *testing.T) {
	file := members(t, 2)
	before := runtime.NumGoroutine()
	pulled := errors.New("cable pulled")
	for i, stop := range []int{0, 300 << 10, 1 << 20, len(file) - 1000} {
		in := &pulling{Reader: bytes.NewReader(file), at: stop, err: pulled}
		if stop == 0 {
			in.at = len(file) + 1
		}
		r := must.Get(NewReader(in, Config{Workers: 4}))(t)
		n, err := io.Copy(io.Discard, io.LimitReader(onlyReader{r}, int64(1+i)<<40))
		if stop > 0 && (!errors.Is(err, pulled) || n == 0) || stop == 0 && err != nil {
			t.Errorf("input ends at %d: %d bytes, %v", stop, n, err)
		}
		r.Close()

		in = &pulling{Reader: bytes.NewReader(file), at: len(file) + 1}
		if r, err = NewReader(in, Config{Workers: 4}); err != nil {
			t.Fatal(err)
		}
		r.Discard(int64(stop) + 1<<20)
		r.Close()
		r.Close()
	}
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// pulling fails from a place on.
type pulling struct {
	*bytes.Reader
	at  int
	err error
}

func (p *pulling) Read(b []byte) (int, error) {
	left := p.at - (int(p.Size()) - p.Len())
	if left <= 0 {
		return 0, p.err
	}
	return p.Reader.Read(b[:min(len(b), left)])
}

// FuzzAhead unpacks any bytes behind some that let members be unpacked ahead.
func FuzzAhead(f *testing.F) {
	rng := rand.New(rand.NewPCG(7, 7))
	noise := make([]byte, steady)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	first := gzipped(f, noise, gzip.NoCompression)
	small := append(gzipped(f, []byte("one"), 6), gzipped(f, testkit.Words(1, 300), 6)...)
	f.Add(small)
	f.Add(append(gzipped(f, gzipped(f, []byte("in it"), 6), 0), small...))
	f.Add(append(bytes.Clone(small[:len(small)-9]), small...))
	f.Fuzz(func(t *testing.T, b []byte) {
		file := append(append(bytes.Clone(first), first[:200]...), b...)
		if len(b)%2 == 0 {
			file = append(bytes.Clone(first), b...)
		}
		cfg := Config{MaxRatio: 100, GraceBytes: 1 << 16}
		want := storyOf(t, file, cfg, 1)
		cfg.Workers = 2
		if got := storyOf(t, file, cfg, 1); got != want {
			t.Fatal(firstDifference(got, want))
		}
	})
}

// TestMemberTail compares the known ends of members with their texts.
func TestMemberTail(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var file []byte
	var texts [][]byte
	for i := range 60 {
		texts = append(texts, testkit.Words(uint64(i), 1+rng.IntN(150_000)))
		file = append(file, gzipped(t, texts[i], gzip.BestSpeed)...)
	}
	for _, workers := range []int{1, 3} {
		r := must.Get(NewReader(bytes.NewReader(file), Config{Workers: workers}))(t)
		known := 0
		for i, text := range texts {
			if !r.AtMember() {
				t.Fatalf("member %d does not start here", i)
			}
			for _, past := range []int{0, rng.IntN(len(text))} {
				r.Discard(int64(past))
				text = text[past:]
				for _, n := range []int{-1, 0, len(text) - 2, len(text), len(text) + 1} {
					tail, ok := r.MemberTail(int64(n))
					if !ok {
						continue
					}
					if known++; n < 0 || n > len(text) || !bytes.Equal(tail, text[n:]) {
						t.Fatalf("member %d: %d bytes after %d of %d", i, len(tail), n, len(text))
					}
				}
			}
			r.Discard(int64(len(text)))
		}
		if known < 50 && workers > 1 {
			t.Errorf("only %d ends are known", known)
		}
		r.Close()
	}
}
