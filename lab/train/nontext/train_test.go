package nontext_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"chaffinch/filter/nontext"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	trainnontext "chaffinch/lab/train/nontext"
	"chaffinch/lab/train/nontext/generate"
	"chaffinch/model"
)

func stories(seed uint64, n int) (docs []trainnontext.Doc, texts []generate.Text) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range n {
		text := testkit.Story(r, 12+r.IntN(12))
		docs = append(docs, trainnontext.Doc{Text: text, Lang: "en"})
		texts = append(texts, generate.Text{Lang: "en", Text: text})
	}
	return docs, texts
}

// small is a quick setting.
func small(shapes bool) trainnontext.Config {
	cfg := trainnontext.Default
	cfg.Shapes, cfg.Recall, cfg.Folds = shapes, 0.9, 3
	return cfg
}

func train(t *testing.T, cfg trainnontext.Config) (*nontext.Model, *trainnontext.Report) {
	t.Helper()
	good, texts := stories(1, 80)
	var bad []trainnontext.Doc
	for _, d := range generate.Mix(texts, generate.Kinds, 1) {
		bad = append(bad, trainnontext.Doc{Text: d.Text, Kind: d.Kind, Lang: "en"})
	}
	m, rep, err := trainnontext.Train(context.Background(), cfg, trainnontext.Data{Good: good, Bad: bad}, nil)
	must.Succeed(t, err)
	return m, rep
}

// TestTrain: a model with or without words keeps new good text and finds new bad text. The same
// text gives the same file.
func TestTrain(t *testing.T) {
	testkit.Slow(t)
	for _, shapes := range []bool{true, false} {
		m, rep := train(t, small(shapes))
		if rep.Kept < 0.85 || rep.Good != 80 || len(rep.Kinds) < 5 {
			t.Errorf("shapes %v: report %+v", shapes, rep)
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "m.chf")
		must.Succeed(t, m.Save(path, model.Header{Name: "m"}))
		again, _ := train(t, small(shapes))
		must.Succeed(t, again.Save(filepath.Join(dir, "again.chf"), model.Header{Name: "m"}))
		if string(must.Read(t, path)) != string(must.Read(t, filepath.Join(dir, "again.chf"))) {
			t.Errorf("shapes %v: the same text gave another model", shapes)
		}
		read := must.Get(nontext.Load(path))(t)
		good, texts := stories(2, 40)
		lost, found, bad := 0, 0, generate.Mix(texts, generate.Kinds, 2)
		s := nontext.NewScorer()
		for _, d := range good {
			p, ok := s.Score(m, d.Text)
			if q, _ := s.Score(read, d.Text); !ok || p != q || p < 0 || p > 1 {
				t.Fatalf("shapes %v: scores %v and, from the file, %v", shapes, p, q)
			}
			if p > m.Limit("en", .1) {
				lost++
			}
		}
		for _, d := range bad {
			if p, _ := s.Score(m, d.Text); p > m.Limit("en", .1) {
				found++
			}
		}
		if lost > 12 || found < len(bad)*7/10 {
			t.Errorf("shapes %v: %d of 40 good lost, %d of %d bad found", shapes, lost, found, len(bad))
		}
	}
}

// TestExtra: extra documents and documents for the limit are in no figure. Text for the limit raises
// the limit of its language only.
func TestExtra(t *testing.T) {
	testkit.Slow(t)
	good, texts := stories(1, 100)
	var bad, limit []trainnontext.Doc
	for i, d := range generate.Mix(texts, generate.Kinds, 1) {
		if bad = append(bad, trainnontext.Doc{Text: d.Text, Lang: "en"}); i%3 == 0 {
			limit = append(limit, trainnontext.Doc{Text: d.Text, Lang: "ru"})
		}
	}
	more, _ := stories(3, 20)
	data := trainnontext.Data{Good: good[:70], Bad: bad, ExtraGood: append(more, good[70:]...), Limit: limit}
	m, rep, err := trainnontext.Train(context.Background(), small(true), data, nil)
	must.Succeed(t, err)
	if rep.Good != 70 || rep.Extra != 50 || len(rep.Langs) != 1 {
		t.Errorf("report %+v", rep)
	}
	plain, _, err := trainnontext.Train(context.Background(), small(true), trainnontext.Data{Good: data.Good, Bad: data.Bad, ExtraGood: data.ExtraGood}, nil)
	must.Succeed(t, err)
	if m.Limit("en", .1) != plain.Limit("en", .1) {
		t.Errorf("limit of English %v, %v without the other text", m.Limit("en", .1), plain.Limit("en", .1))
	}
}

// TestRefused: invalid settings, and too little text.
func TestRefused(t *testing.T) {
	good, _ := stories(1, 5)
	for name, change := range map[string]func(*trainnontext.Config){
		"recall": func(c *trainnontext.Config) { c.Recall = 1 }, "held out": func(c *trainnontext.Config) { c.Folds = 1 },
		"weight": func(c *trainnontext.Config) { c.ExtraWeight = 0 }, "at least 10": func(c *trainnontext.Config) {},
	} {
		cfg := small(true)
		change(&cfg)
		_, _, err := trainnontext.Train(context.Background(), cfg, trainnontext.Data{Good: good, Bad: good}, nil)
		must.Fail(t, err, name)
	}
}
