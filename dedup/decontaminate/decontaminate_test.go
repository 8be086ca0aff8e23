package decontaminate

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/dedup"
	"chaffinch/input/records"
	_ "chaffinch/internal/testkit" // waits for no disk
	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
	"chaffinch/page"
	"chaffinch/pipeline"
)

func doc(paras ...string) *records.Doc {
	d := &records.Doc{}
	for _, p := range paras {
		d.Paras = append(d.Paras, records.Para{Text: []byte(p)})
		d.Raw = append(d.Raw, p...)
	}
	return d
}

func find(t testing.TB, cfg Config, docs ...*records.Doc) (*Method, []dedup.Mark) {
	t.Helper()
	m := must.Get(New(cfg))(t)
	for i, d := range docs {
		d.Num, d.ID = int64(i), fmt.Sprint("d", i)
	}
	marks := must.Get(dedup.Find(context.Background(), docs, dedup.Config{Method: m, Job: pipeline.Job{Workers: 2}}))(t)
	return m, marks
}

const (
	question = "A farmer sells nineteen baskets of ripe cherries on Monday and twice as many on Tuesday; how many is that?"
	answer   = "Fifty-seven baskets."
	short    = "Which river flows through both Ulm and Vienna?"
)

func testSet(t testing.TB) string {
	return must.File(t, "test.jsonl", fmt.Sprintf(`{"id":"q1","question":%q,"answer":%q}
{"id":"q2","question":%q,"answer":"The Danube."}
`, question, answer, short))
}

func TestDocuments(t *testing.T) {
	cfg := Default
	cfg.Against, cfg.Fields = []string{testSet(t)}, []string{"question", "answer"}
	m, marks := find(t, cfg,
		doc("Nothing of the kind stands here, though a farmer sells cherries on Monday too."),
		doc("The exercise:", strings.ToUpper(strings.ReplaceAll(question, ";", ",")), "Good luck with it."),
		doc("Someone asked: which river flows through both Ulm — and Vienna? Nobody knew."),
		doc("A farmer sells nineteen baskets of ripe cherries on Monday", "and twice as many on Tuesday."),
		doc("Fifty-seven baskets."),
		doc("farmer sells nineteen baskets of ripe cherries on Monday and twice as"), // 12 words
		doc(),
	)
	if got := m.Stats(); got.Examples != 2 || got.Whole != 1 || got.TooShort != 2 {
		t.Errorf("%+v", got)
	}
	type found struct {
		doc   int64
		test  string
		share string
	}
	var got []found
	for _, x := range marks {
		if !x.Drop || x.Reason != dedup.Contaminated || x.Para != dedup.Whole {
			t.Errorf("%+v", x)
		}
		got = append(got, found{x.Doc, m.NameFirst(x.First), fmt.Sprintf("%.2f", x.Share)})
	}
	want := []found{{1, "q1", "0.77"}, {2, "q2", "0.67"}, {3, "q1", "1.00"}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, wanted %v", got, want)
	}
}

func TestParagraphs(t *testing.T) {
	cfg := Default
	cfg.Against, cfg.Fields, cfg.Unit = []string{testSet(t)}, []string{"question"}, "paragraph"
	docs := []*records.Doc{doc("Before it.", question, "", "After it.", "A farmer sells nineteen baskets of ripe cherries", "on Monday and twice as many people came on Sunday")}
	_, marks := find(t, cfg, docs...)
	if len(marks) != 3 || marks[0].Para != 1 || marks[0].Share != 1 || marks[1].Para != 4 || marks[2].Para != 5 || marks[2].Share != 0.6 {
		t.Errorf("%+v", marks)
	}
	cfg.Percent = 60
	if _, marks = find(t, cfg, docs...); len(marks) != 3 || !marks[0].Drop || !marks[1].Drop || marks[2].Drop {
		t.Errorf("over 0.6: %+v", marks)
	}
}

// A unit is marked if and only if it shares an n-gram, by a plain search.
func TestAgainstSimple(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 14).Draw(t, "words"), " ")
		})
		tests := rapid.SliceOfN(text, 1, 4).Draw(rt, "tests")
		corpus := rapid.SliceOfN(text, 1, 6).Draw(rt, "corpus")
		cfg := Default
		cfg.Ngram, cfg.MinWords = 5, 3
		cfg.Against = []string{must.File(t, "t.txt", strings.Join(append(tests, "x y z"), "\n\n")+"\n")}
		var docs []*records.Doc
		want := map[int64]bool{}
		for i, c := range corpus {
			docs = append(docs, doc(c))
			for _, x := range tests {
				w := strings.Fields(x)
				n := min(cfg.Ngram, len(w))
				for j := 0; n >= cfg.MinWords && j+n <= len(w); j++ {
					if strings.Contains(" "+c+" ", " "+strings.Join(w[j:j+n], " ")+" ") {
						want[int64(i)] = true
					}
				}
			}
		}
		_, marks := find(t, cfg, docs...)
		got := map[int64]bool{}
		for _, m := range marks {
			got[m.Doc] = true
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			rt.Fatalf("%v, wanted %v", got, want)
		}
	})
}

// Settings and contents of the test sets are part of what a resumed run must
// have in common.
func TestConfigSum(t *testing.T) {
	sums := map[string]bool{}
	path := filepath.Join(t.TempDir(), "t.txt")
	for _, text := range []string{question, question + " Yes."} {
		must.Write(t, path, text)
		cfg := Default
		cfg.Against = []string{path}
		m := must.Get(New(cfg))(t)
		sums[fmt.Sprint(m.Config())] = true
	}
	if len(sums) != 2 {
		t.Error("another test set has the same settings")
	}
}

func TestErrors(t *testing.T) {
	var long strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&long, "w%d ", i)
	}
	good, big := must.File(t, "a.txt", question), must.File(t, "b.txt", long.String())
	for _, c := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Against = nil }, "against: no test sets"},
		{func(c *Config) { c.Ngram = 0 }, "n-grams of 0 words"},
		{func(c *Config) { c.MinWords = 0 }, "at least 0 words"},
		{func(c *Config) { c.Percent = 100 }, "percent 100"},
		{func(c *Config) { c.Unit = "line" }, "document or paragraph"},
		{func(c *Config) { c.Against = []string{good + "x"} }, good + "x"},
		{func(c *Config) { c.Against = []string{must.File(t, "c.txt", "too short")} }, "no example"},
		{func(c *Config) { c.Against = []string{big}; c.Memory = 100_000 }, "b.txt"},
		{func(c *Config) { c.Against = []string{must.File(t, "d.jsonl", "{\"text\":\"x\"}\n{broken\n")} }, "line 2"},
	} {
		cfg := Default
		cfg.Against = []string{good}
		c.change(&cfg)
		must.Fail(t, must.Err(New(cfg)), c.want)
	}
	var told int
	cfg := Default
	cfg.Against, cfg.OnError = []string{must.File(t, "e.jsonl", fmt.Sprintf("{\"text\":%q}\n{broken\n", question))}, func(*page.Error) { told++ }
	if _, err := New(cfg); err != nil || told != 1 {
		t.Errorf("told %d times of 1 broken line: %v", told, err)
	}
}
