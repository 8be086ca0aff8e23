package recipe

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"chaffinch/build/stage"
	"chaffinch/format/vertical"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

const (
	ferry = "<p>The old ferry left the harbour of the island at seven in the morning with the mail."
	horse = "<p>A story that nobody else has told, of a horse that found its way home over the hills."
)

// pagesTwice writes two pages that have a paragraph in common.
func pagesTwice(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"a.html": ferry + horse, "b.html": ferry} {
		must.Write(t, filepath.Join(dir, name), "<html lang=en>"+text)
	}
	return dir
}

// runOf returns the options of a run over an input.
func runOf(in, out string) RunOptions {
	at := DefaultRun
	at.Inputs, at.Out = []string{in}, out
	return at
}

// wholeJob returns the options of all steps.
func wholeJob(t *testing.T, in, out string) MakeOptions {
	t.Helper()
	j := MakeOptions{Recipe: Clean(CleanOptions{Options: stage.Options{Method: "keep"}, Format: "vertical"}), RunOptions: runOf(in, out)}
	var err error
	if j.Dedup, err = Dedup("exact", nil); err != nil {
		t.Fatal(err)
	}
	j.Tokenizer = &vertical.Tokenizer{Command: "sed 's/ferry/fer ry/g'", Workers: 1}
	j.Tagger = &vertical.Tagger{Command: `awk 'NF { print $0 "\t" tolower($0) "\tT" }; !NF'`, Columns: []string{"lemma", "tag"}, Workers: 1}
	j.Registry = true
	return j
}

// only fails if other files are in the folder than those named.
func only(t *testing.T, dir string, want ...string) {
	t.Helper()
	list := must.Get(os.ReadDir(dir))(t)
	var got []string
	for _, e := range list {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("left %q, want %q", got, want)
	}
}

// TestMake interrupts a job at every step and resumes it: the corpus is that of
// a run in one go, and nothing else is left.
func TestMake(t *testing.T) {
	in, dir := pagesTwice(t), t.TempDir()
	rep := must.Get(Make(t.Context(), wholeJob(t, in, filepath.Join(dir, "whole.vert"))))(t)
	if rep.Pages.Pages != 2 || rep.Dedup.Out.Paras != 2 || rep.Tokenizer.Left != 0 || rep.Tagger.SentencesLeft != 0 || len(rep.Registry) != 2 || rep.Step != StepRegistry {
		t.Errorf("report %+v", rep)
	}
	only(t, dir, "whole", "whole.blf.yaml", "whole.vert")
	want := must.Read(t, filepath.Join(dir, "whole.vert"))
	if n := strings.Count(string(want), "\nfer\tfer\tT\n<g/>\nry\try\tT\n"); n != 1 {
		t.Errorf("%d times fer and ry with columns, want 1:\n%s", n, want)
	}
	for _, at := range []Step{StepPages, StepDedup, StepTagger} {
		dir := t.TempDir()
		out := filepath.Join(dir, "x.vert")
		j := wholeJob(t, in, out)
		ctx, cancel := context.WithCancel(t.Context())
		j.OnStep = func(s Step) {
			if s == at {
				cancel()
			}
		}
		rep, err := Make(ctx, j)
		if !errors.Is(err, context.Canceled) || rep.Step != at || !rep.Resumable {
			t.Fatalf("%s: step %s, resumable %v, error %v", at, rep.Step, rep.Resumable, err)
		}
		if exists(out) {
			t.Errorf("%s: the output is there before it is whole", at)
		}
		j.Resume, j.OnStep = true, nil
		if _, err = Make(t.Context(), j); err != nil {
			t.Fatalf("%s, resumed: %v", at, err)
		}
		if got, err := os.ReadFile(out); err != nil || string(got) != string(want) {
			t.Errorf("%s, resumed: error %v, got\n%s\nwant\n%s", at, err, got, want)
		}
		only(t, dir, "x", "x.blf.yaml", "x.vert")
		if _, err = Make(t.Context(), j); !errors.Is(err, pipeline.ErrComplete) {
			t.Errorf("%s, resumed once more: error %v, want pipeline.ErrComplete", at, err)
		}
	}
}

