package recipe

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/build/stage"
	"chaffinch/internal/files"
	"chaffinch/internal/panics"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// forms writes pages in files of several formats.
func forms(t *testing.T) string {
	dir := t.TempDir()
	page := func(n int) string {
		return fmt.Sprintf("<title>%[1]d</title><p>The ferry number %[1]d leaves the harbour at nine in the morning.", n)
	}
	var lines, warc, archive, text bytes.Buffer
	z := zip.NewWriter(&archive)
	for i := range 3 {
		fmt.Fprintf(&lines, "{\"id\":\"l%d\",\"html\":%q}\n", i, page(i))
		body := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page(10+i)
		fmt.Fprintf(&warc, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/%d\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(body), body)
		w := must.Get(z.Create(fmt.Sprintf("p%d.html", i)))(t)
		w.Write([]byte(page(20 + i)))
		fmt.Fprintf(&text, "The mill number %d stands by the river.\n\n", i)
	}
	must.Succeed(t, z.Close())
	var packed bytes.Buffer
	g := gzip.NewWriter(&packed)
	g.Write(lines.Bytes())
	g.Close()
	must.WriteAll(t, dir, map[string][]byte{"a.jsonl.gz": packed.Bytes(), "b.warc": warc.Bytes(), "c.zip": archive.Bytes(), "d.txt": text.Bytes(), "e.html": []byte(page(30))})
	return dir
}

// TestDamagedState changes each value of the checkpoints of interrupted runs: the change is
// found. With a checksum that matches no run panics, and none succeeds with an empty output.
func TestDamagedState(t *testing.T) {
	in := forms(t)
	r := Clean(CleanOptions{Options: stage.Options{Method: "keep"}, Format: "jsonl"})
	tried := 0
	for _, stop := range []int64{2, 5, 8, 11} { // in the middle of each form
		out := filepath.Join(t.TempDir(), "out.jsonl")
		at := runOf(in, out)
		at.ErrorList, at.Workers, at.PageTime, at.BatchPages, at.CheckpointPages = out+".errors", 1, 0, 1, 1
		ctx, cancel := context.WithCancel(t.Context())
		pages := int64(-1) // the first call comes before the first page
		at.OnProgress = func(pipeline.Status) {
			if pages++; pages == stop {
				cancel()
			}
		}
		run, err := Open(r, at)
		must.Succeed(t, err)
		_, err = run.Do(ctx)
		cancel()
		must.Succeed(t, run.Close())
		if err == nil {
			t.Fatalf("no error after %d pages", stop)
		}
		state := must.Read(t, out+".state")
		part, err := os.ReadFile(files.Part(out))
		if err != nil || len(part) == 0 {
			t.Fatalf("%d bytes, %v", len(part), err)
		}
		at.Resume, at.OnProgress = true, nil
		resume := func(state []byte) (got []byte, err error) {
			os.Remove(out)
			for name, b := range map[string][]byte{out + ".state": state, files.Part(out): part, files.Part(out + ".errors"): nil} {
				must.Write(t, name, b)
			}
			err = panics.Catch(func() error {
				run, err := Open(r, at)
				if err != nil {
					return err
				}
				defer run.Close()
				_, err = run.Do(t.Context())
				return err
			})
			if errors.As(err, new(*panics.Panic)) {
				t.Fatal(panics.Detail(err))
			}
			got, _ = os.ReadFile(out)
			return got, err
		}
		want, err := resume(state)
		if err != nil || len(want) < len(part) {
			t.Fatalf("%d bytes, %v", len(want), err)
		}
		for d := range testkit.DamagedSealed(t, state, files.Seal) {
			if tried++; !testkit.Part(tried, 11) {
				continue
			}
			if got, err := resume(d.Stale); err == nil && !bytes.Equal(got, want) || err != nil && !strings.Contains(err.Error(), out+".state") {
				t.Errorf("after %d pages, %s: %d bytes, wanted %d; %v", stop, d.What, len(got), len(want), err)
			}
			if got, err := resume(d.Sealed); err == nil && len(got) == 0 {
				t.Errorf("after %d pages, %s: an empty output", stop, d.What)
			}
		}
	}
	if tried < 500 {
		t.Errorf("%d changes were tried", tried)
	}
}
