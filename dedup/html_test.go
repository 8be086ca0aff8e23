package dedup_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/dedup"
	"chaffinch/dedup/decontaminate"
	"chaffinch/dedup/minhash"
	"chaffinch/dedup/onion"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// methods returns a method that compares whole documents, and two that compare paragraphs.
func methods(t *testing.T) map[string]dedup.Method {
	near := must.Get(minhash.New(minhash.Default))(t)
	paras := must.Get(onion.New(onion.Default))(t)
	return map[string]dedup.Method{"page": method(t, "page"), "paragraph": method(t, "paragraph"), "minhash": near, "onion": paras}
}

// TestReportFile writes the report in HTML: its figures equal the figures of the run, it does
// not change the output, and it does not depend on workers or interruptions.
func TestReportFile(t *testing.T) {
	testkit.Slow(t)
	lines := corpus(240, 5)
	for i := range 60 {
		again := map[string]string{}
		must.Succeed(t, json.Unmarshal(lines[2*i], &again))
		again["id"] = fmt.Sprintf("x-copy-%d", i)
		b, _ := json.Marshal(again)
		lines = append(lines, append(b, '\n'))
	}
	for name, m := range methods(t) {
		dir := scratch(t)
		job := dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, lines)}, Out: filepath.Join(dir, "a.jsonl"), Workers: 1}, Method: m, ReportFile: filepath.Join(dir, "a.html"), Rank: dedup.ByInput}
		rep := must.Get(dedup.Run(t.Context(), job))(t)
		page := string(must.Read(t, job.ReportFile))
		for _, want := range []string{fmt.Sprintf("<b>%d</b> of 300 documents kept", rep.Out.Docs), "site3.example", "kept ·", "dropped ·"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q in the report", name, want)
			}
		}
		var docs, tokens int64
		for _, s := range rep.Details.Sites {
			docs += s.Docs
			tokens += s.Tokens - s.DroppedTokens
		}
		if docs != rep.In.Docs || tokens != rep.Out.Tokens {
			t.Errorf("%s: sites have %d documents and %d kept words, the run %d and %d", name, docs, tokens, rep.In.Docs, rep.Out.Tokens)
		}
		for i, s := range rep.Details.Samples {
			if s.ID == "" || s.Text == "" || len(s.Dropped) == 0 || s.Copies < int64(len(s.Dropped)) || i > 0 && i < 6 && s.Copies > rep.Details.Samples[i-1].Copies {
				t.Errorf("%s: sample %d: %+v", name, i, s)
			}
			for _, c := range s.Dropped {
				if c.ID == "" || c.Text == "" || c.Why == "unique" {
					t.Errorf("%s: copy %+v", name, c)
				}
			}
		}
		other := job
		other.Out, other.ReportFile, other.Workers, other.Checkpoint = filepath.Join(dir, "b.jsonl"), filepath.Join(dir, "b.html"), 3, 1
		ctx, stop := context.WithCancel(t.Context())
		other.OnProgress = func(s pipeline.Status) {
			if s.Step == "rewrite" && s.Done > s.Total/2 {
				stop()
			}
		}
		if _, err := dedup.Run(ctx, other); !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := os.Stat(other.ReportFile); err == nil {
			t.Errorf("%s: an interrupted run has written its report", name)
		}
		other.OnProgress, other.Resume = nil, true
		must.Succeed(t, must.Err(dedup.Run(t.Context(), other)))
		if string(must.Read(t, other.ReportFile)) != page {
			t.Errorf("%s: another report after an interruption", name)
		}
		other = job
		other.Out, other.ReportFile = filepath.Join(dir, "c.jsonl"), ""
		if text, _ := do(t, other); text != string(must.Read(t, job.Out)) {
			t.Errorf("%s: the report changes the output", name)
		}
	}
}

// TestReportOfIndex names documents of an index, whose text is not in the input.
func TestReportOfIndex(t *testing.T) {
	dir := scratch(t)
	index := filepath.Join(dir, "index")
	do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, corpus(40, 1))}}, Method: method(t, "page"), Index: index, Update: true})
	lines := corpus(40, 1)
	for i := range lines {
		lines[i] = []byte(strings.Replace(string(lines[i]), "doc-", "new-", 1))
	}
	report := filepath.Join(dir, "r.html")
	do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, lines)}}, Method: method(t, "page"), Index: index, ReportFile: report})
	for _, want := range []string{"doc-0", "The text of this document is not in the input.", "indexed"} {
		if page := string(must.Read(t, report)); !strings.Contains(page, want) {
			t.Errorf("no %q in the report", want)
		}
	}
}

// TestReportOfTestSets speaks of test items, whose text is not kept, and marks no words.
func TestReportOfTestSets(t *testing.T) {
	lines := corpus(40, 1)
	item, _ := json.Marshal(map[string]string{"text": "A farmer sells nineteen baskets of ripe cherries on Monday and twice as many on Tuesday."})
	lines = append(lines, append(item, '\n'))
	cfg := decontaminate.Default
	cfg.Against = []string{write(t, [][]byte{append(item, '\n')})}
	m := must.Get(decontaminate.New(cfg))(t)
	report := filepath.Join(scratch(t), "r.html")
	do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, lines)}}, Method: m, ReportFile: report})
	page := string(must.Read(t, report))
	for _, want := range []string{"contaminated", "1 test item shares text", "dropped text by test item", "#1</bdi>: 1 dropped"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the report", want)
		}
	}
	for _, wrong := range []string{"kept ·", "several copies", "<mark>"} {
		if strings.Contains(page, wrong) {
			t.Errorf("%q in the report", wrong)
		}
	}
}

// TestReportDifference shows the difference of two documents that begin with the same long text.
func TestReportDifference(t *testing.T) {
	var same strings.Builder
	for i := range 200 {
		fmt.Fprintf(&same, "word%d ", i)
	}
	var lines [][]byte
	for _, price := range []string{"four", "five"} {
		b, _ := json.Marshal(map[string]string{"id": price, "text": same.String() + price + " crowns."})
		lines = append(lines, append(b, '\n'))
	}
	near := must.Get(minhash.New(minhash.Default))(t)
	report := filepath.Join(scratch(t), "r.html")
	do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, lines)}}, Method: near, ReportFile: report})
	for _, want := range []string{"… word176 ", "<mark>four</mark>", "<mark>five</mark>"} {
		if page := string(must.Read(t, report)); !strings.Contains(page, want) {
			t.Errorf("no %q in the report", want)
		}
	}
}

// TestReportPage opens a report about hostile documents in a browser: their text is no markup, and
// nothing is wider than a telephone.
func TestReportPage(t *testing.T) {
	evil := `<script>document.body.dataset.ran=1</script></blockquote><img src=x onerror=alert(1)>`
	var lines [][]byte
	for i := range 12 {
		b, _ := json.Marshal(map[string]string{"id": fmt.Sprint(evil, i), "url": fmt.Sprintf("http://%s%d.example/%s", strings.Repeat("x", 40), i%3, evil), "text": evil + strings.Repeat("x", 500) + fmt.Sprint("\nsame text ", i%4)})
		lines = append(lines, append(b, '\n'))
	}
	report := filepath.Join(scratch(t), "r.html")
	do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, lines)}}, Method: method(t, "paragraph"), ReportFile: report})
	page := string(must.Read(t, report))
	if strings.Contains(page, "<img") || strings.Count(page, "<script") != 1 {
		t.Error("text of a document is markup")
	}
	testkit.BrowseDetails(t, page)
}
