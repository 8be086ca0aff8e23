package texts

import (
	"errors"
	"flag"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/crawl/simhash"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
)

// plain looks at all texts.
type plain struct {
	texts  map[uint64]bool
	prints []uint64
}

func (p *plain) near(print uint64) (place int64, ok bool) {
	nearest := simhash.Near + 1
	for i, x := range p.prints {
		if d := bits.OnesCount64(x ^ print); d < nearest || d == nearest && ok {
			nearest, place, ok = d, int64(i), true
		}
	}
	return place, ok
}

// TestSet compares a set that holds little in memory with a comparison of all texts, while it
// is saved, closed and opened again, with and without the texts after the last save.
func TestSet(t *testing.T) {
	disk.Lazy()
	rng := rand.New(rand.NewPCG(1, 2))
	cfg := Config{Dir: t.TempDir(), Memory: MinMemory}
	open := func(from State) *Set {
		s := must.Get(Open(cfg, from))(t)
		s.maxEntries = 50
		return s
	}
	s, all := open(State{}), plain{texts: map[uint64]bool{}}
	var state State
	saved, texts := 0, []uint64{} // when it was saved; all texts in order
	most, exact, found := 0, 0, 0
	for i := range 6000 {
		text, print := uint64(rng.IntN(5000)), rng.Uint64()
		if n := len(all.prints); n > 0 && rng.IntN(2) == 0 {
			print = all.prints[rng.IntN(n)]
			for range rng.IntN(6) {
				print ^= 1 << rng.IntN(64)
			}
		}
		has, err := s.Has(text)
		if err != nil || has != all.texts[text] {
			t.Fatalf("%d: has %d: %v, %v", i, text, has, err)
		}
		place, ok, err := s.Near(print)
		if want, wanted := all.near(print); err != nil || place != want || ok != wanted {
			t.Fatalf("%d: near %x: %d, %v, %v; want %d, %v", i, print, place, ok, err, want, wanted)
		}
		if has {
			exact++
		}
		if ok {
			found++
		}
		all.texts[text] = true
		texts, all.prints = append(texts, text), append(all.prints, print)
		add := func(i int) {
			must.Succeed(t, s.AddText(texts[i]))
			must.Succeed(t, s.AddNear(all.prints[i], int64(i)))
		}
		add(i)
		if s.merging != nil && len(s.runs) > 10 { // merges are late on a busy machine
			s.merging <- <-s.merging
		}
		most = max(most, len(s.runs))
		switch rng.IntN(200) {
		case 0:
			if state, err = s.Save(); err != nil {
				t.Fatal(err)
			}
			must.Succeed(t, s.Prune())
			saved = i + 1
		case 1: // as after a kill: what came after the last state is added again
			must.Succeed(t, s.Close())
			s = open(state)
			for k := saved; k <= i; k++ {
				add(k)
			}
		}
	}
	if exact < 1000 || found < 1500 || found > 4500 || most > 20 {
		t.Errorf("%d known texts, %d near others, up to %d runs: the test shows nothing", exact, found, most)
	}
	state = must.Get(s.Save())(t)
	must.Succeed(t, s.Close())
	s = open(state)
	defer s.Close()
	if files, err := os.ReadDir(cfg.Dir); err != nil || len(files) != len(state.Runs) {
		t.Errorf("%d files for %d runs, %v", len(files), len(state.Runs), err)
	}
}

var manyTexts = flag.Uint64("texts", 500_000, "how many texts TestMemory adds")

// TestMemory wants a set of many texts to hold few of them in memory, and to know them all.
// More of them: go test ./crawl/texts -run TestMemory -texts 5000000
func TestMemory(t *testing.T) {
	disk.Lazy()
	s := must.Get(Open(Config{Dir: t.TempDir(), Memory: MinMemory}, State{}))(t)
	defer s.Close()
	texts := *manyTexts
	for i := range texts {
		must.Succeed(t, s.AddText(i*0x9e3779b97f4a7c15))
		if len(s.hashes) > MinMemory/2/textBytes {
			t.Fatalf("%d texts are in memory", len(s.hashes))
		}
	}
	for i := uint64(0); i < texts; i += 997 {
		if ok, err := s.Has(i * 0x9e3779b97f4a7c15); !ok || err != nil {
			t.Fatalf("text %d of %d is not known: %v", i, texts, err)
		}
		if ok, err := s.Has((i + texts) * 0x9e3779b97f4a7c15); ok || err != nil {
			t.Fatalf("a text that was not added is known: %v", err)
		}
	}
}

// TestLost wants a set whose file is gone to be an error, not a set that knows less.
func TestLost(t *testing.T) {
	disk.Lazy()
	cfg := Config{Dir: t.TempDir(), Memory: MinMemory}
	s := must.Get(Open(cfg, State{}))(t)
	must.Succeed(t, s.AddText(7))
	state := must.Get(s.Save())(t)
	must.Succeed(t, s.Close())
	must.Succeed(t, os.Remove(filepath.Join(cfg.Dir, state.Runs[0].Name)))
	if s, err := Open(cfg, state); err == nil {
		s.Close()
		t.Error("a set without its file was opened")
	} else if !strings.Contains(err.Error(), "repeat the crawl in a new folder") {
		t.Error(err)
	}
}

// BenchmarkSet adds unlike texts, each looked up before, with a checkpoint after as many as
// a crawl has. -benchtime sets their number, as in 4000000x.
func BenchmarkSet(b *testing.B) {
	disk.Lazy()
	s := must.Get(Open(Config{Dir: b.TempDir(), Memory: 64 << 20}, State{}))(b)
	defer s.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	n := int64(0)
	for b.Loop() {
		n++
		text, print := rng.Uint64(), rng.Uint64()
		_, err := s.Has(text)
		_, _, err2 := s.Near(print)
		must.Succeed(b, errors.Join(err, err2, s.AddText(text), s.AddNear(print, n)))
		if n%25_000 == 0 {
			must.Succeed(b, must.Err(s.Save()))
			must.Succeed(b, s.Prune())
		}
	}
}
