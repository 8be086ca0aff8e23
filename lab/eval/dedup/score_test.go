package dedup

import (
	"math"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestAgreement checks the measures of clusters on an example done by hand:
// truth {0 1 2} {3 4} {5}, answer {0 1} {2 3 4} {5}.
func TestAgreement(t *testing.T) {
	var r Result
	r.agreement([]int{0, 0, 0, 3, 3, 5}, []int{0, 0, 2, 2, 2, 5})
	near(t, "B-cubed precision", r.BCubedP, (1+1+1./3+2./3+2./3+1)/6)
	near(t, "B-cubed recall", r.BCubedR, (2./3+2./3+1./3+1+1+1)/6)
	// 4 pairs each, 2 in common, 16/15 expected.
	near(t, "adjusted Rand index", r.Rand, (2-16./15)/(4-16./15))
	same := []int{0, 0, 2, 3}
	r = Result{}
	r.agreement(same, same)
	near(t, "adjusted Rand index of the same clusters", r.Rand, 1)
}

func TestRemoved(t *testing.T) {
	cluster := []int{0, 0, 0, 3, 3, 5}
	c := removed(cluster, []bool{false, true, true, true, true, true})
	near(t, "precision", c.P(), 3./5)
	near(t, "recall", c.R(), 1)
	c = removed(cluster, []bool{true, false, false, false, false, false})
	near(t, "precision", c.P(), 1)
	near(t, "recall", c.R(), 1./3)
	c = removed(cluster, make([]bool, 6))
	near(t, "precision of nothing", c.P(), 1)
}

// TestParas counts words of paragraphs: copies, one that was edited too much,
// and a template.
func TestParas(t *testing.T) {
	set := &Set{Docs: []*Doc{
		{Paras: []Para{{Origin: 1, Words: 10}, {Origin: 2, Words: 20}, {Origin: 9, Words: 4, Template: true}}},
		{Paras: []Para{{Origin: 1, Words: 10}, {Origin: 2, Words: 22, Edited: .4}, {Origin: 9, Words: 4, Template: true}}},
	}}
	a := &Answers{Drop: make([]bool, 2), Paras: [][]bool{{true, false, true}, {false, true, true}}}
	var r Result
	r.paras(set, a)
	if r.Paras != (Count{Right: 14, Said: 14, There: 14}) {
		t.Errorf("one copy and all of the template left: %+v", r.Paras)
	}
	r = Result{}
	r.paras(set, &Answers{Drop: []bool{true, false}})
	if r.Paras != (Count{Right: 14, Said: 34, There: 14}) {
		t.Errorf("the first document left: %+v", r.Paras)
	}
}

// TestScore scores answers that are right and answers that join everything.
func TestScore(t *testing.T) {
	set := plant(invented(150), Config{Half: Dev, Seed: 2})
	truth := NewTruth(set)
	right := &Answers{System: "right", Cluster: truth.Cluster, Drop: make([]bool, len(set.Docs))}
	all := &Answers{System: "all", Cluster: make([]int, len(set.Docs)), Drop: make([]bool, len(set.Docs))}
	for i, c := range truth.Cluster {
		right.Drop[i], all.Drop[i] = c != i, i > 0
	}
	r := Score(truth, right)
	for what, v := range map[string]float64{"pairs": r.Pairs.F(), "B3": r.BCubed(), "ARI": r.Rand, "removed": r.Removed.F(), "copies P": r.Copies.P()} {
		near(t, what, v, 1)
	}
	if Worst(truth, right, 5) != nil && len(Worst(truth, right, 5)) > 0 {
		t.Errorf("right answers have worst cases: %v", Worst(truth, right, 5))
	}
	for _, k := range r.Kinds {
		if k.Wrong > 0 {
			t.Errorf("%s: %.2f in a cluster with unrelated documents", k.Kind, k.Wrong)
		}
		if want := map[Kind]bool{Exact: true, ShortExact: true, FramedExact: true}[k.Kind]; want && k.Found < 1 {
			t.Errorf("%s: %.2f found", k.Kind, k.Found)
		}
	}
	r = Score(truth, all)
	if r.Pairs.R() != 1 || r.Pairs.P() > .05 || r.Copies.P() > .05 || r.Rand > .01 || r.Removed.R() != 1 || r.Removed.P() > .6 {
		t.Errorf("all in one cluster: %+v", r)
	}
	worst := Worst(truth, all, 3)
	if len(worst) != 3 || worst[0].Missed || worst[0].Jaccard != 0 {
		t.Errorf("worst cases of one cluster: %+v", worst)
	}
}

func answers(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	must.WriteAll(t, dir, files)
	return dir
}

func TestReadAnswers(t *testing.T) {
	set := &Set{Docs: []*Doc{{ID: "a", Paras: make([]Para, 2)}, {ID: "b", Paras: make([]Para, 1)}, {ID: "c"}}}
	const system = `{"name":"x","version":"1","seconds":2,"cpu_seconds":1.5,"more":[]}`
	a, err := ReadAnswers(answers(t, map[string]string{"system.json": system, "documents.tsv": "b\tk\t1\na\tk\t0\n", "paragraphs.tsv": "a\t01\n"}), set)
	must.Succeed(t, err)
	if a.System != "x" || a.Seconds != 2 || a.CPU != 1.5 || a.Cluster[0] != a.Cluster[1] || a.Cluster[2] == a.Cluster[0] || !a.Drop[1] || a.Drop[0] || a.Drop[2] ||
		!a.gone(0, 1) || a.gone(0, 0) || !a.gone(1, 0) {
		t.Errorf("read %+v", a)
	}
	for _, bad := range []struct{ documents, paras, want string }{
		{"z\tk\t1\n", "", `documents.tsv: line 1: no document "z" in the set`},
		{"a\tk\n", "", "line 1: 2 cells, wanted 3"},
		{"a\tk\tmaybe\n", "", `"maybe": wanted 1`},
		{"", "a\t0\n", "paragraphs.tsv: line 1: 1 paragraphs, the document has 2"},
		{"", "a\t0x\n", `paragraph 1 is 'x'`},
	} {
		files := map[string]string{"system.json": system, "documents.tsv": bad.documents}
		if bad.paras != "" {
			files["paragraphs.tsv"] = bad.paras
		}
		must.Fail(t, must.Err(ReadAnswers(answers(t, files), set)), bad.want)
	}
}

// FuzzReadAnswers reads tables of any bytes.
func FuzzReadAnswers(f *testing.F) {
	f.Add("a\tk\t1\nb\t\t0\n", "a\t01\n")
	f.Add("a\tk\n", "b\t2\n")
	f.Add("\x00", strings.Repeat("\t", 9))
	set := &Set{Docs: []*Doc{{ID: "a", Paras: make([]Para, 2)}, {ID: "b", Paras: make([]Para, 1)}}}
	f.Fuzz(func(t *testing.T, documents, paras string) {
		var a Answers
		if a.readDocuments(strings.NewReader(documents), set) == nil && (len(a.Cluster) != 2 || len(a.Drop) != 2 || a.Cluster[0] > 1) {
			t.Errorf("read %+v", a)
		}
		if a.readParas(strings.NewReader(paras), set) == nil && (len(a.Paras[0]) != 2 || len(a.Paras[1]) != 1) {
			t.Errorf("read %+v", a)
		}
	})
}
