package ir

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/eval/floors"
	"chaffinch/lab/eval/ir/search"
)

// TestMeasures: figures worked by hand.
func TestMeasures(t *testing.T) {
	qrels := Qrels{"1": {"a": 2, "b": 0, "c": 1, "d": 1, "x": -1}, "2": {"a": 1}, "3": {"a": 0}}
	run := &Run{Name: "r", Topics: map[string][]Entry{"1": {{"b", 3}, {"c", 9}, {"a", 5}, {"e", 4}}}}
	s := Score(run, qrels)
	if strings.Join(s.Topics, " ") != "1 2" {
		t.Fatalf("topics %v: topic 3 has nothing relevant", s.Topics)
	}
	dcg := func(gains ...float64) (sum float64) {
		for i, g := range gains {
			sum += g / math.Log2(float64(i)+2)
		}
		return sum
	}
	want := map[string]float64{"P@5": .4, "P@10": .2, "AP": 2. / 3, "NDCG@10": dcg(1, 3) / dcg(3, 1, 1),
		"NDCG@10lin": dcg(1, 2) / dcg(2, 1, 1), "RR": 1, "R@10": 2. / 3, "R@100": 2. / 3, "R@1000": 2. / 3}
	for i, m := range Measures {
		if got := s.Values[i][0]; math.Abs(got-want[m.Name]) > 1e-12 {
			t.Errorf("%s: %v, want %v", m.Name, got, want[m.Name])
		}
		if s.Values[i][1] != 0 {
			t.Errorf("%s of a topic that the run lacks: %v", m.Name, s.Values[i][1])
		}
	}
}

