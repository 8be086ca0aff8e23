package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestOld opens what earlier versions have written (release/old.sh): indexes and models are
// read, unfinished runs are resumed, and what cannot be is rejected with what to do.
func TestOld(t *testing.T) {
	testkit.Slow(t)
	for _, c := range []struct {
		version string
		resumes string // commands whose unfinished runs are resumed; others are rejected
		later   bool   // it has commands filter, build and crawl
		blocks  string // error for its model of blocks
		nontext string // error for its model of non-text
		crawl   string // error for its unfinished crawl
	}{
		{version: "0.2.0", blocks: "version 1 of blocks, written by chaffinch 0.2.0; this program reads 3 to 4: make the file again with this program, or use the one that wrote it"},
		{version: "0.3-dev", resumes: "dedup filter", later: true, // its method is blocks/2
			nontext: "train it again with chaffinch train nontext", crawl: "crawl of version 5, wanted 8 to resume: use the version of the program that started it"},
		{version: "0.3.0", resumes: "clean dedup filter", later: true},
	} {
		t.Run(c.version, func(t *testing.T) {
			dir := t.TempDir()
			unpackOld(t, filepath.Join("testdata", "old", c.version+".tar.zst"), dir)
			t.Chdir(filepath.Join(dir, "old")) // the files name their inputs by relative paths
			o := oldFiles{t}
			o.indexes()
			o.models(c.blocks, c.nontext, c.later)
			for _, u := range oldRuns {
				if c.later || !strings.HasPrefix(u.args, "filter") {
					command, _, _ := strings.Cut(u.args, " ")
					o.unfinished(u, strings.Contains(c.resumes, command))
				}
			}
			if c.later {
				o.build()
				o.crawl(c.crawl)
			}
		})
	}
}

// unpackOld unpacks an archive with the times of its files, by which runs recognise their inputs.
func unpackOld(t *testing.T, name, dir string) {
	t.Helper()
	f := must.Get(os.Open(name))(t)
	defer f.Close()
	z := must.Get(zstd.NewReader(f))(t)
	defer z.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		must.Succeed(t, err)
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			must.Succeed(t, os.MkdirAll(path, 0o777))
			continue
		}
		b, err := io.ReadAll(r)
		must.Succeed(t, errors.Join(err, os.WriteFile(path, b, 0o666), os.Chtimes(path, h.ModTime, h.ModTime)))
	}
}

// oldFiles are the files of one version, in the current folder.
type oldFiles struct{ *testing.T }

// run runs a command and returns its output; it wants an exit code of 0.
func (o oldFiles) run(line string) string {
	o.Helper()
	var out, msg bytes.Buffer
	if code := run(strings.Fields(line), &console{strings.NewReader(""), &out, &msg}); code != 0 {
		o.Errorf("chaffinch %s: code %d: %s", line, code, &msg)
	}
	return out.String()
}

// want runs a command and wants a part of its output.
func (o oldFiles) want(part, line string) {
	o.Helper()
	if got := o.run(line); !strings.Contains(got, part) {
		o.Errorf("chaffinch %s: %q, want %q in it", line, got, part)
	}
}

// rejects runs a command that must change nothing and explain how to continue.
func (o oldFiles) rejects(message, line string) {
	o.Helper()
	before := snapshot(o.T, ".")
	var msg bytes.Buffer
	code := run(strings.Fields(line), &console{strings.NewReader(""), io.Discard, &msg})
	if code != 2 || !strings.Contains(msg.String(), message) {
		o.Errorf("chaffinch %s: code %d, %q, want %q", line, code, &msg, message)
	}
	if d := differ(snapshot(o.T, "."), before); d != "" {
		o.Errorf("chaffinch %s: %s", line, d)
	}
}

func (o oldFiles) read(name string) []byte {
	o.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		o.Error(err)
	}
	return b
}

