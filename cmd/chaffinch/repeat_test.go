package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// recordVar names the folder where commands of a script store their standard output.
const recordVar = "CHAFFINCH_TEST_RECORD"

// recorded runs the command and stores its standard output in dir, in a file named after its
// arguments, if it succeeds.
func recorded(dir string, args []string) int {
	var out bytes.Buffer
	code := run(args, &console{os.Stdin, io.MultiWriter(os.Stdout, &out), os.Stderr})
	if code != 0 {
		return code
	}
	name := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(args, "\x00"))))
	text := fmt.Sprintf("$ chaffinch %s\n%s", strings.Join(args, " "), out.String())
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	return code
}

// repeated are the scripts of which every command is run twice: together they
// have each command that reads or makes something.
var repeated = []string{
	"annotate", "annotate_gold", "annotate_roles", "build", "bulk_perplexity", "clean_dedup", "clean_examples", "clean_formats", "convert", "corpus", "corpus_examples", "corpus_parallel", "corpus_statistics", "corpus_sketch", "tag", "dedup", "dedup_minhash", "detect_charset", "detect_labels", "detect_lang",
	"eval_clean", "eval_dedup", "eval_downstream", "eval_ir", "eval_langid", "eval_lines", "eval_metadata", "eval_roles", "eval_structure", "eval_token", "explain", "filter", "main", "perplexity", "plagiarism_search", "plagiarism_task", "ranks",
	"tag_remover", "tokenize", "train_blocks", "train_charset", "train_close", "train_labels", "train_langid", "train_lines", "train_ncleaner", "train_segmenter", "train_sentences", "train_stopwords", "train_tagger", "train_words",
	"vertical", "vertical_bad", "vertical_tag", "warc",
}

// served are commands that need a server of web pages, or the folder of a crawl of one,
// or are a server: the tests of packages crawl and serve have them. The output of doctor
// depends on the machine, and so do the times that eval labels reports. Tokens of users are random. The commands
// forget change what they read.
var served = []string{"doctor", "eval labels", "crawl run", "crawl changes", "crawl export hosts", "crawl export links", "crawl export wacz", "crawl forget", "build forget", "corpus forget", "crawl policy", "crawl propose", "crawl replay", "crawl report", "crawl sites", "crawl status", "crawl why", "mcp", "serve", "users add", "users list", "users remove", "users set", "worker"}

// speeds are figures that no two runs have in common: they belong on standard
// error.
var speeds = regexp.MustCompile(`\d ?[a-zA-Z]+/s\b|\d a second\b|\b\d+(\.\d+)?(ms|µs)\b|\bin \d+\.\d+ ?s\b`)

// durations are how long the steps of a build took: build status prints them as a result.
var durations = regexp.MustCompile(`\bdone in \S+`)

// TestScripts runs testdata/*.txt: the command as its users see it. Then it runs some of
// them again, in CI a third of these without evaluations, in folders of other names and with
// another number of processors: the same command on the same input writes the same
// bytes on standard output, whenever it is run.
func TestScripts(t *testing.T) {
	compilePDFium(t)
	first := scripts(t, "GOMAXPROCS=", testscript.Params{Dir: "testdata", UpdateScripts: os.Getenv("UPDATE") != ""})
	var again []string
	dir := t.TempDir()
	for i, name := range repeated {
		if !testkit.Part(i, 3) || !testkit.Whole() && (strings.HasPrefix(name, "eval_") || name == "explain") {
			continue
		}
		again = append(again, bare(t, dir, name+".txt"))
	}
	var second map[string]string
	t.Run("again", func(t *testing.T) {
		second = scripts(t, "GOMAXPROCS=3", testscript.Params{Files: again})
	})
	if len(second) == 0 || t.Failed() {
		return // only some scripts were asked for
	}
	for _, name := range slices.Sorted(maps.Keys(second)) {
		one, two := durations.ReplaceAllString(first[name], "done"), durations.ReplaceAllString(second[name], "done")
		command, out, _ := strings.Cut(one, "\n")
		if one != two {
			t.Errorf("the second run wrote something else:\n%s\n--- and then\n%s", one, two)
		}
		if m := speeds.FindString(out); m != "" && !strings.Contains(command, "--help") {
			t.Errorf("%s\nwrites %q on standard output: speeds belong on standard error", command, m)
		}
	}
	if !testkit.Long() {
		return
	}
	for path, names := range leaves(t) {
		if !slices.Contains(served, path) && !runTwice(first, names) {
			t.Errorf("no script that is run twice has the command %q", path)
		}
	}
}

