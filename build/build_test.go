package build_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"chaffinch/build"
	"chaffinch/filter/nontext"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	_ "chaffinch/internal/testkit" // which lets syncs pass
	"chaffinch/internal/testkit/must"
	chf "chaffinch/model"
	"chaffinch/page"
	"chaffinch/pipeline"
)

const whole = `# all kinds of steps
version: 1
name: walks
clean:
  keep: text
filter:
  use: [gopher_quality]
  limits:
    gopher_quality.words: {min: 30}
dedup:
  - method: exact
    config: {unit: url}
  - method: onion
vertical: {registry: true}
index: {}
exports:
  - file: corpus.jsonl.zst
  - file: texts/corpus.parquet
`

// pages writes some pages, of which two share a paragraph and one is no page.
func pages(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for i, topic := range []string{"harbour", "mill", "bridge", "tower", "forest"} {
		shared := "The ferry leaves the island at nine in the morning, and nobody who lives there has ever seen it late, whatever the wind was like."
		html := fmt.Sprintf(`<html lang=en><title>The %[1]s</title><body><ul><li><a href=/>Start</a><li><a href=/about>About us</a></ul><h1>The %[1]s</h1>
<p>In the year %[2]d the old %[1]s was rebuilt, since the winter storms had taken half of its walls and most of what stood behind them.</p>
<p>%[3]s</p><p>People who come to see the %[1]s number %[2]d often stay for a day or two, walk along the shore, and leave with a small stone in the pocket.</p>
<footer>Copyright. All rights reserved. Subscribe to our newsletter.</footer></body></html>`, topic, 1800+17*i, shared)
		must.Write(t, filepath.Join(dir, topic+".html"), html)
	}
	must.Write(t, filepath.Join(dir, "picture.html"), "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR")
	return dir
}

func parse(t *testing.T, text string) *build.Recipe {
	t.Helper()
	return must.Get(build.Parse("walks.yaml", []byte(text)))(t)
}

// job is a job for a recipe that notes which steps are done.
func job(t *testing.T, text, in, out string, did *[]string) build.Config {
	r := parse(t, text)
	r.Inputs = []string{in}
	return build.Config{Recipe: r, Job: pipeline.Job{Out: out, Workers: 1}, Version: "test", OnStep: func(s build.PlannedStep) {
		if !s.Done && did != nil {
			*did = append(*did, s.Name)
		}
	}}
}

func run(t *testing.T, j build.Config) *build.Result {
	t.Helper()
	return must.Get(build.Run(context.Background(), j))(t)
}

// hashes are the hashes of all outputs and the counts.
func hashes(t *testing.T, dir string) string {
	t.Helper()
	b := must.Read(t, filepath.Join(dir, "build.json"))
	type step struct {
		Name    string
		Outputs []struct{ Path, SHA256 string }
		Flow    any
	}
	var ledger struct{ Steps []step }
	must.Succeed(t, json.Unmarshal(b, &ledger))
	slices.SortFunc(ledger.Steps, func(a, b step) int { return strings.Compare(a.Name, b.Name) })
	var list []string
	for _, s := range ledger.Steps {
		flow := must.Get(json.Marshal(s.Flow))(t)
		list = append(list, fmt.Sprintf("%s %v %x", s.Name, s.Outputs, sha256.Sum256(flow)))
	}
	return strings.Join(list, "\n")
}

