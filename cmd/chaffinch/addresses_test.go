package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// runs runs a command, wants an exit code and returns what it printed.
func runs(t *testing.T, code int, args ...string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	if got := run(args, &console{strings.NewReader(""), &o, &e}); got != code {
		t.Fatalf("%q: exit code %d, want %d: %s", args, got, code, e.String())
	}
	return o.String(), e.String()
}

// TestAddresses: pages and files of the web and of S3 are read and written by one process.
func TestAddresses(t *testing.T) {
	const text = "Die F\xe4hre f\xe4hrt jeden Morgen um neun Uhr \xfcber den Fluss und kommt am Abend mit den Leuten von der Insel zur\xfcck."
	mux := http.NewServeMux()
	mux.HandleFunc("/old", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/page?x=1", http.StatusFound) })
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
		w.Header().Set("X-Robots-Tag", "noai")
		w.(http.Flusher).Flush() // no length is stated
		w.Write([]byte("<title>T</title><h1>T</h1><p>" + text + "</p>"))
	})
	mux.HandleFunc("/plain.txt", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("The ferry leaves.\n")) })
	mux.HandleFunc("/lines.jsonl", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(`{"id":"a","text":"The ferry leaves the island at nine."}` + "\n"))
	})
	web := httptest.NewServer(mux)
	defer web.Close()
	s3 := httptest.NewServer(gofakes3.New(s3mem.New(), gofakes3.WithAutoBucket(true)).Server())
	defer s3.Close()
	t.Setenv("AWS_ENDPOINT_URL", s3.URL)
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_REGION", "eu-west-1")
	dir := t.TempDir()

	out, _ := runs(t, 0, "clean", "-q", "-f", "jsonl", web.URL+"/old")
	for _, want := range []string{`"id":"` + web.URL + `/page?x=1"`, `"url":"` + web.URL + `/page?x=1"`, "Fähre fährt", `noai`, `"file":"` + web.URL + `/old"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
	if _, errs := runs(t, 2, "clean", web.URL+"/none"); !strings.Contains(errs, web.URL+"/none") {
		t.Errorf("a missing page: %s", errs)
	}
	if out, _ = runs(t, 0, "filter", "-q", "--rules", "gopher_quality", web.URL+"/lines.jsonl"); out != "" {
		t.Errorf("filtered: %s", out)
	}
	if _, errs := runs(t, 2, "tokenize", web.URL+"/lines.jsonl"); !strings.HasPrefix(errs, "chaffinch: "+web.URL+"/lines.jsonl: JSON lines") {
		t.Errorf("an error names a temporary file: %s", errs)
	}
	if out, _ = runs(t, 0, "tokenize", web.URL+"/plain.txt"); !strings.Contains(out, "ferry") {
		t.Errorf("tokenized: %s", out)
	}

	// To S3, and from there.
	runs(t, 0, "clean", "-q", web.URL+"/page", "-o", "s3://bucket/in/corpus.jsonl.zst")
	if out, _ = runs(t, 0, "clean", "-q", "s3://bucket/in/"); !strings.Contains(out, "Fähre") {
		t.Errorf("from S3: %s", out)
	}
	runs(t, 0, "filter", "-q", "--rules", "c4", "s3://bucket/in/corpus.jsonl.zst", "-o", "s3://bucket/out/c4.jsonl")
	runs(t, 0, "tokenize", web.URL+"/plain.txt", "-o", "s3://bucket/out/tokens.txt")
	runs(t, 0, "tokenize", "s3://bucket/out/tokens.txt", "-o", filepath.Join(dir, "tokens.txt"))
	recipe := filepath.Join(dir, "r.yaml")
	os.WriteFile(recipe, []byte("version: 1\nvertical: {}\nindex: {}\n"), 0o666)
	if _, errs := runs(t, 0, "build", recipe, "s3://bucket/in/", "-o", filepath.Join(dir, "corpus")); !strings.HasSuffix(errs, "chaffinch serve "+filepath.Join(dir, "corpus")+"\n") {
		t.Errorf("build: %s", errs)
	}
	if _, errs := runs(t, 0, "build", recipe, "s3://bucket/in/", "-o", "s3://bucket/corpus/"); !strings.Contains(errs, "; s3://bucket/corpus/report.html\n") || strings.Contains(errs, "chaffinch serve") {
		t.Errorf("build to S3: %s", errs)
	}
	if out, _ = runs(t, 0, "build", "status", "s3://bucket/corpus/"); !strings.HasPrefix(out, "clean ") || strings.Contains(out, "build merge") {
		t.Errorf("status: %s", out)
	}
	if _, errs := runs(t, 0, "clean", "s3://bucket/in/corpus.jsonl.zst", "-o", "s3://bucket/ranked.jsonl", "--rank", "0/1"); !strings.HasSuffix(errs, "\nchaffinch build merge s3://bucket/ranked.jsonl -o OUT\n") {
		t.Errorf("a rank: %s", errs)
	}
	if _, errs := runs(t, 2, "clean", "s3://bucket/none.warc.gz"); errs != "chaffinch: input s3://bucket/none.warc.gz: file does not exist\n" {
		t.Errorf("a missing object: %s", errs)
	}
	for _, args := range [][]string{
		{"clean", web.URL + "/page", "-o", "https://example.org/x.jsonl"},
		{"clean", web.URL + "/page", "-o", "s3://bucket/"},
		{"clean", web.URL + "/page", "-o", "s3://bucket/x.jsonl", "--resume"},
		{"clean", web.URL + "/page", "-"},
		{"build", recipe, "s3://bucket/in/", "-o", filepath.Join(dir, "other"), "--plan"},
	} {
		runs(t, 2, args...)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "chaffinch-work-*")); len(left) > 0 {
		t.Logf("temporary folders: %q", left) // perhaps of other tests
	}
}
