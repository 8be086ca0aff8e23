package dedup_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/dedup"
	"chaffinch/dedup/exact"
	"chaffinch/dedup/minhash"
	"chaffinch/dedup/onion"
	"chaffinch/input/records"
	"chaffinch/internal/merge"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// copies are lines of JSON with documents that share paragraphs, some of them whole.
func copies(n int) (lines []string) {
	rng := rand.New(rand.NewPCG(11, 4))
	para := func() string {
		var words []string
		for range 12 + rng.IntN(30) {
			words = append(words, fmt.Sprint("w", rng.IntN(5000)))
		}
		return strings.Join(words, " ")
	}
	var pool, texts []string
	for range 30 {
		pool = append(pool, para())
	}
	for i := range n {
		var paras []string
		for range 1 + rng.IntN(6) {
			if rng.IntN(3) == 0 {
				paras = append(paras, pool[rng.IntN(len(pool))])
			} else {
				paras = append(paras, para())
			}
		}
		text := strings.Join(paras, "\n")
		if i > 5 && rng.IntN(4) == 0 {
			text = texts[rng.IntN(len(texts))] + strings.Repeat(" more", rng.IntN(2))
		}
		texts = append(texts, text)
		b, _ := json.Marshal(map[string]any{"id": fmt.Sprintf("doc%04d", rng.IntN(3*n)), "url": fmt.Sprintf("https://host%d.example/%d", i%4, rng.IntN(n)), "date": fmt.Sprintf("20%02d-01-02", rng.IntN(30)), "text": text})
		lines = append(lines, string(b)+"\n")
	}
	return lines
}

// TestShards: duplicates removed in steps over shards, by keys in any number of parts,
// give the bytes and the figures of one run.
func TestShards(t *testing.T) {
	lines := copies(160)
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.jsonl")
	must.Write(t, whole, strings.Join(lines, ""))
	method := func(m dedup.Method, err error) dedup.Method {
		t.Helper()
		must.Succeed(t, err)
		return m
	}
	verified := minhash.Default
	verified.Verify = .8
	sentences := exact.Default
	sentences.Unit = "sentence"
	address := exact.Default
	address.Unit = "url"
	template := onion.Default
	template.Template = 2
	methods := map[string]dedup.Method{
		"exact": method(exact.New(exact.Default)), "sentence": method(exact.New(sentences)), "url": method(exact.New(address)),
		"minhash": method(minhash.New(minhash.Default)), "verified": method(minhash.New(verified)), "onion": method(onion.New(onion.Default)), "template": method(onion.New(template)),
		"misplaced": misplaced{method(exact.New(exact.Default))}, // a fault in the rewriting
	}
	for k, name := range slices.Sorted(maps.Keys(methods)) {
		m := methods[name]
		for i, rank := range dedup.Ranks {
			if !testkit.Part(k+i, len(dedup.Ranks)) { // each method with one rank
				continue
			}
			t.Run(name+" "+string(rank), func(t *testing.T) {
				cfg := dedup.Config{Job: pipeline.Job{Workers: 2, Memory: 64 << 20}, Input: records.Config{Format: records.JSONL}, Method: m, Rank: rank, MinWords: 5, Explain: true}
				one := cfg
				one.Inputs, one.Out, one.Dropped = []string{whole}, filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "dropped")
				want := must.Get(dedup.Run(t.Context(), one))(t)
				shards, parts := []int{1, 2, 5, 9}[i%4], []int{1, 3, 4, 7}[i%4]
				out, dropped, got := inShards(t, cfg, lines, shards, parts)
				for file, have := range map[string][]byte{one.Out: out, one.Dropped: dropped} {
					b := must.Read(t, file)
					if len(b) == 0 || !bytes.Equal(b, have) {
						t.Errorf("%s of %d shards: %d bytes, wanted %d", filepath.Base(file), shards, len(have), len(b))
					}
				}
				for _, r := range []*dedup.Result{want, got} {
					r.Seconds, r.Disk, r.Method, r.Rank = nil, 0, "", ""
				}
				a, _ := json.Marshal(got)
				b, _ := json.Marshal(want)
				if string(a) != string(b) {
					t.Errorf("report %s\nwanted %s", a, b)
				}
			})
		}
	}
}

// inShards does the steps.
func inShards(t *testing.T, cfg dedup.Config, lines []string, shards, parts int) (out, dropped []byte, rep *dedup.Result) {
	t.Helper()
	dir := t.TempDir()
	work := func(name string) dedup.Config {
		j := cfg
		j.Work = filepath.Join(dir, "work-"+name)
		return j
	}
	folder := func(parts ...string) string {
		name := filepath.Join(append([]string{dir}, parts...)...)
		must.Succeed(t, os.MkdirAll(name, 0o755))
		return name
	}
	var inputs, rest []string
	var sketched []dedup.Sketched
	for i := range shards {
		in := filepath.Join(dir, fmt.Sprintf("in%d.jsonl", i))
		from, to := i*len(lines)/shards, (i+1)*len(lines)/shards
		if i == 2 { // one without documents
			from = to
		} else if i == 3 {
			from = 2 * len(lines) / shards
		}
		must.Write(t, in, strings.Join(lines[from:to], ""))
		j := work(fmt.Sprint("sketch", i))
		j.Inputs = []string{in}
		s := must.Get(dedup.SketchShard(t.Context(), j, parts, folder("sketch", fmt.Sprint(i))))(t)
		inputs, sketched, rest = append(inputs, in), append(sketched, *s), append(rest, folder("sketch", fmt.Sprint(i), dedup.RestName))
	}
	var groups []string
	for p := range parts {
		var dirs []string
		for i := range shards {
			dirs = append(dirs, folder("sketch", fmt.Sprint(i), dedup.KeysName(p)))
		}
		to := folder("group", fmt.Sprint(p))
		must.Succeed(t, dedup.GroupKeys(t.Context(), work(fmt.Sprint("group", p)), sketched, dirs, to))
		groups = append(groups, to)
	}
	marking := 1
	if dedup.DivisionOf(cfg.Method) != dedup.Undivided {
		marking = shards // as good a number as any
	}
	for p := range marking {
		r, err := dedup.MarkShards(t.Context(), work(fmt.Sprint("mark", p)), sketched, rest, groups, dedup.Part{Number: p, Of: marking}, folder("marks", fmt.Sprint(p)))
		must.Succeed(t, err)
		if p == 0 {
			rep = r
		} else {
			merge.Add(rep, r)
		}
	}
	for i := range shards {
		var marks []string
		for p := range marking {
			marks = append(marks, filepath.Join(dir, "marks", fmt.Sprint(p), dedup.MarksName(i)))
		}
		j := work(fmt.Sprint("rewrite", i))
		j.Inputs, j.Out, j.Dropped = inputs[i:i+1], filepath.Join(dir, fmt.Sprint("out", i)), filepath.Join(dir, fmt.Sprint("dropped", i))
		r := must.Get(dedup.RewriteShard(t.Context(), j, marks...))(t)
		merge.Add(rep, r)
		for name, all := range map[string]*[]byte{j.Out: &out, j.Dropped: &dropped} {
			b := must.Read(t, name)
			*all = append(*all, b...)
		}
	}
	return out, dropped, rep
}