// TestSteps wants each step run once, and after a change of the recipe only the steps that
// depend on the change.
func TestSteps(t *testing.T) {
	in, out := pages(t), filepath.Join(t.TempDir(), "out")
	var did []string
	run(t, job(t, whole, in, out, &did))
	all := []string{"clean", "filter", "dedup-exact", "dedup-onion", "vertical", "index", "export-corpus.jsonl.zst", "export-texts-corpus.parquet"}
	if !slices.Equal(did, all) {
		t.Fatalf("did %v, want %v", did, all)
	}
	first := hashes(t, out)
	for _, c := range []struct {
		about  string
		recipe string
		before func()
		want   []string
	}{
		{"the same again", whole, nil, nil},
		{"another name", strings.Replace(whole, "walks", "hikes", 1), nil, nil},
		{"a changed limit", strings.Replace(whole, "method: onion", "method: onion\n    config: {ngram: 40}", 1), nil, all[3:]},
		{"and back", whole, nil, all[3:]},
		{"a limit that changes nothing", strings.Replace(whole, "{unit: url}", "{unit: url, www: true}", 1), nil, all[2:3]},
		{"a rule that all meet", strings.Replace(whole, "min: 30", "min: 31", 1), nil, all[1:3]},
		{"without an export", strings.Replace(whole, "  - file: texts/corpus.parquet\n", "", 1), nil, all[1:2]},
		{"with it again", whole, nil, all[7:]},
		{"an output is gone", whole, func() { os.Remove(filepath.Join(out, "corpus.vert")) }, []string{"vertical"}},
		{"an output is touched", whole, func() { touch(t, filepath.Join(out, "corpus.jsonl.zst")) }, nil},
		{"an output is changed", whole, func() { must.Write(t, filepath.Join(out, "corpus.jsonl.zst"), "x") }, all[6:7]},
		{"the input has changed", whole, func() { touch(t, filepath.Join(in, "mill.html")) }, all[:1]},
	} {
		if c.before != nil {
			c.before()
		}
		did = nil
		j := job(t, c.recipe, in, out, &did)
		look := must.Get(build.Look(j))(t)
		res := run(t, j)
		if !slices.Equal(did, c.want) || res.Ran != len(c.want) {
			t.Errorf("%s: did %v, want %v", c.about, did, c.want)
		}
		if removed := slices.Equal(res.Removed, []string{"texts/corpus.parquet"}); removed != (c.about == "without an export") {
			t.Errorf("%s: removed %q", c.about, res.Removed)
		}
		if done := !slices.ContainsFunc(look, func(s build.PlannedStep) bool { return !s.Done }); done != (len(c.want) == 0) {
			t.Errorf("%s: looked at before: %+v", c.about, look)
		}
	}
	if got := hashes(t, out); got != first {
		t.Errorf("in the end\n%s\nwant\n%s", got, first)
	}
	j := job(t, whole, in, out, &did)
	j.Version = "test 2"
	if did = nil; run(t, j).Ran != 8 {
		t.Errorf("by another program: did %v", did)
	}
}

func touch(t *testing.T, name string) {
	t.Helper()
	b := must.Read(t, name)
	must.Write(t, name, string(b))
}

// TestKilled kills the program at many places of a build. The resumed build writes the same
// bytes and counts the same.
func TestKilled(t *testing.T) {
	testkit.Slow(t)
	in := pages(t)
	changes := 0
	var mu sync.Mutex
	stop := disk.Watch(func(disk.Op, string) error { mu.Lock(); defer mu.Unlock(); changes++; return nil })
	out := filepath.Join(t.TempDir(), "out")
	run(t, job(t, whole, in, out, nil))
	stop()
	want := hashes(t, out)
	const kills = 8 // about one in each step
	for i := range kills {
		must.Succeed(t, os.RemoveAll(out))
		n, dies := 0, changes*(2*i+1)/(2*kills)
		stop := disk.Watch(func(disk.Op, string) error {
			mu.Lock()
			defer mu.Unlock()
			if n++; n >= dies {
				return disk.ErrDead
			}
			return nil
		})
		_, err := build.Run(context.Background(), job(t, whole, in, out, nil))
		stop()
		if !errors.Is(err, disk.ErrDead) {
			t.Fatalf("killed at change %d of %d: %v", dies, changes, err)
		}
		run(t, job(t, whole, in, out, nil))
		if got := hashes(t, out); got != want {
			t.Fatalf("killed at change %d of %d:\n%s\nwant\n%s", dies, changes, got, want)
		}
	}
}

// TestNamedFile does a step again when a model that its part of the recipe names has
// another content, and only then.
func TestNamedFile(t *testing.T) {
	testkit.Slow(t)
	in, out := pages(t), filepath.Join(t.TempDir(), "out")
	model := filepath.Join(t.TempDir(), "my.chf")
	m := must.Get(nontext.Embedded())(t)
	use := func(name string) {
		t.Helper()
		must.Succeed(t, m.With([]string{name}, m.Config().Limits).Save(model, chf.Header{Name: name}))
	}
	text := fmt.Sprintf("version: 1\nfilter: {use: [nontext], nontext: {models: [%q]}}\nexports: [{file: corpus.jsonl}]\n", model)
	for _, c := range []struct {
		model string
		did   []string
		why   string
	}{
		{"en", []string{"clean", "filter", "export-corpus.jsonl"}, ""},
		{"en", nil, ""},
		{"de", []string{"filter"}, "the file " + model + " has changed"}, // no page goes by either
	} {
		use(c.model)
		var did []string
		j := job(t, text, in, out, &did)
		look := must.Get(build.Look(j))(t)
		run(t, j)
		if !slices.Equal(did, c.did) || c.why != "" && look[1].Reason != c.why {
			t.Errorf("%s: did %v because %q, want %v because %q", c.model, did, look[1].Reason, c.did, c.why)
		}
	}
	must.Succeed(t, os.Remove(model))
	if _, err := build.Parse("walks.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), "walks.yaml:2: filter: ") || !strings.Contains(err.Error(), model) {
		t.Errorf("without the model: %v", err)
	}
}