// TestTaggerResumed fails in the middle of the columns: the resumed job runs the programs only
// on the rest, and a job from the beginning runs them on everything.
func TestTaggerResumed(t *testing.T) {
	in, dir := t.TempDir(), t.TempDir()
	text := "<html lang=en>"
	for i := range 12 {
		text += ferry + " It came back on day " + strconv.Itoa(i) + " of the month."
	}
	must.Write(t, filepath.Join(in, "a.html"), text)
	log, ready := filepath.Join(dir, "log"), filepath.Join(dir, "ready")
	job := func(out string) MakeOptions {
		j := wholeJob(t, in, filepath.Join(dir, out))
		j.Dedup, j.Registry = nil, false
		// Each run leaves a line; the fourth tagger is not to be found until a file is there.
		j.Tokenizer.Command = "echo words >> " + log + "; " + j.Tokenizer.Command
		j.Tagger.Command = "echo columns >> " + log + "; [ -e " + ready + " ] || [ $(grep -c columns " + log + ") -lt 4 ] || exit 127; " + j.Tagger.Command
		j.Tokenizer.Batch, j.Tagger.Batch = 15, 15
		return j
	}
	runs := func() (words, columns int) {
		b := must.Read(t, log)
		must.Succeed(t, os.Remove(log))
		return strings.Count(string(b), "words"), strings.Count(string(b), "columns")
	}
	j := job("x.vert")
	if rep, err := Make(t.Context(), j); err == nil || rep.Step != StepTagger || !rep.Resumable {
		t.Fatalf("error %v, step %s", err, rep.Step)
	}
	words, columns := runs()
	must.Write(t, ready, "")
	must.Succeed(t, must.Err(Make(t.Context(), job("whole.vert"))))
	allWords, allColumns := runs()
	j.Resume = true
	must.Succeed(t, must.Err(Make(t.Context(), j)))
	moreWords, moreColumns := runs()
	// Runs that were under way when one failed may leave their line late.
	if allColumns < 8 || moreColumns > allColumns-2 || moreWords > allWords-2 {
		t.Errorf("runs until it failed %d and %d, then %d and %d; of a job in one go %d and %d", words, columns, moreWords, moreColumns, allWords, allColumns)
	}
	got := must.Read(t, j.Out)
	if want, err := os.ReadFile(filepath.Join(dir, "whole.vert")); err != nil || string(got) != string(want) {
		t.Errorf("error %v, got\n%s\nwant\n%s", err, got, want)
	}
	only(t, dir, "ready", "whole.vert", "x.vert")
}

// TestRegistryResumed interrupts a job when the output is there, and not yet the
// files for corpus managers, or only those of an older output.
func TestRegistryResumed(t *testing.T) {
	in := pagesTwice(t)
	for _, dedup := range []bool{false, true} {
		for _, old := range []bool{false, true} {
			dir := t.TempDir()
			j := wholeJob(t, in, filepath.Join(dir, "x.vert"))
			j.Tokenizer, j.Tagger = nil, nil
			if !dedup {
				j.Dedup = nil
			}
			registry := vertical.RegistryFiles(j.Out, vertical.RegistryConfig{})
			if old {
				must.Succeed(t, must.Err(Make(t.Context(), j)))
				for _, path := range registry {
					must.Succeed(t, errors.Join(os.Truncate(path, 200), os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour))))
				}
				j.Force = true
			}
			ctx, cancel := context.WithCancel(t.Context())
			j.OnStep = func(s Step) {
				if s == StepRegistry {
					cancel()
				}
			}
			rep, err := Make(ctx, j)
			if err == nil { // it was not looked at
				err = ctx.Err()
			}
			if !errors.Is(err, context.Canceled) || rep.Step != StepRegistry || !rep.Resumable {
				t.Fatalf("step %s, resumable %v, error %v", rep.Step, rep.Resumable, err)
			}
			for _, path := range registry { // as if it had died a moment before
				if !old {
					os.Remove(path)
				}
			}
			j.Resume, j.Force, j.OnStep = true, false, nil
			if rep, err := Make(t.Context(), j); err != nil || len(rep.Registry) != 2 {
				t.Errorf("dedup %v, old %v: resumed: %d files, %v", dedup, old, len(rep.Registry), err)
			}
			only(t, dir, "x", "x.blf.yaml", "x.vert")
			if _, err = Make(t.Context(), j); !errors.Is(err, pipeline.ErrComplete) {
				t.Errorf("dedup %v, old %v: resumed once more: error %v, want pipeline.ErrComplete", dedup, old, err)
			}
		}
	}
}

// TestToldAgain lets the telling of the pages fail.
func TestToldAgain(t *testing.T) {
	j := MakeOptions{Recipe: Clean(CleanOptions{Options: stage.Options{Method: "keep"}}), RunOptions: runOf(pagesTwice(t), filepath.Join(t.TempDir(), "x.txt"))}
	full := errors.New("full")
	j.OnPages = func(*pipeline.Report) error { return full }
	must.Is(t, must.Err(Make(t.Context(), j)), full)
	told := int64(0)
	j.Resume, j.OnPages = true, func(r *pipeline.Report) error { told = r.Pages; return nil }
	if _, err := Make(t.Context(), j); err != nil || told != 2 {
		t.Errorf("%d pages told, want 2; error %v", told, err)
	}
}

// TestJobCheck wants the name of the field in every complaint.
func TestJobCheck(t *testing.T) {
	for _, c := range []struct {
		want string
		set  func(*MakeOptions)
	}{
		{"dedup: standard output", func(j *MakeOptions) { j.Out = "" }},
		{"dedup: output x/ is a folder", func(j *MakeOptions) { j.Out = "x/" }},
		{"dedup: format parquet", func(j *MakeOptions) { j.Recipe.Output.Format = "parquet" }},
		{"name it .jsonl", func(j *MakeOptions) { j.Out = "x.json" }},
		{"annotate", func(j *MakeOptions) { j.Recipe.Output.Annotate = true }},
		{"tokenizer: format text", func(j *MakeOptions) { j.Recipe.Output.Format = "text" }},
		{"tagger: format text", func(j *MakeOptions) { j.Recipe.Output.Format, j.Tokenizer = "text", nil }},
		{"registry: standard output", func(j *MakeOptions) { j.Dedup, j.Out = nil, "" }},
	} {
		j := wholeJob(t, ".", "x.vert")
		c.set(&j)
		if err := j.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
