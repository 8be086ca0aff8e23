package corpora

import "testing"

// TestGood: hits as examples have scores, the best first, one for each document.
func TestGood(t *testing.T) {
	s := serve(t)
	var page Hits
	s.ask(t, &page, "/finch/hits", `patt="finch"`, "refs=doc.id", "good=true", "number=50")
	docs := map[string]bool{}
	for i, h := range page.Hits {
		if docs[h.Refs["doc.id"]] || h.Score <= 0 || i > 0 && h.Score > page.Hits[i-1].Score {
			t.Errorf("hit %d: %+v", i, h)
		}
		docs[h.Refs["doc.id"]] = true
	}
	var all Hits
	s.ask(t, &all, "/finch/hits", `patt="finch"`, "waitfortotal=true", "number=1")
	if len(page.Hits) == 0 || page.Total != all.Total || !page.Exact {
		t.Errorf("%d examples of %d hits, wanted %d", len(page.Hits), page.Total, all.Total)
	}
}
