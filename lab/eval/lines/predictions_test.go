package lines

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestPredictions: what is written is read back, with all labels as they were.
func TestPredictions(t *testing.T) {
	s := mini(t)
	runs, err := Evaluate(context.Background(), s, []System{longer{}}, []string{Multilingual, ZeroShot}, Config{Plan: Plan{Folds: 3}, Seeds: []uint64{1, 2}})
	must.Succeed(t, err)
	runs[0].Scores[0][0] = 0.49999
	var b bytes.Buffer
	must.Succeed(t, WritePredictions(&b, s, runs))
	again := must.Get(parsePredictions(b.Bytes(), "said.jsonl", "said", s))(t)
	if len(again) != len(runs) {
		t.Fatalf("%d runs, want %d", len(again), len(runs))
	}
	for i, r := range again {
		if r.System != runs[i].System || r.Protocol != runs[i].Protocol || r.Seed != runs[i].Seed || fmt.Sprint(r.Folds) != fmt.Sprint(runs[i].Folds) {
			t.Errorf("run %d is %s %s %d", i, r.System, r.Protocol, r.Seed)
		}
		for k, scores := range r.Scores {
			for n, x := range scores {
				if (x >= threshold) != (runs[i].Scores[k][n] >= threshold) {
					t.Errorf("%s line %d: %v, was %v", s.Docs[k].ID, n+1, x, runs[i].Scores[k][n])
				}
			}
		}
	}
}

// TestPredictionForms: the forms that other programs may write.
func TestPredictionForms(t *testing.T) {
	s := mini(t)
	for file, text := range map[string]string{
		"a.jsonl": `{"id":"fi.train.wood","labels":["1","0"]}`,
		"b.jsonl": `{"id":"fi.train.wood","labels":[1,0]}`,
		"c.jsonl": `{"id":"fi.train.wood","labels":["text","boilerplate"]}`,
		"d.jsonl": `{"id":"fi.train.wood","labels":[true,false]}` + "\n\n",
		"e.tsv":   "fi.train.wood\t0.7\tthe line\r\nfi.train.wood\t.2\n",
		"g.tsv":   "document\tlang\tlabel\tline\nfi.train.wood\tfi\ttext\tone\nfi.train.wood\tfi\tboilerplate\ttwo\n",
		"f.tsv":   "fi.train.wood\ttext\nfi.train.wood\tboilerplate\n",
	} {
		runs, err := parsePredictions([]byte(text), file, "other", s)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		r := Results(s, runs)[0]
		if r.Title() != "other/predicted" || r.over("", nil).Counts[0] != (Counts{TP: 1, TN: 1}) {
			t.Errorf("%s: %s %+v", file, r.Title(), r.over("", nil))
		}
	}
	for text, want := range map[string]string{
		`{"id":"nobody","scores":[1]}`:                                  `line 1: set mini has no document "nobody"`,
		"\n" + `{"id":"fi.train.wood","scores":[1]}`:                    "line 2: document fi.train.wood: 1 lines predicted, it has 2",
		`{"id":"fi.train.wood","scores":[1,2]}`:                         "not within 0 and 1",
		`{"id":"fi.train.wood","labels":["yes","perhaps"]}`:             "neither a probability nor a label",
		strings.Repeat(`{"id":"fi.train.wood","scores":[1,0]}`+"\n", 2): "line 2: document fi.train.wood is there twice",
		`{`: "line 1: ",
		"":  "none in it",
	} {
		must.Fail(t, must.Err(parsePredictions([]byte(text), "x.jsonl", "x", s)), want)
	}
	must.Fail(t, must.Err(parsePredictions([]byte("fi.train.wood 1\n"), "x.tsv", "x", s)), "wanted id, TAB")
}

func FuzzPredictions(f *testing.F) {
	f.Add([]byte(`{"id":"fi.train.wood","labels":["1",0]}`), true)
	f.Add([]byte(`{"id":"fi.train.wood","scores":[0.1,0.9],"seed":3,"system":"x"}`), true)
	f.Add([]byte("fi.train.wood\t1\nfi.train.wood\t0.25\tline\n"), false)
	f.Add([]byte("fi.train.wood\tnan\nsv.train.cat\t\n"), false)
	s := mini(f)
	f.Fuzz(func(t *testing.T, b []byte, json bool) {
		name := "x.tsv"
		if json {
			name = "x.jsonl"
		}
		runs, err := parsePredictions(b, name, "x", s)
		if err != nil {
			return
		}
		var out bytes.Buffer
		must.Succeed(t, WritePredictions(&out, s, runs))
		again, err := parsePredictions(out.Bytes(), "x.jsonl", "x", s)
		if err != nil || len(again) != len(runs) {
			t.Fatalf("%d runs read back of %d: %v", len(again), len(runs), err)
		}
	})
}
