package plagiarism

import (
	"encoding/json"
	"math"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/plagiarism"
)

func p(susp, src string, at ...int) plagiarism.Passage {
	return plagiarism.Passage{Suspicious: susp, Source: src, SuspiciousStart: at[0], SuspiciousEnd: at[1], SourceStart: at[2], SourceEnd: at[3]}
}

// Figures worked out by hand.
func TestMeasure(t *testing.T) {
	one := p("a", "s", 0, 100, 0, 100)
	for _, c := range []struct {
		name         string
		cases, found []plagiarism.Passage
		want         Score // of the measures alone
	}{
		{"nothing there, nothing found", nil, nil, Score{Precision: 1, Recall: 1, MicroPrecision: 1, MicroRecall: 1, Granularity: 1, Plagdet: 1}},
		{"nothing found", []plagiarism.Passage{one}, nil, Score{Granularity: 1}},
		{"nothing there", nil, []plagiarism.Passage{one}, Score{Granularity: 1}},
		{"right", []plagiarism.Passage{one}, []plagiarism.Passage{one, one}, Score{Precision: 1, Recall: 1, MicroPrecision: 1, MicroRecall: 1, Granularity: 1, Plagdet: 1}},
		{"other source", []plagiarism.Passage{one}, []plagiarism.Passage{p("a", "t", 0, 100, 0, 100)}, Score{Granularity: 1}},
		{"right place here, wrong place there", []plagiarism.Passage{one}, []plagiarism.Passage{p("a", "s", 0, 100, 100, 200)}, Score{Granularity: 1}},
		// 50 of 100 characters here and 100 of 100 there; all of the detection.
		{"half here", []plagiarism.Passage{one}, []plagiarism.Passage{p("a", "s", 50, 100, 0, 100)},
			Score{Precision: 1, Recall: 0.75, MicroPrecision: 1, MicroRecall: 0.75, Granularity: 1, Plagdet: 2 * 0.75 / 1.75}},
		// Two detections of one case: F1 = 1, over log2 3.
		{"in two", []plagiarism.Passage{one}, []plagiarism.Passage{p("a", "s", 0, 50, 0, 50), p("a", "s", 50, 100, 50, 100)},
			Score{Precision: 1, Recall: 1, MicroPrecision: 1, MicroRecall: 1, Granularity: 2, Plagdet: 1 / math.Log2(3)}},
		// One of two cases found, and a wrong detection nine times as long: macro
		// averages count passages (1/2), micro averages characters (200 of 2000).
		{"one wrong", []plagiarism.Passage{one, p("b", "s", 0, 100, 300, 400)}, []plagiarism.Passage{one, p("c", "u", 0, 900, 0, 900)},
			Score{Precision: 0.5, Recall: 0.5, MicroPrecision: 0.1, MicroRecall: 0.5, Granularity: 1, Plagdet: 0.5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := measure(c.cases, c.found)
			for _, f := range []struct {
				name      string
				got, want float64
			}{
				{"precision", got.Precision, c.want.Precision}, {"recall", got.Recall, c.want.Recall},
				{"micro precision", got.MicroPrecision, c.want.MicroPrecision}, {"micro recall", got.MicroRecall, c.want.MicroRecall},
				{"granularity", got.Granularity, c.want.Granularity}, {"plagdet", got.Plagdet, c.want.Plagdet},
			} {
				if math.Abs(f.got-f.want) > 1e-12 {
					t.Errorf("%s %v, wanted %v", f.name, f.got, f.want)
				}
			}
		})
	}
}

// The figures of the script of the first PAN workshop (version 1.3,
// sepln09/pan09-plagiarism-detection-performance-measures.py in
// pan-webis-de/pan-code; run with Python 3, its print statements taken out) on
// passages drawn at random. Where no detection is true its micro averages end
// in an error; here they are 0.
func TestReference(t *testing.T) {
	b := must.Read(t, "testdata/reference/pan09.json")
	var sets []struct {
		Cases, Found      [][6]any
		Recall, Precision float64
		MicroRecall       float64 `json:"micro_recall"`
		MicroPrecision    float64 `json:"micro_precision"`
		Granularity       float64
		Plagdet           float64
	}
	must.Succeed(t, json.Unmarshal(b, &sets))
	passages := func(rows [][6]any) (ps []plagiarism.Passage) {
		for _, r := range rows {
			n := func(i int) int { return int(r[i].(float64)) }
			ps = append(ps, p(r[0].(string), r[3].(string), n(1), n(1)+n(2), n(4), n(4)+n(5)))
		}
		return ps
	}
	for i, s := range sets {
		got := measure(passages(s.Cases), passages(s.Found))
		for _, f := range [][2]float64{
			{got.Recall, s.Recall}, {got.Precision, s.Precision}, {got.MicroRecall, s.MicroRecall},
			{got.MicroPrecision, s.MicroPrecision}, {got.Granularity, s.Granularity}, {got.Plagdet, s.Plagdet},
		} {
			if math.Abs(f[0]-f[1]) > 1e-12 {
				t.Errorf("set %d: %+v, wanted %+v", i, got, s)
				break
			}
		}
	}
	if len(sets) < 40 {
		t.Errorf("%d sets", len(sets))
	}
}
