package dedup_test

import (
	"fmt"
	"strings"
	"testing"

	"chaffinch/collection"
	"chaffinch/dedup"
)

// faulty is a method that panics over some documents.
type faulty struct{ dedup.Method }

type faultySketcher struct{ dedup.Sketcher }

func (f faulty) Sketcher() dedup.Sketcher { return faultySketcher{f.Method.Sketcher()} }

func (f faultySketcher) Sketch(d *collection.Doc, num int64, emit func(int) []byte) {
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
		out, rep := do(t, dedup.Job{Inputs: []string{write(t, append(lines, lines...))}, Method: faulty{method(t, "page")}, Jobs: jobs,
			OnFailed: func(err error) { told = append(told, err.Error()) }})
		if rep.Failed != 4 || len(told) != 4 || !strings.Contains(told[0], "document bad1 stays as it is: exact/") || !strings.Contains(told[1], "bad2") {
			t.Errorf("failed %d, told %q", rep.Failed, told)
		}
		if n := strings.Count(out, "\"bad"); n != 4 || rep.Out.Docs != 4+2 {
			t.Errorf("%d failed documents, %d of all in the output, want 4 and 6:\n%s", n, rep.Out.Docs, out)
		}
	}
}
