package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

var everyChange = flag.Bool("everychange", false, "let each change of the file system fail in TestDiskFull and TestDeath, not only some")

// crashCases are a run of each command that writes. IN is the folder of inputs, OUT the folder
// of the outputs.
var crashCases = []struct {
	args   string
	first  string // run before, if set
	resume bool   // by --resume
	old    string // outputs of an earlier run: each stays until the new one is whole
}{
	{args: "clean IN/crawl.warc.gz -q -m keep -j 1 -o OUT/x.jsonl --errors OUT/errors --checkpoint 1ns", resume: true, old: "x.jsonl errors"},
	{args: "clean IN/crawl.warc.gz -q -m keep -j 1 -o OUT/ --checkpoint 1ns", resume: true, old: "chaffinch-pages.jsonl"},
	{args: "clean IN/talk.html -q -j 1 -o OUT/x.txt --comments OUT/y.json.zst --checkpoint 1ns", resume: true, old: "x.txt y.json.zst"},
	{args: "clean IN/crawl.warc.gz -q -m keep -j 1 -o OUT/x.parquet --checkpoint 1ns", resume: true},
	{args: "clean IN/crawl.warc.gz -q -m keep -j 1 -o OUT/x.jsonl --dedup exact --checkpoint 1ns", resume: true, old: "x.jsonl"},
	{args: "dedup run IN/copies.jsonl -q -j 1 -o OUT/x.jsonl --dropped OUT/y.jsonl.gz --errors OUT/errors --checkpoint 1ns", resume: true, old: "x.jsonl y.jsonl.gz"},
	{args: "dedup run IN/copies.jsonl -q -j 1 -m minhash --order id -o OUT/x.jsonl --index OUT/index --update", resume: true, old: "x.jsonl"},
	{args: "dedup index forget OUT/index --ids IN/ids", first: "dedup run IN/copies.jsonl -q -j 1 -m exact -o OUT/x.jsonl --index OUT/index --update"},
	{args: "dedup index merge OUT/index", first: "dedup run IN/copies.jsonl -q -j 1 -m exact -o OUT/x.jsonl --index OUT/index --update"},
	{args: "filter run IN/copies.jsonl -q -j 1 -r c4 -o OUT/x.jsonl --dropped OUT/y.jsonl.gz --checkpoint 1ns", resume: true, old: "x.jsonl y.jsonl.gz"},
	{args: "filter apply OUT/s.jsonl -q -j 1 -r c4 -o OUT/x.jsonl --checkpoint 1ns", first: "filter run IN/copies.jsonl -q -j 1 -a -r c4 -o OUT/s.jsonl", resume: true},
	{args: "filter sites IN/copies.jsonl -q -r c4 -o OUT/x.tsv"},
	{args: "convert IN/copies.jsonl -q -o OUT/x.txt --checkpoint 1ns", resume: true, old: "x.txt"},
	{args: "explain IN/page.html -o OUT/x.html"},
	{args: "bulk-perplexity IN/page.html --model IN/words.chf --perpl-limit 1e6 --output-dir OUT/x"},
	{args: "tag-remover IN/page.html --output-dir OUT/x"},
	{args: "tokenize IN/a.txt --lang en -o OUT/x"},
	{args: "vertical repair IN/a.vert -o OUT/x"},
	{args: "vertical text IN/a.vert -o OUT/x"},
	{args: "vertical tokenize IN/a.prevert -o OUT/x"},
	{args: "vertical registry IN/a.vert --dir OUT/x"},
	{args: "corpus index IN/a.vert -o OUT/x"},
	{args: "corpus compare IN/a.vert IN/b.vert -o OUT/x.html"},
	{args: "plagiarism index IN/copies.jsonl -o OUT/x"},
	{args: "plagiarism search IN/a.txt --sources IN/copies.jsonl --out OUT/x --report OUT/x.html"},
	{args: "warc extract IN/crawl.warc.gz --url https://pages.example/3 -o OUT/x"},
	{args: "train words IN/a.txt -o OUT/x.chf --name x -q"},
	{args: "train sentences IN/a.txt --lang en -o OUT/x"},
	{args: "model arpa IN/words.chf -o OUT/x"},
}

