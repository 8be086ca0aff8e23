package remote_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chaffinch/build"
	"chaffinch/build/cluster"
	"chaffinch/build/store"
	"chaffinch/build/store/remote"
	"chaffinch/input"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

var runs = flag.Int("runs", 1, "how often TestRanks does its work, each time with other faults")

// archive is a web archive of so many pages, with a member for each.
func archive(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		page := fmt.Sprintf("<html lang=en><title>Page %d</title><body><ul><li><a href=/>Start</a></ul><h1>The harbour, part %d</h1><p>The ferry leaves the island at nine in the morning, and nobody who lives there has ever seen it late in %d years.</p>", i, i, i+2)
		for k := range i % 5 {
			page += fmt.Sprintf("<p>People who come to see the harbour number %d often stay for a day or two, walk along the shore, and leave with %d small stones in the pocket.</p>", k, i%3)
		}
		b.Write(testkit.Gzip([]byte(testkit.Record(fmt.Sprintf("urn:page:%d", i), fmt.Sprintf("https://host%d.example/%d", i%5, i), page))))
	}
	return b.Bytes()
}

const recipe = `version: 1
vertical: {file: corpus.vert}
exports: [{file: corpus.jsonl}]
`

// TestRanks: ranks that read from S3 and write there, through faults, some of them
// killed, make the bytes of one process without any of it, also where they are merged into S3.
func TestRanks(t *testing.T) {
	text := recipe
	if testkit.Whole() {
		text += "dedup: [{method: exact}]\n"
	}
	r := must.Get(build.Parse("x.yaml", []byte(text)))(t)
	files := map[string][]byte{"in/a.warc.gz": archive(60), "in/b.warc.gz": archive(7)}
	local := t.TempDir()
	var pieces []input.Piece
	for _, name := range []string{"in/a.warc.gz", "in/b.warc.gz"} {
		at := filepath.Join(local, filepath.Base(name))
		must.Write(t, at, files[name])
		pieces = append(pieces, input.Piece{Name: "s3://corpora/" + name, At: at, Size: int64(len(files[name]))})
	}
	one := *r
	job := build.Config{Recipe: &one, Job: pipeline.Job{Out: t.TempDir(), Workers: 1}, Version: "test", Pieces: pieces}
	must.Succeed(t, must.Err(build.Run(t.Context(), job)))
	want := sums(t, job.Out)
	for run := range *runs {
		many := *r
		many.Inputs = []string{"s3://corpora/in/"}
		ranks(t, uint64(run), &many, files, want)
	}
}

// made are the files that the recipe makes.
var made = []string{"corpus.vert", "corpus.jsonl"}

func sums(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range made {
		text := must.Read(t, filepath.Join(dir, name))
		fmt.Fprintf(&b, "%s: %d bytes, %x\n", name, len(text), sha256.Sum256(text))
	}
	return b.String()
}

func ranks(t *testing.T, seed uint64, r *build.Recipe, files map[string][]byte, want string) {
	t.Helper()
	cfg, faults := service(t, 0, seed)
	cfg.Idle, faults.idle = idle/4, idle/4 // the objects are small, and the slow answers many
	open := remote.Open(cfg)
	in, _, err := open("s3://corpora/")
	must.Succeed(t, err)
	for name, b := range files {
		must.Succeed(t, in.Put(t.Context(), name, file(t, b), false))
	}
	faults.mu.Lock()
	faults.rate = .2
	faults.mu.Unlock()
	out := store.Under(in, "out")
	job := build.Config{Recipe: r, Job: pipeline.Job{Out: "s3://corpora/out", Workers: 1}, Version: "test"}
	rng := rand.New(rand.NewPCG(seed, 3))
	for i := range 15 {
		c, err := build.Ranks(job)
		must.Succeed(t, err)
		c.Out, c.Open, c.ShardBytes, c.Scratch = out, open, 3000, t.TempDir()
		c.Worker = cluster.Worker{Rank: i, Of: 7}
		if i >= 7 { // others, who find what is missing
			c.Worker = cluster.Worker{Rank: i % 3, Of: 3}
		}
		if i >= 14 {
			c.Worker = cluster.Worker{Of: 1}
		}
		ctx, stop := context.WithCancel(t.Context())
		if i%5 == 1 { // killed on the way
			time.AfterFunc(time.Duration(rng.IntN(300))*time.Millisecond, stop)
		}
		_, err = cluster.Run(ctx, c)
		if err != nil && ctx.Err() == nil {
			t.Fatalf("run %d, rank %d: %v", seed, i, err)
		}
		stop()
	}
	job.Out = t.TempDir()
	must.Succeed(t, must.Err(build.MergeRanks(t.Context(), job, out)))
	merged := store.Under(in, "merged")
	must.Succeed(t, store.PutFolder(t.Context(), merged, job.Out))
	back := t.TempDir()
	for _, name := range made {
		b := must.Get(store.Read(t.Context(), merged, name, 1<<30))(t)
		must.Write(t, filepath.Join(back, name), b)
	}
	if got := sums(t, back); got != want {
		t.Errorf("run %d: %s\nwanted %s", seed, got, want)
	}
	t.Logf("run %d: faults %v", seed, faults.seen)
}

// TestPaths: a list of paths on the web, as Common Crawl has it.
func TestPaths(t *testing.T) {
	cfg, faults := service(t, 0, 1)
	var list bytes.Buffer
	z := gzip.NewWriter(&list)
	io.WriteString(z, "crawl/a.warc.gz\ncrawl/b.warc.gz\n")
	z.Close()
	body := archive(5)
	faults.next = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, b := r.URL.Path, body
		if name == "/crawl/warc.paths.gz" {
			b = list.Bytes()
		}
		http.ServeContent(w, r, "", time.Unix(1e9, 0), bytes.NewReader(b))
	})
	address := cfg.Env("AWS_ENDPOINT_URL") + "/crawl/warc.paths.gz"
	var got []string
	job := cluster.Work{Name: "test", Program: "1", Inputs: []string{address}, Out: store.Folder(t.TempDir()), Open: remote.Open(cfg), ShardBytes: 1 << 20, Worker: cluster.Worker{Of: 1},
		Steps: []cluster.Step{{Name: "look", Do: func(_ context.Context, task *cluster.Task) error {
			for _, p := range task.Pieces {
				b, err := os.ReadFile(p.Path())
				if err != nil {
					return err
				}
				got = append(got, fmt.Sprint(strings.TrimPrefix(p.Name, cfg.Env("AWS_ENDPOINT_URL")), bytes.Equal(b, body)))
			}
			return nil
		}}}}
	must.Succeed(t, must.Err(cluster.Run(t.Context(), job)))
	if fmt.Sprint(got) != "[/crawl/a.warc.gztrue /crawl/b.warc.gztrue]" {
		t.Errorf("%v", got)
	}
}