// TestTopicOrder: the order of topics does not depend on the order in which they are compared.
func TestTopicOrder(t *testing.T) {
	want := []string{"01", "1", "9", "10", "1a", "b"}
	for range 20 {
		run := &Run{Topics: map[string][]Entry{}}
		for _, topic := range want {
			run.Topics[topic] = []Entry{{"d", 1}}
		}
		var b bytes.Buffer
		must.Succeed(t, run.Write(&b))
		var got []string
		for line := range strings.Lines(b.String()) {
			got = append(got, strings.Fields(line)[0])
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}

// TestTies: equal scores stand by name backwards, also those that only 32 bits make
// equal, as in trec_eval.
func TestTies(t *testing.T) {
	j := judge([]Entry{{"a", 1}, {"c", 1}, {"b", 1 + 1e-12}}, map[string]int{"a": 1, "b": 2, "c": 3})
	must.Same(t, j.ranked, []int{3, 2, 1}, "order")
}

// TestFormats reads its own output, and reports the position of errors in a file.
func TestFormats(t *testing.T) {
	var b bytes.Buffer
	run := &Run{Name: "my run", Topics: map[string][]Entry{"10": {{"a", 2}, {"b", 1.5}}, "9": {{"c", -3}}}}
	must.Succeed(t, run.Write(&b))
	must.Equal(t, b.String(), "9 Q0 c 1 -3 my-run\n10 Q0 a 1 2 my-run\n10 Q0 b 2 1.5 my-run\n", "run")
	if back, err := ReadRun(&b); err != nil || len(back.Topics["10"]) != 2 {
		t.Errorf("back: %v, %v", back, err)
	}
	topics, err := ReadTopics(strings.NewReader("<top>\n<num> Number: 51\n<title> Topic: grey\nheron\n<desc> Description:\nWhere do herons nest?\n</top>\n<top><num>52</num><title>gull</title></top>"), []string{"title", "desc"})
	if err != nil || len(topics) != 2 || topics[0] != (Topic{"51", "grey heron Where do herons nest?"}) || topics[1] != (Topic{"52", "gull"}) {
		t.Errorf("topics %q, %v", topics, err)
	}
	for _, c := range []struct{ kind, text, want string }{
		{"qrels", "1 0 a 1\n1 0 a", "qrels: line 2: "},
		{"qrels", "1 0 a x", `relevance "x"`},
		{"qrels", "\n", "qrels: no judgements"},
		{"run", "1 Q0 a 1 NaN r", `score "NaN"`},
		{"run", "1 Q0 a 1 2 r\n\n1 Q0 a 2 1 r", "run: line 3: document a occurs twice"},
		{"queries", "1 no tab", "queries: line 1: "},
		{"topics", "<top><num>1</num></top>", "no text in title"},
	} {
		var err error
		switch r := strings.NewReader(c.text); c.kind {
		case "qrels":
			_, err = ReadQrels(r)
		case "run":
			_, err = ReadRun(r)
		case "queries":
			_, err = ReadQueries(r)
		default:
			_, err = ReadTopics(r, nil)
		}
		must.Fail(t, err, c.want)
	}
}

// TestArrows: one arrow for a difference, two for one that stays after Holm's
// correction.
func TestArrows(t *testing.T) {
	scores := func(name string, at func(i int) float64) *Scores {
		s := &Scores{Run: name, Values: make([][]float64, len(Measures))}
		for m := range Measures {
			for i := range 12 {
				s.Values[m] = append(s.Values[m], at(i))
			}
		}
		return s
	}
	diffs := Compare([]*Scores{
		scores("base", func(int) float64 { return .5 }),
		scores("better", func(i int) float64 { return .6 + float64(i)/100 }),
		scores("worse", func(i int) float64 { return .5 + []float64{-1, 1}[i/11]*float64(i+1)/100 }),
		scores("same", func(int) float64 { return .5 })})
	if a := diffs[0][0].Arrow(); a != "↑↑" {
		t.Errorf("better: %q %+v", a, diffs[0][0])
	}
	if d := diffs[1][0]; d.Arrow() != "↓" || d.WilcoxonHolm <= d.Wilcoxon {
		t.Errorf("worse: %q %+v", d.Arrow(), d)
	}
	must.Equal(t, diffs[2][0].Arrow(), "", "same")
}

// TestEquation9: the paper's table 5 from its table 4: 3:24:23 hours of indexing are
// 0.20 kg, a million queries of 45/50 seconds 14.5 kg.
func TestEquation9(t *testing.T) {
	if kg := PaperEnergy.CO2(12263e9); math.Abs(kg-.20) > .005 {
		t.Errorf("indexing: %v kg", kg)
	}
	if kg := PaperEnergy.CO2(900000e9); math.Abs(kg-14.5) > .05 {
		t.Errorf("a million queries: %v kg", kg)
	}
}

// TestCollections: a folder of two, and the errors of one.
func TestCollections(t *testing.T) {
	dir := t.TempDir()
	must.WriteAll(t, dir, map[string]string{
		"birds/docs.jsonl":  `{"id":"1","title":"Herons","text":"stand in the water"}` + "\n" + `{"id":"2","text":"gulls fly"}`,
		"birds/queries.tsv": "q1\theron\n", "birds/qrels.txt": "q1 0 1 1\n",
		"bad/docs.jsonl": `{"id":"1"}` + "\n" + `{"id":"1"}`, "bad/queries.tsv": "q1\tx", "bad/qrels.txt": "q1 0 1 1",
	})
	got, err := Collections(dir, []string{"birds"})
	if err != nil || len(got) != 1 || got[0].Docs[0].All() != "Herons\nstand in the water" {
		t.Fatalf("%v, %v", got, err)
	}
	must.Fail(t, must.Err(Collections(dir, nil)), `collection bad: docs.jsonl: line 2: id "1"`)
	for part, want := range map[string]string{"docs.jsonl": "no documents", "queries.tsv": "no topics", "qrels.txt": "no judgements"} {
		parts := map[string][]byte{"docs.jsonl": []byte(`{"id":"1","text":"gulls"}`), "queries.tsv": []byte("q1\tgull"), "qrels.txt": []byte("q1 0 1 1")}
		parts[part] = nil
		must.Fail(t, must.Err(newCollection("empty", parts)), want)
	}
	must.Fail(t, must.Err(Collections(dir, []string{"fish"})), "no collection fish")
}

// indexed indexes a collection for the time of a test.
func indexed(t *testing.T, c *Collection, cfg Config) *Indexed {
	t.Helper()
	texts := make([]Text, len(c.Docs))
	for i := range c.Docs {
		texts[i] = Text{ID: c.Docs[i].ID, Text: c.Docs[i].All()}
	}
	x := must.Get(Build(context.Background(), texts, cfg))(t)
	t.Cleanup(func() { x.Close() })
	return x
}

// TestFloors ranks the collections of lab/eval/floors.json.
func TestFloors(t *testing.T) {
	testkit.Slow(t)
	f := must.Get(floors.Read("../floors.json"))(t)
	names := f.Of("ir")
	if len(names) == 0 {
		t.Fatal("no floors")
	}
	collections := must.Get(Collections(testkit.Data(t, "ir/ir.tar.zst"), names))(t)
	for _, c := range collections {
		cfg := Config{Index: search.Config{Stem: "en"}, Depth: 1000}
		x := indexed(t, c, cfg)
		var systems []floors.System
		for _, spec := range f.Systems("ir/" + c.Name) {
			m := must.Get(search.ParseModel(spec))(t)
			run := must.Get(x.Rank(context.Background(), spec, c.Topics, m, cfg))(t)
			systems = append(systems, floors.System{Name: spec, Figures: Score(run, c.Qrels).Floored()})
		}
		below := must.Get(f.Check("ir/"+c.Name, c.Data, systems))(t)
		if len(below) > 0 {
			t.Error(strings.Join(below, "\n"))
		}
	}
}

// TestSkipping: the best ten documents of each topic are those of a search that scores
// everything, to the last bit.
func TestSkipping(t *testing.T) {
	testkit.Slow(t)
	collections := must.Get(Collections(testkit.Data(t, "ir/ir.tar.zst"), nil))(t)
	for _, c := range collections {
		x := indexed(t, c, Config{Index: search.Config{Stem: "en"}})
		for _, m := range []search.Model{search.DefaultQL, search.DefaultBM25} {
			fast := must.Get(x.NewSearcher(m))(t)
			all, _ := x.NewSearcher(m)
			all.Exhaustive = true
			for _, topic := range c.Topics {
				got := must.Get(fast.Search(topic.Text, 10))(t)
				want, err := all.Search(topic.Text, 10)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%s, %s, topic %s: %v, want %v, %v", c.Name, m.Name, topic.ID, got, want, err)
				}
			}
		}
	}
}