func (o oldFiles) indexes() {
	o.want("<ferry>", `corpus conc corpus.index "ferry"`)
	o.want("doc, 15", "corpus info corpus.index")
	o.want("against 15 sources", "plagiarism search pages.jsonl --self --index plagiarism.index")
	const unseen = `{"id":"new","text":"A lighthouse keeper counted the ships that passed on a clear night in March."}` + "\n"
	must.Succeed(o, os.WriteFile("new.jsonl", []byte(unseen), 0o666))
	for _, method := range []string{"exact", "minhash", "onion"} {
		index := "dedup." + method
		o.want("documents  15, and 0 removed", "dedup index info "+index)
		if all := o.run("dedup run pages.jsonl -q -m " + method + " --index " + index); all != "" {
			o.Errorf("%s: documents of the index are taken for new: %s", index, all)
		}
		o.run("dedup run new.jsonl -q -m " + method + " --index " + index + " --update -o " + method + ".jsonl")
		o.run("dedup index merge " + index)
		o.want("documents  16, and 0 removed", "dedup index info "+index)
	}
}

// models uses the models; blocks and nontext are the expected errors of these models, "" for none.
func (o oldFiles) models(blocks, nontext string, later bool) {
	const page, text = " pages/en/article.html", " pages/en/note.txt"
	o.want("\n", "clean -q -m lines --model models/lines.chf"+text)
	o.want("ferry", "clean -q -m ncleaner --model models/ncleaner.chf"+page)
	o.want("\n", "perplexity --model models/words.chf"+text)
	o.want("utf-8", "detect charset --model models/charset.chf"+page)
	o.want("en\t", "detect lang -m models/langid.chf"+page)
	o.want("\n", "tokenize --lang zh --segmenter models/segmenter.chf"+text)
	o.want("justext.stopwords", "model info models/stopwords.chf")
	if blocks != "" {
		o.rejects(blocks, "clean -q --model models/blocks.chf"+page)
	} else {
		o.want("ferry", "clean -q --model models/blocks.chf"+page)
	}
	if !later {
		return
	}
	if filter := "filter run -q --rules nontext --nontext-model models/nontext.chf pages.jsonl"; nontext != "" {
		o.rejects(nontext, filter)
	} else {
		o.want("ferry", filter)
	}
}

// oldRuns are the unfinished runs, with the message of a version that does not resume them.
var oldRuns = []struct{ args, out, rejected string }{
	{"clean -q -j 1 -f jsonl many.warc.gz", "clean/out.jsonl", "give the same command as before to the version that began the run, or remove the file to start over"},
	{"dedup run -q -j 1 -m exact many.jsonl", "dedup/out.jsonl", "take the same ones and the version that began it, or start over (--force)"},
	{"filter run -q -j 1 --rules gopher_quality many.jsonl", "filter/out.jsonl", ""},
}

// unfinished resumes a run and wants the output of a run from the beginning.
func (o oldFiles) unfinished(u struct{ args, out, rejected string }, resumes bool) {
	o.Helper()
	command := u.args + " -o " + u.out
	o.rejects("an unfinished run", command)
	if resumes {
		o.run(command + " --resume")
	} else {
		o.rejects(u.rejected, command+" --resume")
		o.run(command + " --force")
	}
	o.run(u.args + " -o whole.jsonl")
	if got, want := o.read(u.out), o.read("whole.jsonl"); len(want) == 0 || !bytes.Equal(got, want) {
		o.Errorf("chaffinch %s: %d bytes, a run from the beginning writes %d others", command, len(got), len(want))
	}
	if entries, _ := os.ReadDir(filepath.Dir(u.out)); len(entries) != 1 {
		o.Errorf("chaffinch %s: left %v", command, entries)
	}
}

// build completes a build.
func (o oldFiles) build() {
	o.want("<ferry>", `corpus conc build/index "ferry"`)
	o.run("build run linguist pages -q -o build-unfinished")
	o.run("build run linguist pages -q -o build-whole")
	for _, name := range []string{"corpus.jsonl.zst", "corpus.vert.zst"} {
		if !bytes.Equal(o.read("build-whole/"+name), o.read("build-unfinished/"+name)) {
			o.Errorf("%s of the resumed build differs from %s of a build from the beginning", name, name)
		}
	}
}

// crawl reads crawls; rejected is the expected error if an unfinished one is resumed, "" for none.
func (o oldFiles) crawl(rejected string) {
	o.run("crawl report crawl")
	o.run("crawl export hosts crawl-unfinished")
	if rejected != "" {
		o.rejects(rejected, "crawl run -q --contact test@example.org -o crawl-unfinished")
	}
}
