package crawl

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"chaffinch/format/warc"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestAgain repeats a crawl twice: the texts of all pages are present again, and unchanged
// pages are neither sent nor stored a second time.
func TestAgain(t *testing.T) {
	testkit.Slow(t)
	disk.Lazy()
	dir := t.TempDir()
	var texts [3]string
	for i := range texts {
		net := newSmallNet()
		if i > 0 {
			net.year = " of another year"
		}
		cfg := testConfig(filepath.Join(dir, fmt.Sprint(i)), net)
		if i > 0 {
			cfg.Again, cfg.Seeds = filepath.Join(dir, fmt.Sprint(i-1)), nil
		}
		synctest.Test(t, func(t *testing.T) {
			must.Succeed(t, must.Err(Run(t.Context(), cfg)))
		})
		checkCrawl(t, cfg.Dir, net, 1)
		b := must.Read(t, filepath.Join(cfg.Dir, "text.jsonl"))
		texts[i] = string(b)
		news := 0 // hosts' pages that have changed
		if i == 1 {
			news = netHosts
		}
		counts := recordTypes(t, cfg.Dir)
		if i == 0 && (counts["revisit"] > 0 || net.same > 0) || i > 0 && net.same != netHosts*(netPages-5) {
			t.Errorf("crawl %d: %d answers that nothing has changed; records %v", i, net.same, counts)
		}
		if i > 0 && counts[notModified] != net.same {
			t.Errorf("crawl %d: %d answers that nothing has changed; records %v", i, net.same, counts)
		}
		// No validator: "/", p0, p1, p2, p3, p4, noindex, mine, alone and the sitemap.
		if want := netHosts*10 - news; i > 0 && counts[identical] != want {
			t.Errorf("crawl %d: records %v, want %d with the same bytes as before", i, counts, want)
		}
	}
	if n := strings.Count(texts[0], "of another year"); n > 0 || strings.Count(texts[1], "of another year") == 0 || strings.Count(texts[2], "of another year") == 0 {
		t.Error("the pages that have changed are not in the texts, or too early")
	}
}

// recordTypes counts the records of a crawl's archives, revisits also by profile.
func recordTypes(t *testing.T, dir string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	eachRecord(t, dir, func(rec *warc.Record) {
		counts[rec.Type]++
		if p := rec.Header.Get("WARC-Profile"); p != "" {
			counts[p]++
			if rec.Header.Get("WARC-Refers-To-Date") == "" || rec.Header.Get("WARC-Refers-To-Target-URI") != rec.URI {
				t.Errorf("revisit %v", rec.Header)
			}
		}
	})
	return counts
}

// eachRecord reads the archives of a crawl.
func eachRecord(t *testing.T, dir string, fn func(*warc.Record)) {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join(dir, "warc", "*"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		b := must.Read(t, name)
		r := must.Get(warc.NewReader(bytes.NewReader(b), warc.Default))(t)
		for rec, err := range r.All() {
			must.Succeed(t, err)
			fn(rec)
		}
	}
}

// TestMetadata wants the data of each response in its metadata record.
func TestMetadata(t *testing.T) {
	disk.Lazy()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		must.Succeed(t, must.Err(Run(t.Context(), testConfig(dir, newSmallNet()))))
	})
	got := map[string]string{}
	eachRecord(t, dir, func(rec *warc.Record) {
		if rec.Type == "metadata" {
			b, _ := io.ReadAll(rec)
			got[rec.URI] = string(b)
		}
	})
	for url, want := range map[string]string{
		"http://h0.example/robots.txt": "fetchTimeMs: 300\r\n",
		"http://h1.example/p3":         "fetchTimeMs: 300\r\ncertificateError: x509: certificate is valid for  evil: 1, not h1.example\r\nvia: ",
		"http://h0.example/p2":         "fetchTimeMs: 300\r\nvia: http://h0.example/\r\nlinksFromSeed: 1\r\nlanguage: en\r\ndecodedBytes: ",
		"http://h0.example/noindex":    "fetchTimeMs: 300\r\nvia: http://h0.example/\r\nlinksFromSeed: 1\r\nlanguage: en\r\nreason: opt-out\r\nrefused: noindex\r\n",
		"http://h0.example/p0":         "fetchTimeMs: 300\r\nvia: http://h0.example/\r\nlinksFromSeed: 1\r\nlanguage: en\r\nreason: duplicate\r\n",
	} {
		if !strings.HasPrefix(got[url], want) {
			t.Errorf("%s: %q, want %q", url, got[url], want)
		}
	}
}

// TestAgainRefused wants a folder that cannot be repeated to be named.
func TestAgainRefused(t *testing.T) {
	disk.Lazy()
	dir := t.TempDir()
	cfg := testConfig(filepath.Join(dir, "new"), newSmallNet())
	for _, c := range []struct{ again, want string }{
		{filepath.Join(dir, "none"), "no crawl to repeat"},
		{cfg.Dir, "repeats itself"},
	} {
		cfg.Again = c.again
		if _, err := Run(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("--again %s: %v, want %q", c.again, err, c.want)
		}
		os.RemoveAll(cfg.Dir)
	}
}
