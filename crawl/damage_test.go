package crawl

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"chaffinch/internal/files"
	"chaffinch/internal/panics"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// sizes returns the lengths of the archives and records of a crawl.
func sizes(t *testing.T, dir string) (n int, bytes int64) {
	t.Helper()
	list := must.Get(filepath.Glob(filepath.Join(dir, "warc", "*")))(t)
	for _, name := range append(list, textName(dir)) {
		info := must.Get(os.Stat(name))(t)
		n, bytes = n+1, bytes+info.Size()
	}
	return n, bytes
}

// resume resumes a copy of a crawl with another file in it.
func resume(t *testing.T, folder, name string, b []byte) (dir string, err error) {
	t.Helper()
	dir = t.TempDir()
	must.Succeed(t, errors.Join(os.CopyFS(dir, os.DirFS(folder)), os.WriteFile(filepath.Join(dir, name), b, 0o666)))
	synctest.Test(t, func(t *testing.T) {
		err = panics.Catch(func() error { _, err := Run(t.Context(), testConfig(dir, newSmallNet())); return err })
	})
	if errors.As(err, new(*panics.Panic)) {
		t.Fatal(panics.Detail(err))
	}
	return dir, err
}

// TestDamagedCrawl changes bytes of the checkpoint, of the robots.txt and values of the
// journal of a crawl: the file is named, or nothing of the outputs is lost.
func TestDamagedCrawl(t *testing.T) {
	testkit.Slow(t)
	folder := brokenOff(t, newSmallNet())
	n, size := sizes(t, folder)
	const journal = "journal/00000001.jsonl"
	b := must.Read(t, filepath.Join(folder, journal))
	tried := 0
	for what, damaged := range testkit.Damaged(b) {
		if tried++; tried%997 > 0 {
			continue
		}
		dir, err := resume(t, folder, journal, damaged)
		if err != nil && !strings.Contains(err.Error(), journal) {
			t.Errorf("%s: %v", what, err)
		}
		if m, left := sizes(t, dir); m < n || left < size {
			t.Errorf("%s: %d files of %d bytes are left of %d of %d; %v", what, m, left, n, size, err)
		}
	}
	if tried < 5000 {
		t.Errorf("%d changes were tried", tried)
	}
	whole := must.Get(resume(t, folder, journal, b))(t)
	n, size = sizes(t, whole)
	for _, name := range []string{"checkpoint", "robots"} {
		b := must.Read(t, filepath.Join(whole, name))
		for i := 0; i < len(b); i += 1 + len(b)/40 {
			d := bytes.Clone(b)
			d[i] ^= 0x83
			dir, err := resume(t, whole, name, d)
			if name == "checkpoint" && (err == nil || !strings.Contains(err.Error(), name)) {
				t.Errorf("%s, byte %d: %v", name, i, err)
			}
			if m, left := sizes(t, dir); m < n || left < size {
				t.Errorf("%s, byte %d: %d files of %d bytes are left of %d of %d", name, i, m, left, n, size)
			}
		}
	}
}

// TestDamagedCheckpoint changes numbers of a checkpoint, with a valid checksum and with none.
func TestDamagedCheckpoint(t *testing.T) {
	testkit.Slow(t)
	folder := brokenOff(t, newSmallNet())
	whole := must.Get(resume(t, folder, "again", nil))(t)
	b := must.Read(t, filepath.Join(whole, "checkpoint"))
	for what, change := range map[string]func(*checkpoint){
		"time":    func(c *checkpoint) { c.At = -1 },
		"archive": func(c *checkpoint) { c.Ends.Warc = -1 },
		"size":    func(c *checkpoint) { c.Ends.Size = math.MaxInt64 },
		"text":    func(c *checkpoint) { c.Ends.Text = -1 },
		"rules":   func(c *checkpoint) { c.Rules = math.MaxInt64 },
		"before":  func(c *checkpoint) { c.Journal-- },
	} {
		in := bufio.NewReader(bytes.NewReader(b[:len(b)-len(sumMark)-8]))
		var head checkpoint
		must.Succeed(t, gob.NewDecoder(in).Decode(&head))
		rest := must.Get(io.ReadAll(in))(t)
		change(&head)
		var out bytes.Buffer
		must.Succeed(t, gob.NewEncoder(&out).Encode(head))
		out.Write(rest)
		if _, err := resume(t, whole, "checkpoint", out.Bytes()); !errors.Is(err, files.ErrSum) {
			t.Errorf("%s, without a checksum: %v", what, err)
		}
		fmt.Fprintf(&out, "%s%08x", sumMark, crc32.Checksum(out.Bytes(), castagnoli))
		if _, err := resume(t, whole, "checkpoint", out.Bytes()); err == nil || errors.Is(err, files.ErrSum) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
