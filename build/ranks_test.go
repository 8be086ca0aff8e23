package build_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"chaffinch/build"
	"chaffinch/build/cluster"
	"chaffinch/build/store"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// sharded is a recipe with all kinds of steps, which packages above test too.
func sharded(t *testing.T) string {
	t.Helper()
	return string(must.Read(t, "testdata/walks.yaml"))
}

// archives writes web archives with a member for each page, a plain one and pages as files.
func archives(t *testing.T) string {
	t.Helper()
	in, dir := pages(t), t.TempDir()
	list := must.Get(filepath.Glob(filepath.Join(in, "*.html")))(t)
	var plain, packed bytes.Buffer
	for i := range 60 {
		b := must.Read(t, list[i%len(list)])
		if strings.HasPrefix(string(b), "<html") {
			b = append(b, fmt.Sprintf("<p>This is what page %d tells of the harbour beside the mill, and it is long enough to stay with the text of the page that it ends.</p>", i)...)
		}
		record := testkit.Record(fmt.Sprintf("urn:page:%d", i), fmt.Sprintf("https://host%d.example/%d", i%5, i), string(b))
		if i%7 == 3 {
			plain.WriteString(record)
			continue
		}
		z := gzip.NewWriter(&packed)
		io.WriteString(z, record)
		z.Close()
	}
	must.WriteAll(t, dir, map[string][]byte{"a.warc.gz": packed.Bytes(), "b.warc": plain.Bytes(), "c.warc.gz": packed.Bytes()[:packed.Len()-20]})
	return dir
}

// rank does the part of a worker, and reports whether it was stopped after so many tasks.
func rank(t *testing.T, j build.Config, out, who string, tasks int) {
	t.Helper()
	c, err := build.Ranks(j)
	must.Succeed(t, err)
	if c.Worker, err = cluster.ParseWorker(who, func(string) string { return "" }); err != nil {
		t.Fatal(err)
	}
	c.Out, c.ShardBytes = store.Folder(out), 5000
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	n := 0
	c.OnTask = func(*cluster.Task) {
		if n++; n > tasks {
			stop()
		}
	}
	if _, err := cluster.Run(ctx, c); err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
}

// made are the hashes of the files of a corpus, unpacked.
func made(t *testing.T, dir string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	for _, name := range []string{"corpus.vert", "corpus.blf.yaml", "corpus.jsonl", "corpus.jsonl.zst", "texts/corpus.txt", "index/index.chf", "steps/clean/errors.txt"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if strings.HasSuffix(name, ".zst") && err == nil {
			z := must.Get(zstd.NewReader(bytes.NewReader(b)))(t)
			b, err = io.ReadAll(z)
			z.Close()
		}
		must.Succeed(t, err)
		sums[name] = fmt.Sprintf("%d bytes, %x", len(b), sha256.Sum256(b))
	}
	return sums
}

// flows are what went through the steps, by the ledger.
func flows(t *testing.T, dir string) string {
	t.Helper()
	b := must.Read(t, filepath.Join(dir, "build.json"))
	var l struct {
		Steps []struct {
			Name  string
			Done  bool
			Pages map[string]any
			Dedup map[string]any
			Flow  *build.Flow
		}
	}
	must.Succeed(t, json.Unmarshal(b, &l))
	all := map[string]any{}
	for _, s := range l.Steps {
		delete(s.Pages, "elapsed_ns")
		delete(s.Dedup, "seconds")
		delete(s.Dedup, "disk_bytes")
		if s.Flow != nil {
			s.Flow.Keywords = nil // of shards, those that stand out in one
		}
		all[s.Name] = s
	}
	b = must.Get(json.MarshalIndent(all, "", " "))(t)
	return string(b)
}

// TestManyRanks: the corpus of any number of ranks equals the corpus of one process, even if
// ranks are killed and their number changes.
func TestManyRanks(t *testing.T) {
	testkit.Slow(t)
	in, one := archives(t), t.TempDir()
	j := job(t, sharded(t), in, one, nil)
	run(t, j)
	want, told := made(t, one), flows(t, one)
	numbers := []int{1, 7, 100}
	if !testkit.Whole() {
		numbers = numbers[1:2]
	}
	for _, many := range numbers {
		out := t.TempDir()
		for i := range many {
			tasks := 1 << 30
			if i%5 == 1 {
				tasks = i % 3 // killed on the way
			}
			if many > 7 && i == many/2 {
				break // from here on by others
			}
			rank(t, j, out, fmt.Sprintf("%d/%d", i, many), tasks)
		}
		rank(t, j, out, "lease", 2)
		for range 5 { // to the next step that needs all
			rank(t, j, out, "1/2", 1<<30)
			rank(t, j, out, "0/2", 1<<30)
		}
		rank(t, j, out, "0/1", 1<<30)
		merged := j
		merged.Out = t.TempDir()
		if many == 7 {
			merged.Out = out
		}
		for range 2 { // the second time there is nothing new
			must.Succeed(t, must.Err(build.MergeRanks(t.Context(), merged, store.Folder(out))))
		}
		got := made(t, merged.Out)
		for name, sum := range want {
			if got[name] != sum {
				t.Errorf("%d ranks: %s: %s, wanted %s", many, name, got[name], sum)
			}
		}
		if got := flows(t, merged.Out); got != told {
			a, b := strings.Split(got, "\n"), strings.Split(told, "\n")
			for i := range min(len(a), len(b)) {
				if a[i] != b[i] {
					t.Errorf("%d ranks, report: %s\nwanted %s", many, strings.Join(a[max(i-8, 0):min(i+3, len(a))], "\n"), b[i])
					break
				}
			}
		}
		if list, err := filepath.Glob(filepath.Join(merged.Out, "corpus.parquet", "*.parquet")); err != nil || len(list) < 3 {
			t.Errorf("%d ranks: parts of the table: %v, %v", many, list, err)
		}
	}
}

// TestRanksRefuse: what ranks cannot do is told before any work.
func TestRanksRefuse(t *testing.T) {
	in := archives(t)
	for text, want := range map[string]string{
		"version: 1\nclean: {sites: true}\n":          "clean.sites: it needs all pages of a site",
		"version: 1\nexports: [{file: texts/}]\n":     "wanted one file with ranks",
		"version: 1\nexports: [{file: corpus.txt}]\n": "",
	} {
		_, err := build.Ranks(job(t, text, in, t.TempDir(), nil))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, wanted %q", text, err, want)
		}
	}
	out := t.TempDir()
	j := job(t, sharded(t), in, out, nil)
	rank(t, j, out, "0/100", 1<<30)
	must.Fail(t, must.Err(build.Run(t.Context(), j)), "holds shards of ranks")
	must.Fail(t, must.Err(build.Forget(t.Context(), build.ForgetConfig{Build: build.Config{Job: pipeline.Job{Out: out}}})), "a build of ranks")
	must.Fail(t, must.Err(build.MergeRanks(t.Context(), j, store.Folder(out))), "tasks of the step pages are missing: ")
}
