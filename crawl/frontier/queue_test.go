package frontier

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit/must"
)

// model is the simple queue that Queue is compared with.
type model map[uint32][]Item

func (m model) take(host uint32) (Item, bool) {
	list := m[host]
	if len(list) == 0 {
		return Item{}, false
	}
	best := 0
	for i := range list {
		if list[i].Score > list[best].Score {
			best = i
		}
	}
	it := list[best]
	m[host] = append(list[:best:best], list[best+1:]...)
	return it, true
}

// TestQueue compares the queue with a list, through small batches, compactions, saving and
// reopening.
func TestQueue(t *testing.T) {
	dir := t.TempDir()
	cfg := QueueConfig{Batch: 600, Segments: 6, Memory: 1}
	q := NewQueue(dir, cfg)
	defer func() { q.Close() }()
	want := model{}
	rng := rand.New(rand.NewPCG(3, 4))
	waiting := 0
	for i := range 1500 {
		host := uint32(rng.IntN(12))
		switch {
		case rng.IntN(100) < 55:
			it := Item{Host: host, Score: uint8(rng.IntN(5)), Depth: uint8(rng.IntN(9)), Hops: uint8(rng.IntN(9)), Via: rng.Uint64() >> rng.IntN(64), Words: rng.Uint32() * rng.Uint32N(2), Path: fmt.Appendf(nil, "/%d/%s", i, bytes.Repeat([]byte("x"), rng.IntN(700)*rng.IntN(2)))}
			must.Succeed(t, q.Add(it))
			want[host] = append(want[host], it)
			waiting++
		default:
			must.Succeed(t, q.Commit())
			got, ok, err := q.Take(host)
			must.Succeed(t, err)
			exp, there := want.take(host)
			if ok != there || got.Score != exp.Score || got.Depth != exp.Depth || got.Hops != exp.Hops || got.Via != exp.Via || got.Words != exp.Words || got.Host != exp.Host {
				t.Fatalf("step %d: host %d gives %v %q, want %v %q", i, host, ok, got.Path, there, exp.Path)
			}
			if ok {
				waiting--
				if !bytes.Equal(got.Path, exp.Path) {
					t.Fatalf("step %d: host %d gives %q of score %d, want %q", i, host, got.Path, got.Score, exp.Path)
				}
			}
		}
		if i%300 == 299 {
			must.Succeed(t, q.Commit())
			must.Succeed(t, q.Prune())
			if q.Len() != int64(waiting) {
				t.Fatalf("step %d: %d items, want %d", i, q.Len(), waiting)
			}
			var state bytes.Buffer
			must.Succeed(t, q.Save(&state))
			must.Succeed(t, q.Close())
			var err error
			if q, err = LoadQueue(dir, cfg, &state); err != nil {
				t.Fatal(err)
			}
		}
	}
	for host := range uint32(12) {
		got := 0
		for i := q.firstRun(host); i != 0; i = q.run(i).next {
			got += int(q.run(i).remaining)
		}
		if want := len(want[host]); got != want {
			t.Errorf("host %d has %d items, want %d", host, got, want)
		}
	}
	if n := len(q.segments); n > cfg.Segments+1 {
		t.Errorf("%d segments, at most %d", n, cfg.Segments)
	}
}

// TestDamagedQueue changes every byte of a saved queue and of its segments: loading gives
// items or errors.
func TestDamagedQueue(t *testing.T) {
	dir := t.TempDir()
	q := NewQueue(dir, DefaultQueue)
	for i := range 40 {
		must.Succeed(t, q.Add(Item{Host: uint32(i % 3), Score: uint8(i % 5), Path: fmt.Appendf(nil, "/%d", i)}))
		if i%10 == 9 {
			must.Succeed(t, q.Commit())
		}
	}
	var state bytes.Buffer
	must.Succeed(t, errors.Join(q.Save(&state), q.Close()))
	drain := func(state []byte) {
		q, err := LoadQueue(dir, DefaultQueue, bytes.NewReader(state))
		if err != nil {
			return
		}
		defer q.Close()
		for host := range uint32(4) {
			for range 50 {
				if _, ok, err := q.Take(host); !ok || err != nil {
					break
				}
			}
			q.Drop(host)
		}
	}
	for i := range state.Len() {
		for _, x := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			b := bytes.Clone(state.Bytes())
			b[i] = x
			drain(b)
		}
		drain(state.Bytes()[:i])
	}
	files, err := filepath.Glob(filepath.Join(dir, "queue-*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, name := range files {
		whole := must.Read(t, name)
		for i := range whole {
			for _, x := range []byte{0, 0x80, 0xff} {
				b := bytes.Clone(whole)
				for k := i; k < min(i+9, len(b)); k++ { // a long number
					b[k] = x
				}
				must.Write(t, name, b)
				drain(state.Bytes())
			}
		}
		must.Write(t, name, whole)
	}
}
