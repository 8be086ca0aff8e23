package dedup_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"chaffinch/collection"
	"chaffinch/dedup"
	"chaffinch/dedup/exact"
)

// corpus makes n documents with copies in them; one in ten is short.
func corpus(n int, seed uint64) []*collection.Doc {
	rnd := rand.New(rand.NewPCG(seed, 1))
	docs := make([]*collection.Doc, n)
	for i := range docs {
		d := &collection.Doc{ID: fmt.Sprintf("doc-%05d", (i*7919)%n), URL: fmt.Sprintf("http://site%d.example/%d", i%7, i)}
		if i%10 == 3 {
			d.ID = "twice"
		}
		for range 1 + rnd.IntN(8) {
			at := len(d.Raw)
			d.Raw = fmt.Appendf(d.Raw, "paragraph %d of some words\n", int(rnd.ExpFloat64()*300))
			d.Paras = append(d.Paras, collection.Para{Text: d.Raw[at : len(d.Raw)-1], Start: at, End: len(d.Raw)})
		}
		docs[i] = d
	}
	return docs
}

// sink writes the paragraphs that stay.
type sink struct{ w io.Writer }

func (s sink) Write(d *collection.Doc, e *collection.Edit) error {
	if e.Drop {
		return nil
	}
	b := fmt.Appendf(nil, "# %s %v\n", d.ID, e.Attrs)
	for i, p := range d.Paras {
		if !e.Paras[i].Drop {
			b = fmt.Appendf(b, "%s %v\n", p.Text, e.Paras[i].Attrs)
		}
	}
	_, err := s.w.Write(b)
	return err
}

// flaky stops after so many documents.
type flaky struct {
	dedup.Docs
	left *int
}

var errStop = errors.New("stop")

func (f *flaky) Next() (*collection.Doc, error) {
	if *f.left--; *f.left < 0 {
		return nil, errStop
	}
	return f.Docs.Next()
}

func job(t testing.TB, docs []*collection.Doc, unit string) dedup.Job {
	cfg := exact.Default
	cfg.Unit = unit
	m, err := exact.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return dedup.Job{
		Open:   func() (dedup.Source, error) { return &dedup.Docs{List: docs}, nil },
		Sink:   func(w io.Writer) (dedup.Sink, error) { return sink{w}, nil },
		Method: m,
		Out:    filepath.Join(t.TempDir(), "out"),
	}
}

func do(t testing.TB, j dedup.Job) (string, *dedup.Report) {
	t.Helper()
	rep, err := dedup.Run(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(j.Out), "*")); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
	b, err := os.ReadFile(j.Out)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(b)), rep
}

// What comes out does not depend on workers and memory, nor on being broken off.
func TestSame(t *testing.T) {
	docs := corpus(1000, 1)
	for _, unit := range []string{"page", "paragraph"} {
		for _, annotate := range []bool{false, true} {
			var want string
			for _, jobs := range []int{1, 2, 8} {
				j := job(t, docs, unit)
				j.Jobs, j.Annotate = jobs, annotate
				if jobs == 8 {
					j.Checkpoint = 2e6 // 2 ms
				}
				got, rep := do(t, j)
				if want == "" {
					want = got
				}
				if got != want || rep.In.Docs != 1000 || rep.Out.Docs == 0 || rep.Out.Docs == 1000 {
					t.Errorf("%s, %d workers: %s, want %s; %+v", unit, jobs, got, want, rep)
				}
			}
			j := job(t, docs, unit)
			j.Annotate, j.Resume, j.Checkpoint = annotate, true, 1e6
			left := 0
			j.Open = func() (dedup.Source, error) { return &flaky{dedup.Docs{List: docs}, &left}, nil }
			for stops := 0; ; stops++ {
				left = 300 + 100*stops
				_, err := dedup.Run(context.Background(), j)
				if err == nil {
					if stops == 0 {
						t.Errorf("%d stops", stops)
					}
					break
				}
				if !errors.Is(err, errStop) || stops > 1000 {
					t.Fatal(stops, err)
				}
			}
			b, _ := os.ReadFile(j.Out)
			if got := fmt.Sprintf("%x", sha256.Sum256(b)); got != want {
				t.Errorf("%s: resumed %s, unbroken %s", unit, got, want)
			}
		}
	}
}

// Every document and paragraph is somewhere.
func TestNothingLost(t *testing.T) {
	docs := corpus(500, 2)
	j := job(t, docs, "paragraph")
	j.Jobs = 3
	dropped := filepath.Join(t.TempDir(), "dropped")
	j.Dropped = dropped
	_, rep := do(t, j)
	kept, _ := os.ReadFile(j.Out)
	gone, _ := os.ReadFile(dropped)
	var paras int
	for _, d := range docs {
		paras += len(d.Paras)
	}
	lines := func(b []byte) int { return bytes.Count(b, []byte("paragraph")) }
	if lines(kept)+lines(gone) != paras || int(rep.In.Paras) != paras || int(rep.Out.Paras) != lines(kept) {
		t.Errorf("%d paragraphs kept, %d dropped of %d; report %+v", lines(kept), lines(gone), paras, rep)
	}
	seen := map[string]bool{}
	for line := range bytes.Lines(kept) {
		if line[0] != '#' && seen[string(line)] {
			t.Errorf("twice: %s", line)
		}
		seen[string(line)] = true
	}
}
