package filter_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/filter"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/train/labels"
	"chaffinch/model"
	"chaffinch/text/label"
)

// labelled writes a model that distinguishes two invented kinds of notes, and drops adverts.
func labelled(t *testing.T, name string) string {
	t.Helper()
	return trained(t, name, "note", "advert")
}

// trained writes a model of notes and adverts under the given names of the classes.
func trained(t *testing.T, name, note, advert string) string {
	t.Helper()
	m := learn(t, note, advert)
	path := filepath.Join(t.TempDir(), name+".chf")
	must.Succeed(t, m.Save(path, model.Header{Name: name}))
	return path
}

// learned holds the models that [learn] has trained, by the names of their classes.
var learned = map[[2]string]*label.Model{}

// learn trains a model of notes and adverts, once for all tests.
func learn(t *testing.T, note, advert string) *label.Model {
	t.Helper()
	if m := learned[[2]string{note, advert}]; m != nil {
		return m
	}
	var docs []labels.Doc
	r := rand.New(rand.NewPCG(1, 1))
	kinds := map[string][]string{
		note:   strings.Fields("walked river ferry bridge morning waited nobody missed we along again spoke"),
		advert: strings.Fields("order bargain lamps cheap price shipping save best today buy now offer"),
	}
	common := strings.Fields("the a of in and for all was on that day with")
	for i := range 40 {
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			var words []string
			for k := range 60 {
				list := common
				if k%2 == 0 {
					list = kinds[kind]
				}
				words = append(words, list[r.IntN(len(list))])
			}
			docs = append(docs, labels.Doc{ID: fmt.Sprint(kind, i), Lang: "en", Text: strings.Join(words, " ") + ".", Labels: []string{kind}})
		}
	}
	cfg := labels.Default
	cfg.Folds = 2
	m, _, err := labels.Train(context.Background(), cfg, docs, nil)
	must.Succeed(t, err)
	m = m.Dropping([]string{advert})
	learned[[2]string{note, advert}] = m
	return m
}

func TestLabels(t *testing.T) {
	path := labelled(t, "mine")
	cfg := filter.Default
	must.Succeed(t, cfg.AddModel(path))
	set := must.Get(filter.New(cfg))(t)
	must.Equal(t, strings.Join(set.Scores(), " "), "mine.advert mine.note", "scores")
	s := set.Scorer()
	const good = "In the morning we walked along the river again, and nobody waited at the bridge for the ferry that we had missed before."
	const bad = "Best price lamps! Order today and save: cheap shipping, cheap lamps, bargain lamps for all of you, order now, best bargain of the year."
	if _, d, drop := s.Judge(filter.Text{Whole: good, Lang: "en"}); drop {
		t.Errorf("a note is dropped: %v", d)
	}
	_, d, drop := s.Judge(filter.Text{Whole: bad, Lang: "en"})
	if !drop || d.Rule != "mine.advert" {
		t.Errorf("an advert is kept: %v", d)
	}
	if why := s.Explain(d); !strings.Contains(why, `"`) {
		t.Errorf("reasons %q", why)
	}
	if _, _, drop := s.Judge(filter.Text{Whole: bad, Lang: "de"}); drop {
		t.Error("a text of an unknown language is dropped")
	}
	g := set.Gaps(map[string]int64{"en": 3, "de": 2})
	if g.NotLearned["de"] != 2 || g.NotLearned["en"] != 0 || len(g.Warnings()) != 1 {
		t.Errorf("gaps %+v", g)
	}
}

// TestGrade: a model whose classes are numbers has a mean grade.
func TestGrade(t *testing.T) {
	path := trained(t, "quality", "4", "1")
	cfg := filter.Default
	must.Succeed(t, cfg.AddFile([]byte(fmt.Sprintf(`{"use": [%q], "limits": {"quality.grade": {"min": 3}}}`, path))))
	set := must.Get(filter.New(cfg))(t)
	r := set.Scorer().Score(filter.Text{Whole: strings.Repeat("walked along the river to the ferry and waited for the bridge that morning ", 3), Lang: "en"})
	one, four, grade := r.Scores[0], r.Scores[1], r.Scores[2]
	if want := one + 4*four; math.Abs(grade-want) > 1e-9 || grade < 3 {
		t.Errorf("grade %v with %v and %v, wanted %v, at least 3", grade, one, four, want)
	}
}

// TestLabelsRefused: names of models that stand for rules, and unknown classes, are errors.
func TestLabelsRefused(t *testing.T) {
	cfg := filter.Default
	must.Succeed(t, cfg.AddModel(labelled(t, "c4")))
	_, err := filter.New(cfg)
	must.Fail(t, err, `name "c4" is the name of a rule`)
	must.Fail(t, cfg.AddModel("my.json"), ".chf")
	path := labelled(t, "mine")
	must.Succeed(t, cfg.AddFile([]byte(fmt.Sprintf(`{"use": [%q], "limits": {"mine.letter": {"max": 0.5}}}`, path))))
	cfg.Use = []string{path}
	_, err = filter.New(cfg)
	must.Fail(t, err, "mine.letter")
}