// runTwice reports whether a script that is run twice, in CI or with all cases, calls a
// command by one of its names.
func runTwice(first map[string]string, names []string) bool {
	for name, text := range first {
		script := strings.TrimPrefix(filepath.Dir(name), "script-")
		command, _, _ := strings.Cut(text, "\n")
		if slices.Contains(repeated, script) && slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(command+" ", "$ chaffinch "+n+" ") }) {
			return true
		}
	}
	return false
}

// checks are the lines of scripts that the second run leaves out: what fails, which
// prints no results, and what looks at outputs.
var checks = regexp.MustCompile(`^(! |stdout |stderr |cmp |cmpenv |grep |exists )`)

// bare copies a script into dir without its checks.
func bare(t *testing.T, dir, name string) (path string) {
	t.Helper()
	a := must.Get(txtar.ParseFile(filepath.Join("testdata", name)))(t)
	lines := strings.SplitAfter(string(a.Comment), "\n")
	a.Comment = []byte(strings.Join(slices.DeleteFunc(lines, checks.MatchString), ""))
	path = filepath.Join(dir, name)
	must.Write(t, path, txtar.Format(a))
	return path
}

// condition is a condition of scripts: [fast] if slow tests are skipped, [lacks:PROGRAM] if the
// machine does not have it. Where CI is set, that is a failure.
func condition(cond string) (bool, error) {
	if cond == "fast" {
		return !testkit.Long(), nil
	}
	name, ok := strings.CutPrefix(cond, "lacks:")
	if !ok {
		return false, fmt.Errorf("unknown condition %q", cond)
	}
	_, err := exec.LookPath(name)
	if err != nil && os.Getenv("CI") != "" {
		return false, fmt.Errorf("%w: CI must have it", err)
	}
	return err != nil, nil
}

// TestLacks: a program that is not there skips a script, and fails it in CI.
func TestLacks(t *testing.T) {
	t.Setenv("CI", "")
	if is, err := condition("lacks:no-such-program"); !is || err != nil {
		t.Errorf("%v, %v", is, err)
	}
	t.Setenv("CI", "true")
	if is, err := condition("lacks:no-such-program"); is || err == nil || !strings.Contains(err.Error(), "no-such-program") {
		t.Errorf("in CI: %v, %v", is, err)
	}
	scripts, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	for _, name := range scripts {
		b := must.Read(t, name)
		if bytes.Contains(b, []byte("[!exec:")) {
			t.Errorf("%s skips in CI too: write [lacks:PROGRAM]", name)
		}
	}
}

// scripts runs scripts and returns what their commands wrote on standard output.
func scripts(t *testing.T, env string, p testscript.Params) map[string]string {
	t.Helper()
	examples := must.Get(filepath.Abs("../../examples/pages"))(t)
	record := t.TempDir()
	cache := must.Get(os.UserCacheDir())(t)
	p.Setup = func(e *testscript.Env) error {
		dir := filepath.Join(record, filepath.Base(e.WorkDir))
		e.Vars = append(e.Vars, "EXAMPLES="+examples, recordVar+"="+dir, "XDG_CACHE_HOME="+cache, env)
		return os.MkdirAll(dir, 0o777)
	}
	p.Condition = condition
	p.Cmds = map[string]func(*testscript.TestScript, bool, []string){"proxy": serveHosts}
	t.Run("scripts", func(t *testing.T) { testscript.Run(t, p) }) // they are parallel: done when this is
	return outputs(t, record)
}

// compilePDFium fills the cache of compiled modules, so that parallel scripts do not compile PDFium at once.
func compilePDFium(t *testing.T) {
	t.Helper()
	if !testkit.Long() {
		return
	}
	scripts := must.Get(txtar.ParseFile("testdata/documents.txt"))(t)
	i := slices.IndexFunc(scripts.Files, func(f txtar.File) bool { return f.Name == "ferry.pdf" })
	name := must.File(t, "ferry.pdf", scripts.Files[i].Data)
	if out, err := exec.Command("chaffinch", "clean", "-q", name).CombinedOutput(); err != nil || len(out) == 0 {
		t.Fatalf("%v: %s", err, out)
	}
}

// outputs reads the recorded outputs, by script and command.
func outputs(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must.Succeed(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[name] = string(b)
		return err
	}))
	return out
}

// leaves are the commands that do something, with all ways to write them.
func leaves(t *testing.T) map[string][]string {
	parser := newParser(t.Context(), &console{strings.NewReader(""), io.Discard, io.Discard}, nil, func(int) {})
	all := map[string][]string{}
	for _, l := range parser.Model.Leaves(true) {
		path, _, _ := strings.Cut(l.Path(), " (")
		names := []string{path}
		group := strings.TrimSuffix(path, l.Name)
		for _, alias := range l.Aliases {
			names = append(names, group+alias)
		}
		if l.Parent != nil && l.Parent.DefaultCmd == l {
			names = append(names, strings.TrimSpace(group))
		}
		all[path] = names
	}
	return all
}