// TestProgress wants each step told of with its place among all, also by the files of
// the build to who looks at them meanwhile.
func TestProgress(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	j := job(t, whole, pages(t), out, nil)
	steps := map[string]int{}
	j.OnProgress = func(p pipeline.Status) {
		steps[p.Step] = p.Number
		if p.SecondsLeft < 0 || p.Part == "" || p.Steps != 8 {
			t.Errorf("%+v", p)
		}
		if s, err := build.ReadState(os.DirFS(out)); err != nil || s.Working == nil || s.Working.Step != p.Step || s.Working.Number != p.Number || len(s.Steps) != p.Number {
			t.Errorf("in step %s the files tell %+v, %v", p.Step, s, err)
		}
	}
	run(t, j)
	s, err := build.ReadState(os.DirFS(out))
	if err != nil || s.Working != nil || len(s.Steps) != 8 || s.Steps[0].Flow == nil || s.Steps[0].Flow.Kept.Pages == 0 || !s.Steps[7].Done {
		t.Errorf("at the end the files tell %+v, %v", s, err)
	}
	must.Succeed(t, os.WriteFile(filepath.Join(out, "steps", "working.json"), []byte(`{"step":"clean"}`), 0o600)) // of a killed build
	if s, err = build.ReadState(os.DirFS(out)); err != nil || s.Working != nil {
		t.Errorf("after a killed build the files tell %+v, %v", s, err)
	}
	must.Is(t, must.Err(build.ReadState(os.DirFS(t.TempDir()))), fs.ErrNotExist)
	if steps["clean"] != 1 || steps["index"] != 6 {
		t.Errorf("told of %v", steps)
	}
}

// TestBusy wants the second of two builds in one folder refused.
func TestBusy(t *testing.T) {
	in, out := pages(t), filepath.Join(t.TempDir(), "out")
	j := job(t, whole, in, out, nil)
	j.Until = "clean"
	j.OnStep = func(build.PlannedStep) {
		must.Is(t, must.Err(build.Run(context.Background(), job(t, whole, in, out, nil))), build.ErrBusy)
	}
	run(t, j)
}

// TestFails wants the outputs before a failed step usable, and the failure reported.
func TestFails(t *testing.T) {
	in, out := pages(t), filepath.Join(t.TempDir(), "out")
	tagged := strings.Replace(whole, "{registry: true}", "{tagger: 'exit 3', tagger_columns: [tag]}", 1)
	var did []string
	_, err := build.Run(context.Background(), job(t, tagged, in, out, &did))
	var failed *build.StepError
	if !errors.As(err, &failed) || failed.Step != "vertical" {
		t.Fatalf("%v, want the step vertical to fail", err)
	}
	b, _ := os.ReadFile(filepath.Join(out, "report.html"))
	for _, want := range []string{"The step vertical has failed", "dedup-onion", "labelled bad by blocks"} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %q in the report", want)
		}
	}
	did = nil
	run(t, job(t, whole, in, out, &did))
	if want := []string{"vertical", "index", "export-corpus.jsonl.zst", "export-texts-corpus.parquet"}; !slices.Equal(did, want) {
		t.Errorf("then did %v, want %v", did, want)
	}
}

// TestNothingLeft wants the reason why no page is left, and the languages that have no tagger.
func TestNothingLeft(t *testing.T) {
	in := pages(t)
	other := strings.Replace(whole, "keep: text", "langs: [sv]", 1)
	must.Fail(t, must.Err(build.Run(t.Context(), job(t, other, in, filepath.Join(t.TempDir(), "out"), nil))), "no tokens: nothing to index; clean dropped all pages: other-language 5, not-text 1; the recipe retains the languages sv")
	other = other[:strings.Index(other, "vertical")]
	j := job(t, other, in, filepath.Join(t.TempDir(), "out"), nil)
	j.OnError = func(e *page.Error) { t.Error(e) }
	if res := run(t, j); len(res.Warnings) != 1 || !strings.HasPrefix(res.Warnings[0], "clean dropped all pages") {
		t.Errorf("warnings %q", res.Warnings)
	}
	tagged := strings.Replace(whole, "{registry: true}", "{tag: true}", 1)
	tagged = strings.Replace(tagged, "keep: text", "lang: cy", 1)
	tagged = tagged[:strings.Index(tagged, "filter")] + tagged[strings.Index(tagged, "dedup"):strings.Index(tagged, "exports")]
	if res := run(t, job(t, tagged, in, filepath.Join(t.TempDir(), "out"), nil)); len(res.Warnings) != 1 || !strings.HasPrefix(res.Warnings[0], `vertical: no tagger for the language "cy"`) {
		t.Errorf("warnings %q", res.Warnings)
	}
}

