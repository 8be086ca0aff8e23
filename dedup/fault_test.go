package dedup_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chaffinch/dedup"
	"chaffinch/input/records"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// faulty is a method that panics over some documents.
type faulty struct{ dedup.Method }

type faultySketcher struct{ dedup.Sketcher }

func (f faulty) Sketcher() dedup.Sketcher { return faultySketcher{f.Method.Sketcher()} }

func (f faultySketcher) Sketch(d *records.Doc, num int64, emit func(int) []byte) {
	if strings.HasPrefix(d.ID, "bad") {
		panic("ouch")
	}
	f.Sketcher.Sketch(d, num, emit)
}

// TestFault wants a document over which the method panics to be named, counted
// and passed on, and the copies among all others to go.
func TestFault(t *testing.T) {
	var lines [][]byte
	for i, id := range []string{"a", "bad1", "b", "c", "bad2"} {
		lines = append(lines, fmt.Appendf(nil, "{\"id\":%q,\"text\":\"the same words %d\"}\n", id, i/2))
	}
	for _, jobs := range []int{1, 3} {
		var told []string
		out, rep := do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, append(lines, lines...))}, Workers: jobs, OnError: func(err *page.Error) { told = append(told, err.Error()) }}, Method: faulty{method(t, "page")}})
		if rep.Failed != 4 || len(told) != 4 || !strings.Contains(told[0], "document bad1 is kept unchanged: exact/") || !strings.Contains(told[1], "bad2") {
			t.Errorf("failed %d, told %q", rep.Failed, told)
		}
		if n := strings.Count(out, "\"bad"); n != 4 || rep.Out.Docs != 4+2 {
			t.Errorf("%d failed documents, %d of all in the output, want 4 and 6:\n%s", n, rep.Out.Docs, out)
		}
	}
}

// misplaced is a method that marks a paragraph of the second document that no document can have.
type misplaced struct{ dedup.Method }

func (m misplaced) Group(ctx context.Context, g *dedup.Group) error {
	if err := m.Method.Group(ctx, g); err != nil {
		return err
	}
	return g.Mark(dedup.Mark{Doc: 1, Para: -7, First: -1, Cluster: -1})
}

// TestFaultRewriting wants a document on which the second reading panics to be named, and to
// be kept unchanged.
func TestFaultRewriting(t *testing.T) {
	var lines [][]byte
	for _, id := range []string{"a", "bad", "b", "c"} {
		lines = append(lines, fmt.Appendf(nil, "{\"id\":%q,\"text\":\"the words of %s\"}\n", id, id))
	}
	var told []string
	out, rep := do(t, dedup.Config{Job: pipeline.Job{Inputs: []string{write(t, lines)}, Workers: 1, OnError: func(err *page.Error) { told = append(told, err.Error()) }}, Method: misplaced{method(t, "page")}})
	if rep.Failed != 1 || len(told) != 1 || !strings.Contains(told[0], "document bad is kept unchanged: fault of the program") {
		t.Errorf("failed %d, told %q", rep.Failed, told)
	}
	if strings.Count(out, "\n") != 4 || !strings.Contains(out, "the words of bad") {
		t.Errorf("output %s", out)
	}
}
