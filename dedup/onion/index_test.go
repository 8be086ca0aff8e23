package onion

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/dedup"
	"chaffinch/input/records"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// lines writes documents as JSON lines, many of them copies of parts of others.
func lines(n int, seed uint64) []string {
	r := rand.New(rand.NewPCG(seed, 2))
	var all, out []string
	for i := range n {
		paras := make([]string, 1+r.IntN(6))
		for k := range paras {
			if len(all) > 0 && r.IntN(2) == 0 {
				paras[k] = all[r.IntN(len(all))]
				continue
			}
			p := make([]string, 1+r.IntN(40))
			for t := range p {
				p[t] = fmt.Sprintf("w%c%c", 'a'+r.IntN(26), 'a'+r.IntN(26))
			}
			paras[k] = strings.Join(p, " ")
			all = append(all, paras[k])
		}
		out = append(out, fmt.Sprintf(`{"id":"d%d","text":%q}`, i, strings.Join(paras, "\n")))
	}
	return out
}

// run runs the method over lines and returns the output.
func run(t *testing.T, in []string, index string, update bool) string {
	t.Helper()
	m, err := New(Default)
	must.Succeed(t, err)
	dir := t.TempDir()
	name, out := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "out.jsonl")
	must.Write(t, name, strings.Join(in, "\n")+"\n")
	_, err = dedup.Run(t.Context(), dedup.Config{Job: pipeline.Job{Inputs: []string{name}, Out: out, Workers: 2}, Input: records.Config{Format: records.JSONL}, Method: m, Rank: dedup.ByInput, Index: index, Update: update})
	must.Succeed(t, err)
	return string(must.Read(t, out))
}

// TestIndex: months compared with what is in the corpus give what one run over
// all gives; what is forgotten is new again, and what went as a copy of other
// text than that is not.
func TestIndex(t *testing.T) {
	in := lines(120, 3)
	dir := filepath.Join(t.TempDir(), "index")
	got := ""
	for month := range 3 {
		got += run(t, in[month*40:][:40], dir, true)
	}
	if want := run(t, in, "", false); got != want {
		t.Errorf("three months:\n%s\nall at once:\n%s", got, want)
	}
	if again := run(t, in, dir, false); again != "" {
		t.Errorf("new, though it is in the index: %s", again)
	}
	x, err := dedup.OpenIndex(dir)
	must.Succeed(t, err)
	if docs, unknown, err := x.Forget(strings.NewReader("d0\n")); docs != 1 || unknown != 0 || err != nil {
		t.Fatal(docs, unknown, err)
	}
	if again, want := run(t, in[:1], dir, false), run(t, in[:1], "", false); again != want {
		t.Errorf("forgotten, but not new: %s, want %s", again, want)
	}
	// A document that came in by what it has of its own: what went from it is
	// seen no more when the document where it stays is forgotten.
	dir = filepath.Join(t.TempDir(), "index")
	a, b := words("a30"), words("b40")
	text := func(id string, paras ...string) string {
		return fmt.Sprintf(`{"id":%q,"text":%q}`, id, strings.Join(paras, "\n"))
	}
	if got, want := run(t, []string{text("1", a), text("2", a, b)}, dir, true), text("1", a)+"\n"+text("2", b)+"\n"; got != want {
		t.Fatalf("%s, want %s", got, want)
	}
	if x, err = dedup.OpenIndex(dir); err != nil {
		t.Fatal(err)
	}
	if _, _, err := x.Forget(strings.NewReader("1\n")); err != nil {
		t.Fatal(err)
	}
	if got, want := run(t, []string{text("3", a, b)}, dir, false), text("3", a)+"\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
