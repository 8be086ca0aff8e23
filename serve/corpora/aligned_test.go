package corpora

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/corpus"
	"chaffinch/internal/testkit/must"
)

// TestAligned aligns the two corpora, and asks for translations of hits and for candidates.
func TestAligned(t *testing.T) {
	s := serve(t)
	index(t, filepath.Join(s.dir, "other"), strings.NewReplacer("finch", "Fink", "water", "Wasser").Replace(vertical(10)))
	must.Succeed(t, must.Err(corpus.Align(t.Context(), s.open(t, "finch"), s.open(t, "other"), corpus.AlignConfig{})))
	var info Info
	s.ask(t, &info, "/finch")
	if len(info.Aligned) != 1 || info.Aligned[0] != "other" {
		t.Errorf("aligned %q", info.Aligned)
	}
	var page Hits
	s.ask(t, &page, "/finch/hits", `patt="finch" within other: "Fink"`, "aligned=other", "number=1")
	if page.Exact && page.Total != 30 || len(page.Hits) != 1 || page.Hits[0].Aligned["other"] != "The Fink drinks Wasser number0." {
		t.Errorf("%+v", page)
	}
	var list Translations
	s.ask(t, &list, "/finch/translations", `patt="finch"`, "aligned=other", "words=true", "number=2", "first=1")
	if list.Hits != 30 || list.Segments != 40 || list.First != 1 || len(list.Rows) != 2 || list.Rows[0].Freq != 30 {
		t.Errorf("%+v", list.Translations)
	}
	s.ask(t, &list, "/finch/translations", `patt="water"`, "aligned=other")
	few := len(list.Rows)
	s.ask(t, &list, "/finch/translations", `patt="water"`, "aligned=other", "min_likelihood=0", "min_hits=0")
	if few >= len(list.Rows) {
		t.Errorf("%d rows without limits, %d with", len(list.Rows), few)
	}
	if a, b := s.get(t, "/finch/collocations", `patt="water"`, "min_hits=0", "min_freq=0").Body.String(), s.get(t, "/finch/collocations", `patt="water"`, "min_hits=1", "min_freq=1").Body.String(); a != b {
		t.Errorf("collocates without limits: %s, with limits of 1: %s", a, b)
	}
	if w := s.get(t, "/finch/hits", `patt="finch"`, "aligned=other", "format=tsv", "number=1"); !strings.Contains(w.Body.String(), "aligned.other") {
		t.Errorf("table %s", w.Body)
	}
	for _, c := range [][]string{{"/finch/hits", `patt="finch"`, "aligned=none", "query.aligned"}, {"/finch/translations", `patt="finch"`, "aligned=none", "it has other"},
		{"/finch/translations", `patt="finch"`, "query.aligned"}, {"/finch/hits", `patt="finch" within none: "x"`, `"at":15`}} {
		if w := s.get(t, c[0], c[1:len(c)-1]...); w.Code != 422 || !strings.Contains(w.Body.String(), c[len(c)-1]) {
			t.Errorf("%v: status %d: %s", c, w.Code, w.Body)
		}
	}
}
