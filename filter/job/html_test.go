package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// TestReportFile writes the report in HTML: its figures equal the figures of the run, it has
// examples on both sides of limits, and it does not depend on workers or interruptions.
func TestReportFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	job := Config{Job: pipeline.Job{Inputs: []string{corpus(t, 300)}, Out: at("a.jsonl"), Workers: 1}, Set: rules(t, "c4", "gopher_quality"), ReportFile: at("a.html")}
	rep := must.Get(Run(t.Context(), job))(t)
	page := read(t, job.ReportFile)
	for _, want := range []string{
		fmt.Sprintf("<b>%d</b> of 300 documents kept", rep.Out.Docs), "Just within the limit, kept", "Just beyond the limit",
		`Kept: at least 50, at most 100000`, `id="score-gopher_quality-words"`, `class="limit"`, "lines of kept documents",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the report", want)
		}
	}
	for name, s := range rep.Details.Scores {
		beyond, all := int64(0), int64(0)
		for _, n := range s.Beyond {
			beyond += n
		}
		for _, n := range s.Within {
			all += n
		}
		if all += beyond; all > rep.In.Docs || all < rep.In.Docs*9/10 { // empty documents have few scores
			t.Errorf("%s: %d values of %d documents", name, all, rep.In.Docs)
		}
		if d := rep.Dropped[name]; d != nil && beyond < d.Docs {
			t.Errorf("%s: %d documents beyond the limit, %d dropped", name, beyond, d.Docs)
		}
		if len(s.Near) != min(int(beyond), examplesPerSide) {
			t.Errorf("%s: %d examples of %d documents beyond the limit", name, len(s.Near), beyond)
		}
	}
	for i, jobs := range []int{2, 5} {
		other := job
		other.Out, other.ReportFile, other.Workers, other.Checkpoint = at(fmt.Sprint(i, ".jsonl")), at(fmt.Sprint(i, ".html")), jobs, 1
		ctx, stop := context.WithCancel(t.Context())
		reads := 0
		other.OnProgress = func(pipeline.Status) {
			if reads++; reads == 3 {
				stop()
			}
		}
		if _, err := Run(ctx, other); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if _, err := os.Stat(other.ReportFile); err == nil {
			t.Error("an interrupted run has written its report")
		}
		other.OnProgress, other.Resume = nil, true
		must.Succeed(t, must.Err(Run(t.Context(), other)))
		if read(t, other.ReportFile) != page {
			t.Errorf("another report with %d workers", jobs)
		}
	}
	other := job
	other.Out, other.ReportFile = at("plain.jsonl"), ""
	must.Succeed(t, must.Err(Run(t.Context(), other)))
	if read(t, other.Out) != read(t, job.Out) {
		t.Error("the report changes the output")
	}
	other = job
	other.ReportFile = other.Out
	if _, err := Run(t.Context(), other); err == nil {
		t.Error("the report overwrites the output")
	}
}

// TestReportPage opens a report about hostile documents in a browser: their text is no markup, and
// nothing is wider than a telephone.
func TestReportPage(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "<b>in.jsonl")
	evil := `<script>document.body.dataset.ran=1</script></blockquote><img src=x onerror=alert(1)>`
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "{\"id\":%q,\"url\":%q,\"lang\":%q,\"text\":%q}\n", fmt.Sprint(evil, i), "javascript:"+evil, "en-"+evil, strings.Repeat(strings.Repeat("x", i*40)+" the of and. ", 1+i*3)+evil)
	}
	must.Write(t, in, b.String())
	job := Config{Job: pipeline.Job{Inputs: []string{in}, Out: filepath.Join(dir, "out.jsonl")}, Set: rules(t, "fineweb_corpus"), ReportFile: filepath.Join(dir, "out.html")}
	must.Succeed(t, must.Err(Run(t.Context(), job)))
	page := read(t, job.ReportFile)
	if strings.Contains(page, "<img") || strings.Count(page, "<script") != 1 || strings.Contains(page, `href="javascript`) {
		t.Error("text of a document is markup")
	}
	testkit.BrowseDetails(t, page)
}