// crashless are commands whose outputs are each one call of internal/files, or
// a model of package model, which is one; they take long or need gold data. The
// report of a build tells times, a crawl needs the net; packages build and crawl
// have tests that kill them.
var crashless = []string{
	"build run", "build forget", "build merge", "crawl run", "crawl export hosts", "crawl export links", "crawl export wacz", "crawl forget", "crawl policy", "crawl report",
	"annotate gold", "annotate roles", "annotate sheet", "eval charset", "eval classify", "eval lm", "eval nontext", "eval clean", "eval dedup", "eval ir", "eval labels", "eval langid", "eval lines", "eval metadata", "eval plagiarism", "eval report", "eval roles", "eval structure", "eval tag", "eval token",
	"plagiarism task", "model pack", "train blocks", "train charset", "train close", "train filter-limits", "train labels", "train langid", "train lines", "train ncleaner", "train nontext", "train segmenter", "train stopwords", "train tagger", "vertical conllu", "vertical parallel", "vertical tag", "corpus export", "corpus forget",
}

// TestCommandsThatWriteCrash fails on a command that writes and has no case.
func TestCommandsThatWriteCrash(t *testing.T) {
	eachCommand(t, func(words []string, n *kong.Node, flags []*kong.Flag) {
		name, writes := strings.Join(words, " "), false
		for _, f := range flags {
			writes = writes || !f.Hidden && isOne(outputFlags, name, f.Name)
		}
		has := slices.Contains(crashless, name)
		for _, c := range crashCases {
			has = has || strings.HasPrefix(c.args, name+" ")
		}
		if writes && !has {
			t.Errorf("chaffinch %s writes and has no run in crashCases", name)
		}
	})
}

// crashFiles writes the inputs.
func crashFiles(t *testing.T, dir string) {
	t.Helper()
	writeWARC(t, filepath.Join(dir, "crawl.warc.gz"), 24, 5)
	var copies, vert, text, ids bytes.Buffer
	for i := range 12 {
		line := fmt.Sprintf("The harbour of island %d was quiet in winter, and the old ferry lay at the quay for %d days.", i%5, i%3)
		fmt.Fprintf(&copies, "{\"id\":\"d%02d\",\"text\":%q}\n", i, line+"\n\nAnother paragraph of document number "+strings.Repeat("more ", i))
		fmt.Fprintf(&vert, "<doc id=\"d%d\">\n<p>\n%s\n</p>\n</doc>\n", i, strings.ReplaceAll(line, " ", "\n"))
		fmt.Fprintf(&text, "%s\n", line)
		fmt.Fprintf(&ids, "d%02d\n", 2*i)
	}
	page := "<html lang=en><title>Ferry</title><body><p>" + strings.Repeat("The harbour was quiet in winter and the ferry lay at the quay. ", 5) + "</p>"
	talk := "<html lang=en><title>Ferry</title><body><article><h1>Ferry</h1><p>" + strings.Repeat("The harbour was quiet in winter and the ferry lay at the quay. ", 5) + "</p></article><div id=comments class=comments-area><h2>Comments</h2><ol class=comment-list>"
	for i := range 4 {
		talk += fmt.Sprintf("<li id=comment-%d class=comment><div class=comment-author><cite>Anna</cite> says:</div><div class=comment-meta>March %d, 2015 at 8:05 pm</div><div class=comment-content><p>I agree with Peter. My brother told me that they have not had a raise since 2009, shame on them!</p></div><div class=reply><a href=#r>Reply</a></div></li>", i, i+1)
	}
	must.WriteAll(t, dir, map[string]string{
		"talk.html": talk, "copies.jsonl": copies.String(), "a.vert": vert.String(), "b.vert": strings.ReplaceAll(vert.String(), "ferry", "boat"),
		"a.prevert": "<doc id=\"1\">\n<p>\n" + text.String() + "</p>\n</doc>\n", "a.txt": text.String(), "ids": ids.String(), "page.html": page, "words.chf": wordModel(),
	})
}

