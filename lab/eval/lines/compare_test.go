package lines

import (
	"math"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
)

// said makes a result of what was said of each line: the documents' labels
// against ones (kept) and zeros.
func said(t *testing.T, s *Set, name string, seeds ...[]string) *Result {
	t.Helper()
	var runs []*Run
	for k, docs := range seeds {
		run := &Run{System: name, Protocol: Multilingual, Seed: uint64(k + 1), Scores: make([][]float32, len(s.Docs)), Folds: make([]int, len(s.Docs))}
		for i, kept := range docs {
			for _, c := range kept {
				run.Scores[i] = append(run.Scores[i], map[rune]float32{'1': .9, '0': .1}[c])
			}
		}
		runs = append(runs, run)
	}
	return Results(s, runs)[0]
}

// fours is a set of four documents of four lines, the first two of each text.
func fours(t *testing.T) *Set {
	t.Helper()
	var docs []*gold.LineDoc
	for _, id := range []string{"a", "b", "c", "d"} {
		docs = append(docs, &gold.LineDoc{ID: id, Lang: "sv", Register: "NA", Lines: []string{"w", "x", "y", "z"}, Labels: []bool{true, true, false, false}})
	}
	return must.Get(newSet("fours", docs))(t)
}

// TestCompare: the tests on numbers that were worked out by hand.
func TestCompare(t *testing.T) {
	s := fours(t)
	a := said(t, s, "a", []string{"1100", "1100", "1100", "1101"}, []string{"1100", "1100", "1100", "1111"}) // 15 and 14 of 16 right
	b := said(t, s, "b", []string{"1000", "0000", "1100", "1111"})                                           // 3, 2, 4, 2: 11 of 16
	c := Compare(a, b)
	if c.Docs != 4 || !near(c.Lines, 14.5/16-11./16) || !near(c.Documents, 3.5/16) {
		t.Errorf("%+v", c)
	}
	// Differences of documents: 1/4, 1/2, 0, (3/4+1/2)/2-1/2 = 1/8; mean 7/32,
	// squares of the deviations (1/32)² + (9/32)² + (7/32)² + (3/32)² = 140/1024,
	// sd = sqrt(140/3072), t = 7/32 / (sd/2).
	if want := 7. / 32 / (math.Sqrt(140./3072) / 2); !near(c.Paired.Statistic, want) || c.Paired.N != 4 {
		t.Errorf("t %v, want %v", c.Paired.Statistic, want)
	}
	// Seeds 15/16 and 14/16 against 11/16: mean 7/32, sd sqrt(1/512), n 2; with
	// one degree of freedom P is 1 - 2/π atan t.
	tt := 7. / 32 / (math.Sqrt(1./512) / math.Sqrt2)
	if !near(c.Seeds.Statistic, tt) || !near(c.Seeds.P, 1-2/math.Pi*math.Atan(tt)) {
		t.Errorf("seeds %+v, want t %v", c.Seeds, tt)
	}
	if c.OnlyA != 4 || c.OnlyB != 0 || !near(c.McNemar.P, 2./16) {
		t.Errorf("McNemar %d : %d, p %v", c.OnlyA, c.OnlyB, c.McNemar.P)
	}
	b.Runs[0].Scores[1] = nil
	if c := Compare(a, b); c.Docs != 3 {
		t.Errorf("%d documents, one of four was not scored", c.Docs)
	}
}

// TestRegisters: accuracy is the mean of the documents, and SD that of seeds.
func TestRegisters(t *testing.T) {
	s := fours(t)
	s.Docs[0].Register = "NA OP"
	s.Docs[1].Register = ""
	r := said(t, s, "a", []string{"1000", "0000", "1100", "1111"}, []string{"1100", "0000", "1100", "1111"})
	figures := r.byRegister("")
	if na := figures[0]; na.Tag != "NA" || na.Docs != 3 || !near(na.Mean, (.75+2.5/3)/2) || !near(na.SD, (2.5/3-.75)/math.Sqrt2) {
		t.Errorf("%+v", na)
	}
	if op := figures[2]; op.Docs != 1 || !near(op.Mean, .875) {
		t.Errorf("%+v", op)
	}
	if in := figures[1]; in.Docs != 0 || !math.IsNaN(in.Mean) {
		t.Errorf("%+v", in)
	}
	if fr := r.byRegister("fr")[0]; fr.Docs != 0 {
		t.Errorf("%+v", fr)
	}
}

// TestFindRegisters: a document of the collection with the same text lines is
// found; one that shares a sentence with it, or is of another language, is not.
func TestFindRegisters(t *testing.T) {
	s := mini(t)
	n := must.Get(s.FindRegisters("testdata/registers"))(t)
	got := map[string]string{}
	for _, d := range s.Docs {
		if d.Register != "" {
			got[d.ID] = d.Register
		}
	}
	if n != 2 || len(got) != 2 || got["sv.train.boat"] != "NA" || got["sv.dev.bread"] != "HI IN" {
		t.Errorf("%d found: %v", n, got)
	}
	if _, err := s.FindRegisters("testdata/mini"); err == nil {
		t.Error("a collection without registers is taken")
	}
}

// TestPositions: lines are counted by number over all seeds, and the smoothed
// curve goes through the first points.
func TestPositions(t *testing.T) {
	s := fours(t)
	points := said(t, s, "a", []string{"1000", "0000", "1100", "1111"}, []string{"1100", "1100", "1100", "1100"}).Positions()
	want := []Point{{1, 7, 8, 0}, {2, 6, 8, 0}, {3, 7, 8, 0}, {4, 7, 8, 0}}
	for i, p := range points {
		if math.Abs(p.Smoothed-p.accuracy()) > .07 {
			t.Errorf("line %d: smoothed %v of %v", p.Line, p.Smoothed, p.accuracy())
		}
		p.Smoothed = 0
		must.Equal(t, p, want[i])
	}
}
