package build_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/build"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// sites writes pages of three sites, of which two have the same page.
func sites(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	for i, topic := range []string{"harbour", "mill", "bridge", "tower", "forest", "harbour"} {
		host := []string{"a.example", "b.example", "c.example"}[i%3]
		if i == 5 {
			host = "b.example" // the copy of the first page
		}
		html := fmt.Sprintf(`<html lang=en><title>The %[1]s</title><body><article><h1>The %[1]s</h1><p>In the year when the old %[1]s was rebuilt, the winter storms had taken half of its walls and most of what stood near the %[1]s.</p>
<p>People who come to see the %[1]s often stay for a day or two, walk along the shore, and leave with a small stone in the pocket.</p></article></body></html>`, topic)
		line := must.Get(json.Marshal(map[string]string{"url": fmt.Sprintf("https://%s/%d", host, i), "html": html}))(t)
		b.Write(append(line, '\n'))
	}
	name := filepath.Join(t.TempDir(), "pages.jsonl")
	must.Write(t, name, b.String())
	return name
}

// outputsOf returns the contents of the outputs in a folder, without reports and the text that the steps
// stored in between.
func outputsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must.Succeed(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.Contains(name, "steps") && !slices.Contains([]string{"build.json", "report.html", ".lock"}, d.Name()) {
			rel, _ := filepath.Rel(dir, name)
			out[rel] = string(must.Read(t, name))
		}
		return err
	}))
	return out
}

// fromHost matches the URLs of a host.
func fromHost(host string) func(string) bool {
	return func(url string) bool { return strings.HasPrefix(url, "https://"+host+"/") }
}

// TestForget: the outputs are those of a build without the pages, and the inputs are not read.
func TestForget(t *testing.T) {
	in, out := sites(t), filepath.Join(t.TempDir(), "out")
	j := job(t, whole, in, out, nil)
	run(t, j)
	must.Succeed(t, os.Rename(in, in+".away"))
	cfg := build.ForgetConfig{Build: build.Config{Job: pipeline.Job{Out: out}, Version: "test"}, Site: "a.example", Match: fromHost("a.example"), DryRun: true}
	before := outputsOf(t, out)
	rep, err := build.Forget(t.Context(), cfg)
	must.Succeed(t, err)
	if want := []string{"https://a.example/0", "https://a.example/3"}; rep.Records != 2 || !slices.Equal(rep.URLs, want) || rep.Steps != nil {
		t.Errorf("dry run: %+v, wanted %v", rep, want)
	}
	if !maps.Equal(outputsOf(t, out), before) {
		t.Error("a dry run changed the outputs")
	}
	cfg.DryRun = false
	rep = must.Get(build.Forget(t.Context(), cfg))(t)
	if rep.Records != 2 || !slices.Contains(rep.Steps, "index") {
		t.Errorf("%+v, wanted 2 records, and the step index again", rep)
	}
	must.Succeed(t, os.Rename(in+".away", in))
	other := filepath.Join(t.TempDir(), "out")
	excluded := filepath.Join(t.TempDir(), "excluded.txt")
	must.Write(t, excluded, "a.example\n")
	j = job(t, whole, in, other, nil)
	j.Recipe.ExcludedSites = excluded
	run(t, j)
	got, want := outputsOf(t, out), outputsOf(t, other)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s differs from a build without the pages", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("files %v, wanted %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	must.Succeed(t, filepath.WalkDir(out, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != "build.json" && bytes.Contains(must.Read(t, name), []byte("a.example")) {
			t.Errorf("%s names the site", name)
		}
		return err
	}))

	rep, err = build.Forget(t.Context(), cfg)
	if err != nil || rep.Records != 0 || rep.Steps != nil {
		t.Errorf("again: %+v, %v", rep, err)
	}
	var did []string
	j = job(t, whole, in, out, &did)
	if run(t, j); did != nil {
		t.Errorf("a later build did %v, wanted nothing", did)
	}
	j.Force = true
	run(t, j)
	if !maps.Equal(outputsOf(t, out), got) {
		t.Error("a later build from the inputs has the pages again")
	}
}

// TestForgetUntil runs only the steps that a build has run.
func TestForgetUntil(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	j := job(t, whole, sites(t), out, nil)
	j.Until = "clean"
	run(t, j)
	rep, err := build.Forget(t.Context(), build.ForgetConfig{Build: build.Config{Job: pipeline.Job{Out: out}, Version: "test"}, Site: "c.example", Match: fromHost("c.example")})
	if err != nil || rep.Records != 1 || rep.Steps != nil {
		t.Errorf("%+v, %v", rep, err)
	}
}

// TestForgetErrors: folders without a build, or without its recipe.
func TestForgetErrors(t *testing.T) {
	dir := t.TempDir()
	forget := func() error {
		_, err := build.Forget(t.Context(), build.ForgetConfig{Build: build.Config{Job: pipeline.Job{Out: dir}, Version: "test"}, Site: "a.example", Match: fromHost("a.example")})
		return err
	}
	if err := forget(); err == nil || !strings.Contains(err.Error(), "not the folder of a build") {
		t.Errorf("an empty folder: %v", err)
	}
	must.Write(t, filepath.Join(dir, "build.json"), `{"version": 1, "steps": []}`)
	if err := forget(); err == nil || !strings.Contains(err.Error(), "run the same build again") {
		t.Errorf("without a recipe: %v", err)
	}
}
