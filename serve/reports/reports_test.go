package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"chaffinch/build"
	"chaffinch/dedup"
	"chaffinch/dedup/exact"
	"chaffinch/input/records"
	"chaffinch/internal/report"
	"chaffinch/internal/testkit"
	_ "chaffinch/internal/testkit" // which lets syncs pass
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

func write(t *testing.T, text string, parts ...string) string {
	t.Helper()
	name := filepath.Join(parts...)
	must.Write(t, name, text)
	return name
}

// settings are the settings of a crawl that are read.
const settings = `{"version": 4, "contact": "me@example.org", "langs": ["gd"]}`

// fetched are events of a crawl: a page of so many bytes with some text, for each.
func fetched(from, to int) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	for i := from; i < to; i++ {
		at := time.Duration(i) * time.Second
		reason := ""
		if i%4 == 3 {
			reason = "status"
		}
		e.Encode(map[string]any{"at": at, "take": map[string]any{"Kind": 2, "Host": 0, "Origin": "http://a.example", "Path": "/"}})
		e.Encode(map[string]any{"at": at, "done": map[string]any{"Host": 0, "Bytes": 1000, "Clean": 100}, "page": map[string]any{"url": "http://a.example/", "lang": "gd", "reason": reason}})
	}
	return b.String()
}

func open(t *testing.T, dir string) *Folder {
	t.Helper()
	f := must.Get(Open(dir))(t)
	t.Cleanup(func() { f.Close() })
	return f
}

func view(t *testing.T, f *Folder, path string) *View {
	t.Helper()
	return must.Get(f.View(t.Context(), path))(t)
}