// wordModel trains a word model whose ARPA text takes some hundred kilobytes, once; that
// of English would be written for seconds in each run.
var wordModel = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	var text bytes.Buffer
	rng := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		for range 8 {
			fmt.Fprintf(&text, "w%s ", strings.Repeat(string(rune('a'+rng.IntN(26))), 1+rng.IntN(20)))
		}
		text.WriteString(".\n")
	}
	in, out := filepath.Join(dir, "text.txt"), filepath.Join(dir, "words.chf")
	if err := os.WriteFile(in, text.Bytes(), 0o666); err != nil {
		panic(err)
	}
	var msg bytes.Buffer
	if code := run([]string{"train", "words", in, "-o", out, "--name", "words", "-q"}, &console{strings.NewReader(""), &msg, &msg}); code != 0 {
		panic(fmt.Sprintf("train words: code %d: %s", code, msg.Bytes()))
	}
	b, err := os.ReadFile(out)
	if err != nil {
		panic(err)
	}
	return string(b)
})

// runNumber is where the names of sorted runs and of ids have a number.
var runNumber = regexp.MustCompile(`(?:-|ids)(\d*)\.(?:run|dat|off)$`)

// snapshot returns the files below dir with their contents, and empty folders.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if d.IsDir() {
			files[rel+"/"] = ""
			return nil
		}
		b, err := os.ReadFile(path)
		if run := runNumber.FindStringSubmatchIndex(rel); run != nil { // a run that died has used up a number
			rel = rel[:run[2]] + "N" + rel[run[3]:]
			for files[rel] != "" {
				rel += "+"
			}
		}
		files[rel] = string(b)
		return err
	})
	must.Succeed(t, err)
	return files
}

// differ returns how two snapshots differ, "" if they do not. The random name of the run in an
// index does not count.
func differ(got, want map[string]string) string {
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if w, ok := want[name]; !ok {
			return name + " is left"
		} else if w != got[name] && filepath.Base(name) != "index.json" {
			return fmt.Sprintf("%s has other bytes (%d, wanted %d)", name, len(got[name]), len(w))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if _, ok := got[name]; !ok {
			return name + " is not there"
		}
	}
	return ""
}

// crashRun runs the command on fresh folders.
type crashRun struct {
	t        *testing.T
	in, base string
	n        int
}

// fresh makes empty folders for outputs and temporary files.
func (c *crashRun) fresh() (dir string) {
	c.n++
	dir = filepath.Join(c.base, fmt.Sprint(c.n))
	for _, name := range []string{"out", "tmp"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			c.t.Fatal(err)
		}
	}
	c.t.Setenv("TMPDIR", filepath.Join(dir, "tmp"))
	return dir
}

// do runs the command; one that does not come to its end ends the test.
func (c *crashRun) do(dir, line string) (code int, msg string) {
	c.t.Helper()
	line = strings.NewReplacer("IN/", c.in+"/", "OUT/", filepath.Join(dir, "out")+"/").Replace(line)
	var out, errs bytes.Buffer
	ended := make(chan int, 1)
	go func() { ended <- run(strings.Fields(line), &console{strings.NewReader(""), &out, &errs}) }()
	select {
	case code = <-ended:
	case <-time.After(5 * time.Minute): // it hangs
		c.t.Fatalf("chaffinch %s does not end", line)
	}
	return code, errs.String()
}

// oldBytes are the contents of an output of an earlier run.
const oldBytes = "as an earlier run has left it\n"

// begin runs the commands before the case, and makes outputs of an earlier run.
func (c *crashRun) begin(line, old string) (dir string) {
	dir = c.fresh()
	for _, name := range strings.Fields(old) {
		if err := os.WriteFile(filepath.Join(dir, "out", name), []byte(oldBytes), 0o666); err != nil {
			c.t.Fatal(err)
		}
	}
	if line == "" {
		return dir
	}
	if code, msg := c.do(dir, line); code > 1 {
		c.t.Fatalf("chaffinch %s: code %d: %s", line, code, msg)
	}
	return dir
}

// begun reports whether a run has left something to resume: a first state, a work folder, or
// the pages from which duplicates are to be removed.
func begun(left map[string]string) bool {
	for name := range left {
		state := strings.HasSuffix(name, ".state") && !strings.Contains(name, files.UnfinishedPrefix)
		if state || strings.HasSuffix(name, ".work/") || strings.HasSuffix(name, ".clean") {
			return true
		}
	}
	return false
}