// TestProblems wants sentences that a tagger could not tag reported, even if no step is left
// to run.
func TestProblems(t *testing.T) {
	in, out := pages(t), filepath.Join(t.TempDir(), "out")
	tagged := strings.Replace(whole, "{registry: true}", `{tagger: "sed '/[^.]/s/$/\\tX/; /walls/d'", tagger_columns: [tag]}`, 1)
	for range 2 {
		res := run(t, job(t, tagged, in, out, nil))
		if len(res.Problems) != 1 || res.Problems[0].Step != "vertical" || res.Problems[0].N == 0 {
			t.Errorf("problems %+v", res.Problems)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(out, "report.html")); !strings.Contains(string(b), "not tagged: the columns are empty") {
		t.Error("the report does not tell")
	}
}

// TestNothingLost wants the words of each step to equal the words that the previous step kept.
func TestNothingLost(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	j := job(t, whole, filepath.Join("..", "examples", "pages"), out, nil)
	j.Until = "dedup-onion"
	run(t, j)
	b := must.Read(t, filepath.Join(out, "build.json"))
	var ledger struct {
		Steps []struct {
			Name string
			Flow build.Flow
		}
	}
	must.Succeed(t, json.Unmarshal(b, &ledger))
	for i, s := range ledger.Steps {
		in := s.Flow.Kept.Words + s.Flow.Removed.Words
		if i > 0 && in != ledger.Steps[i-1].Flow.Kept.Words || in == 0 {
			t.Errorf("step %s: %d words kept and %d removed, %d came to it", s.Name, s.Flow.Kept.Words, s.Flow.Removed.Words, ledger.Steps[max(i-1, 0)].Flow.Kept.Words)
		}
		for name, list := range map[string]map[string]*build.Split{"languages": s.Flow.Langs, "sites": s.Flow.Sites, "roles": s.Flow.Roles} {
			sum := int64(0)
			for _, x := range list {
				sum += x.Kept.Words + x.Removed.Words
			}
			if sum != in {
				t.Errorf("step %s: %d words in all %s, %d in all", s.Name, sum, name, in)
			}
		}
	}
}

// TestForeign leaves files alone that the build has not made.
// TestRepeated: text that packs to less than a thousandth goes through all steps.
func TestRepeated(t *testing.T) {
	if !testkit.Whole() {
		t.Skip("some 20 MB of text")
	}
	in, out := t.TempDir(), t.TempDir()
	paragraph := "<p>" + strings.Repeat("The ferry leaves the island at nine in the morning, whatever the wind is like. ", 60) + "</p>\n"
	for _, name := range []string{"a", "b", "c", "d"} {
		must.Write(t, filepath.Join(in, name+".html"), "<html lang=en><title>Ferry</title><body>"+strings.Repeat(paragraph, 1000))
	}
	const text = "version: 1\nclean: {keep: text, lang: en}\nvertical: {file: corpus.vert.zst, registry: true}\nindex: {}\n"
	must.Succeed(t, must.Err(build.Run(context.Background(), job(t, text, in, out, nil))))
	st := must.Get(os.Stat(filepath.Join(out, "corpus.vert.zst")))(t)
	if st.Size() > 4*5_000_000/300 {
		t.Errorf("%d bytes of a vertical: not much of a test", st.Size())
	}
}

func TestForeign(t *testing.T) {
	in, out := pages(t), t.TempDir()
	must.Write(t, filepath.Join(out, "corpus.vert"), "mine")
	must.Fail(t, must.Err(build.Run(context.Background(), job(t, whole, in, out, nil))), "this build has not made it")
	if b, _ := os.ReadFile(filepath.Join(out, "corpus.vert")); string(b) != "mine" {
		t.Errorf("%q", b)
	}
}

// TestDisk stops a build whose folder grows too large, and resumes it with a higher limit.
func TestDisk(t *testing.T) {
	in, out := pages(t), filepath.Join(t.TempDir(), "out")
	j := job(t, whole, in, out, nil)
	j.Disk = 3000
	must.Fail(t, must.Err(build.Run(context.Background(), j)), "more than the 3.0 kB that it may")
	j.Disk = 10e6
	run(t, j)
}
