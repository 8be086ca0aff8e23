package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestWordCount: every command counts the same words in a text.
func TestWordCount(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.jsonl")
	must.Write(t, in, `{"id":"a","text":"One two-three it's 4.5 % e.g. 日本語 word — x."}`+"\n")
	const want = 12
	sum := func(v any, args ...string) {
		t.Helper()
		name := filepath.Join(dir, "summary.json")
		runs(t, 0, append(args, "--summary", name)...)
		b, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(b, v)
		}
		if err != nil {
			t.Fatalf("%q: %v", args, err)
		}
	}
	var cleaned struct {
		WordsIn  int `json:"words_in"`
		WordsOut int `json:"words_out"`
	}
	var filtered struct{ In struct{ Words int } }
	var deduped struct{ In struct{ Tokens int } }
	sum(&cleaned, "clean", "-q", "-m", "keep", in, "-o", filepath.Join(dir, "clean.txt"))
	sum(&filtered, "filter", "-q", "--rules", "c4", in, "-o", filepath.Join(dir, "filtered.jsonl"))
	sum(&deduped, "dedup", "-q", in, "-o", filepath.Join(dir, "dedup.jsonl"))
	if cleaned.WordsIn != want || cleaned.WordsOut != want || filtered.In.Words != want || deduped.In.Tokens != want {
		t.Errorf("clean %+v, filter %+v, dedup %+v, want %d", cleaned, filtered, deduped, want)
	}
	vertical := filepath.Join(dir, "in.vert")
	must.Write(t, vertical, "<doc id=\"a\">\n<p>\nOne\ntwo-three\nit\n<g/>\n's\n4.5\n%\ne.g.\n日本語\nword\n—\nx\n<g/>\n.\n</p>\n</doc>\n")
	sum(&filtered, "filter", "-q", "--rules", "c4", vertical, "-o", filepath.Join(dir, "filtered.vert"))
	sum(&deduped, "dedup", "-q", vertical, "-o", filepath.Join(dir, "dedup.vert"))
	if filtered.In.Words != want || deduped.In.Tokens != want {
		t.Errorf("the vertical: filter %+v, dedup %+v, want %d", filtered, deduped, want)
	}
	out, _ := runs(t, 0, "convert", "-q", in, "-f", "jsonl")
	var converted struct{ Counts struct{ Words int } }
	if err := json.Unmarshal([]byte(out), &converted); err != nil || converted.Counts.Words != want {
		t.Errorf("convert %+v, %v: %s", converted, err, out)
	}
	if _, errs := runs(t, 0, "convert", in, "-f", "jsonl"); strings.Contains(errs, "MB/s") {
		t.Errorf("speed of convert, which reads no pages as fetched: %s", errs)
	}
}

// TestWrongFormOnce: that the files of a folder are no collection is said once.
func TestWrongFormOnce(t *testing.T) {
	dir := t.TempDir()
	for i := range 30 {
		must.Write(t, filepath.Join(dir, fmt.Sprintf("%02d.html", i)), "<!doctype html><p>A page.</p>")
	}
	for _, args := range [][]string{{"dedup", dir}, {"filter", "--rules", "c4", dir}} {
		_, errs := runs(t, 1, append(args, "-q")...)
		if n := strings.Count(errs, ".html"); n != 1 || !strings.Contains(errs, "chaffinch: more files of this kind are not shown (--errors FILE lists all)\n") || !strings.Contains(errs, "30 pieces") {
			t.Errorf("%q: %d files named: %s", args, n, errs)
		}
	}
}