// counting lets changes of the file system fail from the n-th on.
type counting struct {
	mu    sync.Mutex
	n, at int
	met   bool
	what  string
	fails func(op disk.Op) error // of the n-th and those behind it; nil passes
	count func(op disk.Op) bool
}

func (c *counting) see(op disk.Op, path string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count(op) {
		c.at++
	}
	if c.at < c.n {
		return nil
	}
	err := c.fails(op)
	if err != nil && !c.met {
		c.met, c.what = true, fmt.Sprintf("%s of %s", op, filepath.Base(path))
	}
	return err
}

// places returns the changes that fail: with -everychange all, else some spread
// over the run, and its last ones, where work folders go.
func places(all int) (ns []int) {
	const spread, last = 5, 3
	for n := 1; n <= all; n++ {
		if *everyChange || n > all-last || n%max(all/spread, 1) == 0 {
			ns = append(ns, n)
		}
	}
	return ns
}

// crash runs every case with each n, and then again without a failure.
func crash(t *testing.T, count func(disk.Op) bool, fails func(disk.Op) error, check func(t *testing.T, what string, code int, msg string)) {
	for _, c := range crashCases {
		name := strings.NewReplacer("IN/", "", "OUT/", "", "/", "+").Replace(c.args)
		t.Run(name, func(t *testing.T) {
			in := t.TempDir()
			crashFiles(t, in)
			r := &crashRun{t: t, in: in, base: t.TempDir()}
			whole := r.begin(c.first, c.old)
			all := &counting{n: math.MaxInt, fails: fails, count: count}
			stop := disk.Watch(all.see)
			code, msg := r.do(whole, c.args)
			if stop(); code > 1 {
				t.Fatalf("without a failure: code %d: %s", code, msg)
			}
			want, inputs := snapshot(t, whole), snapshot(t, in)
			for _, n := range places(all.at) {
				dir := r.begin(c.first, c.old)
				f := &counting{n: n, fails: fails, count: count}
				stop := disk.Watch(f.see)
				code, msg := r.do(dir, c.args)
				stop()
				if !f.met {
					continue // the run had fewer changes than the first one
				}
				check(t, f.what, code, msg)
				failed, again := snapshot(t, dir), c.args
				for _, name := range strings.Fields(c.old) {
					if b := failed["out/"+name]; b != oldBytes && b != want["out/"+name] {
						t.Errorf("change %d, %s: %s is neither the old one nor the new one", n, f.what, name)
					}
				}
				if c.resume && (c.old == "" || begun(failed)) {
					again += " --resume"
				}
				if code, msg := r.do(dir, again); code > 1 {
					t.Errorf("change %d, %s: then chaffinch %s: code %d: %s", n, f.what, again, code, msg)
				} else if d := differ(snapshot(t, dir), want); d != "" {
					t.Errorf("change %d, %s: then %s: %s", n, f.what, again, d)
				}
				if d := differ(snapshot(t, in), inputs); d != "" {
					t.Fatalf("change %d, %s: input %s", n, f.what, d)
				}
				must.Succeed(t, os.RemoveAll(dir))
			}
			t.Logf("%d changes", all.at)
			if all.at == 0 {
				t.Error("no change was seen")
			}
		})
	}
}

// TestDiskFull fills the disk before each change that needs space: every command ends, names
// the place and the remedy, and resumes or starts over when there is space again.
func TestDiskFull(t *testing.T) {
	testkit.Slow(t)
	takes := func(op disk.Op) bool {
		return op == disk.OpCreate || op == disk.OpWrite || op == disk.OpMkdir || op == disk.OpLink
	}
	crash(t, takes, func(op disk.Op) error {
		if takes(op) {
			return syscall.ENOSPC
		}
		return nil
	}, func(t *testing.T, what string, code int, msg string) {
		if code != 2 || !strings.Contains(msg, syscall.ENOSPC.Error()) || !strings.Contains(msg, "free space") {
			t.Errorf("%s: code %d: %s", what, code, msg)
		}
	})
}

// TestDeath kills every command before each rename, sync and cut: after that point nothing
// changes, as after kill -9.
func TestDeath(t *testing.T) {
	testkit.Slow(t)
	crash(t, func(op disk.Op) bool { return op != disk.OpWrite }, func(disk.Op) error { return disk.ErrDead },
		func(*testing.T, string, int, string) {})
}