func (v *View) value(name string) string {
	for _, f := range v.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// cells returns the first row of a table whose first cell is name.
func (v *View) cells(title, name string) []string {
	for _, t := range v.Tables {
		for _, r := range t.Rows {
			if t.Title == title && r[0] == name {
				return r
			}
		}
	}
	return nil
}

// TestCrawl follows a crawl: what comes later is there at the next look, and at its
// end it is done.
func TestCrawl(t *testing.T) {
	dir := t.TempDir()
	write(t, settings, dir, "gaelic", "crawl.json")
	journal := write(t, fetched(0, 8), dir, "gaelic", "journal", "00000001.jsonl")
	f := open(t, dir)
	v := view(t, f, "gaelic")
	if v.Kind != Crawl || v.State != Running || v.value("pages") != "8" || v.value("languages") != "gd" || v.value("text") != "800 B" || len(v.Curves) != 1 || len(v.Curves[0].Points) != 8 {
		t.Errorf("%+v", v)
	}
	if row := v.cells("Pages without text, by reason", "status"); !slices.Equal(row, []string{"status", "2", "1.0000"}) {
		t.Errorf("reasons: %q", row)
	}
	write(t, fetched(0, 8)+fetched(8, 20), journal)
	if v := view(t, f, "gaelic"); v.value("pages") != "20" || v.value("yield") != "10.00 %" {
		t.Errorf("later: %+v", v.Facts)
	}
	write(t, "<!doctype html>", dir, "gaelic", "report.html")
	os.Chtimes(journal, time.Time{}, time.Now().Add(-time.Minute))
	if v := view(t, f, "gaelic"); v.State != Done || v.Page != "gaelic/report.html" {
		t.Errorf("at the end: %+v", v.Entry)
	}
	for _, c := range [][2]string{{`"why": "nothing is left to fetch"`, Done}, {`"why": "interrupted"`, Stopped}, {`"why": "no seed answered"`, Failed}, {`"error": "the disk is full"`, Failed}} {
		write(t, `{"time": "2026-11-28T10:00:00Z", `+c[0]+`}`, dir, "gaelic", "ended.json")
		write(t, fetched(0, 20), journal) // a copy has any times
		if v := view(t, f, "gaelic"); v.State != c[1] || v.Says == "" {
			t.Errorf("%s: %+v", c[0], v.Entry)
		}
	}
	os.Remove(filepath.Join(dir, "gaelic", "ended.json"))
	os.Remove(filepath.Join(dir, "gaelic", "report.html"))
	os.Chtimes(journal, time.Time{}, time.Now().Add(-time.Hour))
	if v := view(t, f, "gaelic"); v.State != Stopped {
		t.Errorf("an hour later: %+v", v.Entry)
	}
	write(t, "no JSON\n\n", journal) // another crawl's, shorter and broken
	other := open(t, dir)
	if v := view(t, other, "gaelic"); !strings.Contains(v.Error, "journal/00000001.jsonl: byte 0") {
		t.Errorf("a broken journal: %q", v.Error)
	}
	for i := range 3 * maxCrawls { // only some are kept
		other.following(strings.Repeat("x", i+1))
	}
	if len(other.crawls) > maxCrawls {
		t.Errorf("%d crawls are kept", len(other.crawls))
	}
}

// TestBuild looks at a build on its way and at its end.
func TestBuild(t *testing.T) {
	in, dir := t.TempDir(), t.TempDir()
	write(t, "<title>A</title><p>The ferry leaves the island at nine in the morning, and nobody who lives there has ever seen it late, whatever the wind was like.", in, "a.html")
	r, err := build.Parse("r.yaml", []byte("version: 1\nname: r\nclean: {keep: text}\ndedup: [{method: exact}]\n"))
	must.Succeed(t, err)
	r.Inputs = []string{in}
	f := open(t, dir)
	seen := 0
	cfg := build.Config{Job: pipeline.Job{Out: filepath.Join(dir, "out"), Workers: 1}, Recipe: r, Version: "test"}
	cfg.OnProgress = func(p pipeline.Status) {
		v := view(t, f, "out")
		if v.State != Running || !strings.Contains(v.Says, p.Step) || v.value("now") == "" {
			t.Errorf("in %s: %+v", p.Step, v)
		}
		seen++
	}
	_, err = build.Run(t.Context(), cfg)
	if err != nil || seen == 0 {
		t.Fatal(err, seen)
	}
	v := view(t, f, "out")
	if v.State != Done || v.Page != "out/report.html" || v.value("pages read") != "1" || v.cells("Funnel: what each step passed on", "dedup-exact")[3] != v.value("words left") {
		t.Errorf("%+v", v)
	}
	l, err := f.List()
	if err != nil || len(l.Reports) != 1 || l.Reports[0].Path != "out" || l.More {
		t.Errorf("%+v, %v", l, err) // what lies in a build is not listed again
	}
	write(t, `{"version": 1, "steps": [{"name": "clean", "error": "interrupted"}]}`, dir, "killed", "build.json")
	write(t, `{"step": "clean", "number": 1, "steps": 2, "total": 10, "done": 5}`, dir, "killed", "steps", "working.json")
	if v := view(t, f, "killed"); v.State != Running || v.Share == nil || *v.Share != .5 {
		t.Errorf("at work: %+v", v)
	}
	os.Chtimes(filepath.Join(dir, "killed", "steps", "working.json"), time.Time{}, time.Now().Add(-time.Minute))
	if v := view(t, f, "killed"); v.State != Stopped || v.Says != "in step clean" {
		t.Errorf("killed: %+v", v)
	}
}

// TestDedup looks into the work folder of a run.
func TestDedup(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	in := write(t, strings.Repeat(`{"id":"a","text":"the same words in every line of this file"}`+"\n", 300), t.TempDir(), "in.jsonl")
	m, err := exact.New(exact.Default)
	must.Succeed(t, err)
	f, work := open(t, dir), ""
	cfg := dedup.Config{Job: pipeline.Job{Inputs: []string{in}, Out: filepath.Join(dir, "out.jsonl"), Workers: 1, Checkpoint: time.Nanosecond}, Input: records.Config{Format: records.JSONL}, Method: m, Work: filepath.Join(dir, "out.work")}
	cfg.OnProgress = func(pipeline.Status) {
		if v, err := f.View(t.Context(), "out.work"); err == nil && v.Kind == Dedup {
			work = v.State + " " + v.value("documents read")
		}
	}
	_, err = dedup.Run(t.Context(), cfg)
	if err != nil || !strings.HasPrefix(work, Running+" ") {
		t.Errorf("%q, %v", work, err)
	}
}

// TestFigures wants what lies deep in JSON shown in tables.
func TestFigures(t *testing.T) {
	dir := t.TempDir()
	write(t, `{"method": "exact", "docs": 12345, "results": [{"set": "a", "system": "x", "figures": {"f": {"value": 0.5, "low": 0.25}, "p": {"value": 1}}}], "reasons": {"copied": {"docs": 3}, "short": {"docs": 4}}, "list": [1, "two", {"three": [1, 2]}, null]}`, dir, "a.json")
	v := view(t, open(t, dir), "a.json")
	if v.value("method") != "exact" || v.value("docs") != "12,345" {
		t.Errorf("facts %+v", v.Facts)
	}
	for _, c := range [][]string{
		{"results · a · x · figures", "f", "0.25", "0.5"}, {"results · a · x · figures", "p", "", "1"}, {"reasons", "copied", "3"}, {"list", "2", "two"}, {"results", "a", "x"}, {"list · 3", "three", "1 2"},
	} {
		if got := v.cells(c[0], c[1]); !slices.Equal(got, c[1:]) {
			t.Errorf("%s: %q, want %q in %+v", c[0], got, c[1:], v.Tables)
		}
	}
	write(t, "{", dir, "broken.json")
	if v := view(t, open(t, dir), "broken.json"); !strings.Contains(v.Error, "not JSON") {
		t.Errorf("%+v", v)
	}
	write(t, strings.Repeat(`{"a":[1,2,3,4,`, 2000)+"1"+strings.Repeat("]}", 2000), dir, "deep.json")
	if v := view(t, open(t, dir), "deep.json"); len(v.Tables) > maxTables {
		t.Errorf("%d tables", len(v.Tables))
	}
}

// TestTraversal wants nothing outside of the folder, and no file that would hold its reader.
func TestTraversal(t *testing.T) {
	base := t.TempDir()
	write(t, `{"secret": 1}`, base, "secret.json")
	write(t, `secret`, base, "secret.html")
	write(t, settings, base, "crawl", "crawl.json")
	dir := filepath.Join(base, "reports")
	write(t, `{"open": 1}`, dir, "open.json")
	os.Symlink(filepath.Join(base, "secret.json"), filepath.Join(dir, "link.json"))
	os.Symlink("../secret.html", filepath.Join(dir, "link.html"))
	os.Symlink("..", filepath.Join(dir, "up"))
	os.Symlink("../crawl", filepath.Join(dir, "crawl"))
	for _, name := range []string{"pipe.html", "pipe.json"} {
		if out, err := exec.Command("mkfifo", filepath.Join(dir, name)).CombinedOutput(); err != nil && runtime.GOOS != "windows" {
			t.Fatalf("mkfifo: %v: %s", err, out)
		}
	}
	f := open(t, dir)
	for _, path := range []string{
		"../secret.json", "..", "../crawl", base, filepath.Join(base, "secret.json"), "./../secret.json", "open.json/../../secret.json", "/etc/passwd", "", "/", "up", "up/secret.json",
		"up/crawl", "link.json", "link.html", "crawl", "pipe.json", "pipe.html", `..\secret.json`, "open.json\x00", "%2e%2e/secret.json", "up/reports/../secret.html", ".", "nothing.json",
	} {
		t.Run(path, func(t *testing.T) {
			if v, err := f.View(t.Context(), path); err == nil {
				t.Errorf("the view is %+v", v)
			} else if found(path, err).Error() != fmt.Sprintf("path %q: no such report", path) {
				t.Errorf("told of: %v", found(path, err))
			}
			if file, err := f.regular(path); err == nil {
				file.Close()
				t.Error("it was opened")
			}
		})
	}
	l, err := f.List()
	if err != nil || len(l.Reports) != 1 || l.Reports[0].Path != "open.json" {
		t.Errorf("%+v, %v", l, err)
	}
	if _, err := Open(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) || !strings.HasSuffix(err.Error(), "wanted a folder with reports of builds, crawls or evaluations") {
		t.Error(err)
	}
}

// TestList: only reports are listed, however many pages lie beside them, and every folder
// is reached.
func TestList(t *testing.T) {
	dir := t.TempDir()
	for i := range 1200 {
		write(t, "<!doctype html><title>a page</title>", dir, "a-pages", fmt.Sprintf("%04d.html", i))
	}
	for i := range maxReports + 10 {
		write(t, "{}", dir, "b-figures", fmt.Sprintf("%04d.json", i))
	}
	write(t, settings, dir, "z-crawl", "crawl.json")
	write(t, "<!doctype html>\n"+report.Mark, dir, "z.html")
	f := open(t, dir)
	l, err := f.List()
	if err != nil || len(l.Reports) != maxReports || !l.More {
		t.Fatalf("%d reports, %v, %v", len(l.Reports), l.More, err)
	}
	found := map[string]int{}
	for _, e := range l.Reports {
		found[e.Kind]++
	}
	if found[Crawl] != 1 || found[Page] != 1 || found[Figures] != maxReports-2 {
		t.Errorf("%v", found)
	}
	if _, err := f.View(t.Context(), "a-pages/0000.html"); err == nil {
		t.Error("a page is a report")
	}
	write(t, report.Mark, dir, "a-pages", "0001.html") // now it is one
	if l, err = f.List(); err != nil || !slices.ContainsFunc(l.Reports, func(e Entry) bool { return e.Path == "a-pages/0001.html" }) {
		t.Errorf("a new report is not listed: %v", err)
	}
	reads := 1
	if write(t, report.Mark, dir, "new1.html"); !f.isReport("new1.html", info(t, dir, "new1.html"), &reads) || reads != 0 {
		t.Error("not read")
	}
	if write(t, report.Mark, dir, "new2.html"); f.isReport("new2.html", info(t, dir, "new2.html"), &reads) || reads >= 0 {
		t.Error("read beyond the limit")
	}
}

func info(t *testing.T, parts ...string) fs.FileInfo {
	t.Helper()
	return must.Get(os.Stat(filepath.Join(parts...)))(t)
}

// TestEval: an evaluation is shown as it goes on, as it ended, and as it was killed.
func TestEval(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	name := write(t, `{"command": "chaffinch eval clean", "started": "2026-11-24T10:00:00Z", "step": "pages", "done": 3, "total": 12, "said": "set one\n"}`, dir, "a.eval")
	v := view(t, f, "a.eval")
	if v.Kind != Eval || v.State != Running || v.Says != "pages, 3 of 12" || v.Share == nil || *v.Share != .25 || v.Said != "set one\n" || v.value("command") != "chaffinch eval clean" {
		t.Errorf("running: %+v", v)
	}
	long := time.Now().Add(-time.Hour)
	must.Succeed(t, os.Chtimes(name, long, long))
	if v := view(t, f, "a.eval"); v.State != Stopped {
		t.Errorf("killed: %+v", v)
	}
	write(t, `{"command": "x", "started": "2026-11-24T10:00:00Z", "ended": "2026-11-24T10:02:00Z", "said": "{\"t\": [{\"name\": \"a\", \"f\": 2}]}"}`, dir, "a.eval")
	if v := view(t, f, "a.eval"); v.State != Done || v.Said != "" || v.cells("t", "a") == nil {
		t.Errorf("done, with JSON: %+v", v)
	}
	write(t, `{"command": "x", "started": "2026-11-24T10:00:00Z", "ended": "2026-11-24T10:02:00Z", "error": "no room"}`, dir, "a.eval")
	if v := view(t, f, "a.eval"); v.State != Failed || v.Says != "no room" {
		t.Errorf("failed: %+v", v)
	}
	write(t, `no JSON`, dir, "a.eval")
	if v := view(t, f, "a.eval"); v.State != Failed || v.Error == "" {
		t.Errorf("broken: %+v", v)
	}
}
