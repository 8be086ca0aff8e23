package labels

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
)

// vocabulary holds words of invented topics, and of all texts.
var vocabulary = map[string][]string{
	"sea":     strings.Fields("harbour sail tide anchor mast ferry gull rope deck captain"),
	"kitchen": strings.Fields("flour oven butter spoon whisk salt dough pan recipe taste"),
	"garden":  strings.Fields("spade seed hedge lawn soil bulb weed rake bloom compost"),
	"":        strings.Fields("the a of and in was with for old new small every morning people said they we had"),
}

// textOf returns a text of which a share of the words is of a topic.
func textOf(r *rand.Rand, topic string, share float64) string {
	var b strings.Builder
	for range 50 {
		words := vocabulary[""]
		if r.Float64() < share {
			words = vocabulary[topic]
		}
		b.WriteString(words[r.IntN(len(words))] + " ")
	}
	return b.String()
}

// topics returns n documents of each topic, labelled with it.
func topics(n int, share float64, names ...string) (docs []Doc) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		for _, name := range names {
			docs = append(docs, Doc{ID: fmt.Sprint(name, "-", i), Text: textOf(r, name, share), Labels: []string{name}})
		}
	}
	return docs
}

// quick is a configuration for small sets.
func quick() Config {
	c := Default
	c.MinDocs, c.Folds = 1, 3
	return c
}

// TestFolds: documents of a site, of a group, or near-duplicates are held out together, and all
// folds have documents of all classes.
func TestFolds(t *testing.T) {
	docs := topics(50, .4, "sea", "kitchen")
	for i := range docs {
		docs[i].URL = fmt.Sprintf("http://www%d.site%d.example/%d", i%3, i/4, i)
	}
	docs[7].Text = docs[80].Text + " again"                       // joins sites 1 and 20
	docs[60].URL, docs[60].Group = "http://lone.example/", "mine" // joins documents of different addresses
	docs[95].URL, docs[95].Group = "http://other.example/", "mine"
	used, fold, classes, err := Split(Default, docs)
	must.Succeed(t, err)
	if len(used) != 100 || strings.Join(classes, " ") != "kitchen sea" {
		t.Fatalf("%d documents of %q", len(used), classes)
	}
	for i := range used {
		if i/4 != 15 && i/4 != 23 && fold[i] != fold[i/4*4] {
			t.Errorf("documents %d and %d of one site are in folds %d and %d", i, i/4*4, fold[i], fold[i/4*4])
		}
	}
	if fold[7] != fold[80] {
		t.Errorf("near-duplicates are in folds %d and %d", fold[7], fold[80])
	}
	if fold[60] != fold[95] {
		t.Errorf("documents of a group are in folds %d and %d", fold[60], fold[95])
	}
	var sizes [5][2]int
	for i, k := range fold {
		sizes[k][i%2]++
	}
	for k, n := range sizes {
		if n[0] < 5 || n[1] < 5 {
			t.Errorf("fold %d has %v documents of the classes, wanted about 10", k, n)
		}
	}
	for i := range docs {
		docs[i].URL, docs[i].Group = "http://one.example/", ""
	}
	_, _, _, err = Split(Default, docs)
	must.Fail(t, err, "documents are of 1 sites or groups: wanted at least 5")
}

// TestLeaks: a word that identifies the site does not raise the held-out figures.
func TestLeaks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var docs []Doc
	for i := range 200 {
		site := i / 10 // ten documents of a site have the same label, and a word of the site in common
		docs = append(docs, Doc{ID: fmt.Sprint(i), Text: textOf(r, "", 1) + strings.Repeat(fmt.Sprintf("name%c%c ", 'a'+site, 'k'+site%7), 8), URL: fmt.Sprintf("http://site%d.example/%d", site, i), Labels: []string{[]string{"sea", "kitchen"}[site%2]}})
	}
	_, apart, err := Train(context.Background(), quick(), docs, nil)
	must.Succeed(t, err)
	for i := range docs {
		docs[i].URL = ""
	}
	_, mixed, err := Train(context.Background(), quick(), docs, nil)
	must.Succeed(t, err)
	if apart.All.MacroF1 > .7 || mixed.All.MacroF1 < .9 {
		t.Errorf("macro F1 %.2f with sites, wanted about .5; %.2f without, wanted about 1", apart.All.MacroF1, mixed.All.MacroF1)
	}
}

// confused returns documents of three topics. A third of the labels sea and kitchen are exchanged.
func confused() []Doc {
	docs := topics(150, .3, "sea", "kitchen", "garden")
	other := map[string]string{"sea": "kitchen", "kitchen": "sea"}
	r := rand.New(rand.NewPCG(5, 6))
	for i := range docs {
		// Few words of the topic: the label is wrong more often.
		if o := other[docs[i].Labels[0]]; o != "" && r.IntN(3) == 0 {
			docs[i].Text = textOf(r, docs[i].Labels[0], .05)
			docs[i].Labels = []string{[]string{o, docs[i].Labels[0]}[r.IntN(2)]}
		}
	}
	return docs
}

// TestPrecision: each exclusive class has the limit of its wanted precision, and a document below
// the limit of its most probable class has none.
func TestPrecision(t *testing.T) {
	testkit.Slow(t)
	cfg := quick()
	_, plain, err := Train(context.Background(), cfg, confused(), nil)
	must.Succeed(t, err)
	cfg.Precision = .97
	m, rep, err := Train(context.Background(), cfg, confused(), nil)
	must.Succeed(t, err)
	if plain.Other != 0 || rep.Other < 20 {
		t.Errorf("%d documents without a class, and %d with a wanted precision; wanted 0, and 20 or more", plain.Other, rep.Other)
	}
	limits := map[string]float64{}
	for c, class := range rep.Classes {
		limits[class.Name] = class.Limit
		if m.Classes()[c].Limit != class.Limit {
			t.Errorf("%s: limit %v in the model, %v in the report", class.Name, m.Classes()[c].Limit, class.Limit)
		}
		if before := plain.Classes[c].Precision(); class.Name != "garden" && (before > .95 || class.Precision() < .95) {
			t.Errorf("%s: precision %.3f without a limit, %.3f with it", class.Name, before, class.Precision())
		}
	}
	if plain.Grade != nil {
		t.Errorf("mean grade %+v of classes that are no numbers", plain.Grade)
	}
	if limits["garden"] >= min(limits["sea"], limits["kitchen"]) {
		t.Errorf("limits %v: wanted a lower one for the class that is never confused", limits)
	}
	for _, p := range rep.Predictions {
		if len(p.Found) > 1 {
			t.Fatalf("%s has the exclusive classes %q", p.ID, p.Found)
		}
	}
	got := m.Decide([]float64{0, limits["kitchen"] - .01, 1 - limits["kitchen"] + .01}, nil)
	if len(got) > 0 {
		t.Errorf("class %d below its limit", got[0])
	}
}

// TestRecall: each class has the highest limit of its wanted recall.
func TestRecall(t *testing.T) {
	testkit.Slow(t)
	for _, several := range []bool{false, true} {
		cfg := quick()
		cfg.Recall, cfg.Several = .7, several
		_, rep, err := Train(context.Background(), cfg, confused(), nil)
		must.Succeed(t, err)
		for _, c := range rep.Classes {
			if r := c.Recall(); r < .62 || r > .8 {
				t.Errorf("several %t, %s: recall %.3f at the limit %.3f, wanted about .7", several, c.Name, r, c.Limit)
			}
		}
	}
	cfg := quick()
	cfg.Recall = .999 // out of reach: every document has a class
	_, rep, err := Train(context.Background(), cfg, confused(), nil)
	must.Succeed(t, err)
	for _, c := range rep.Classes {
		if c.Name == "sea" && c.Limit != 0 {
			t.Errorf("%s: limit %v, wanted 0", c.Name, c.Limit)
		}
	}
}

// TestSubclassLimits: the limit of a subclass is chosen among the documents of its parent.
func TestSubclassLimits(t *testing.T) {
	docs := confused()
	for i := range docs {
		if docs[i].Labels[0] != "garden" {
			docs[i].Labels[0] = "work/" + docs[i].Labels[0]
		}
	}
	cfg := quick()
	cfg.Precision = .95
	_, rep, err := Train(context.Background(), cfg, docs, nil)
	must.Succeed(t, err)
	for _, c := range rep.Classes {
		if strings.Contains(c.Name, "/") && (c.Precision() < .92 || c.TP == 0) {
			t.Errorf("%s: precision %.3f of %d documents", c.Name, c.Precision(), c.TP+c.FP)
		}
		if c.Name == "work" && c.Recall() < .95 {
			t.Errorf("%s: recall %.3f", c.Name, c.Recall())
		}
	}
}

// TestCalibration: among documents with a probability of about x, a share of about x has the class.
func TestCalibration(t *testing.T) {
	testkit.Slow(t)
	r := rand.New(rand.NewPCG(7, 8))
	var docs []Doc
	for i := range 600 {
		// The more words of the sea, the more probable the label.
		share := r.Float64() * .3
		name := "kitchen"
		if r.Float64() < 1/(1+math.Exp(-40*(share-.15))) {
			name = "sea"
		}
		docs = append(docs, Doc{ID: fmt.Sprint(i), Text: textOf(r, "sea", share), Labels: []string{name}})
	}
	for _, several := range []bool{false, true} {
		cfg := quick()
		cfg.Several = several
		_, rep, err := Train(context.Background(), cfg, docs, nil)
		must.Succeed(t, err)
		if rep.CalibrationError > .08 {
			t.Errorf("several %t: calibration error %.3f", several, rep.CalibrationError)
		}
		var n, p, is float64
		for _, x := range rep.Predictions {
			if v := x.P[1]; v > .25 && v < .75 {
				n, p = n+1, p+v
				if x.Labels[0] == "sea" {
					is++
				}
			}
		}
		if n < 60 || math.Abs(p-is)/n > .12 {
			t.Errorf("several %t: %v uncertain documents, mean probability %.2f, %.2f of them of the class", several, n, p/n, is/n)
		}
	}
}

// TestSameBytes: the model does not depend on the number of processors, but on the documents.
func TestSameBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	docs := topics(30, .3, "sea", "kitchen", "garden")
	train := func(procs int, docs []Doc) string {
		runtime.GOMAXPROCS(procs)
		m, _, err := Train(context.Background(), quick(), docs, nil)
		must.Succeed(t, err)
		path := filepath.Join(t.TempDir(), "m.chf")
		must.Succeed(t, m.Save(path, model.Header{}))
		return string(must.Read(t, path))
	}
	one := train(1, docs)
	if train(4, docs) != one {
		t.Error("another number of processors gives another model")
	}
	docs[0].Labels = []string{"garden"}
	if train(1, docs) == one {
		t.Error("another label gives the same model")
	}
}

// TestGrades: classes that are grades are learned like other names. The learning curve rises, and
// most wrong documents have a neighbouring grade.
func TestGrades(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var docs []Doc
	for i := range 600 {
		grade := i % 6
		docs = append(docs, Doc{ID: fmt.Sprint(i), Text: textOf(r, "sea", .05+.15*float64(grade)), Labels: []string{fmt.Sprint(grade)}})
	}
	_, rep, err := Train(context.Background(), quick(), docs, nil)
	must.Succeed(t, err)
	if len(rep.Classes) != 6 || rep.Classes[5].Name != "5" || rep.All.Exact < .4 {
		t.Fatalf("%d classes, %.2f of the documents right", len(rep.Classes), rep.All.Exact)
	}
	near, far := 0, 0
	for a, row := range rep.Confusion {
		for b, n := range row {
			switch {
			case a-b == 1 || b-a == 1:
				near += n
			case a != b:
				far += n
			}
		}
	}
	if near < 4*far {
		t.Errorf("%d documents one grade off, %d more than one", near, far)
	}
	if rep.Grade == nil || rep.Grade.Error > .7 || rep.Grade.Correlation < .8 {
		t.Errorf("mean grade %+v, wanted a small error and a high correlation", rep.Grade)
	}
	var curve []float64
	for k, p := range rep.Learning {
		curve = append(curve, p.MacroF1)
		if k > 0 && p.Docs <= rep.Learning[k-1].Docs {
			t.Errorf("learning curve of %d documents after %d", p.Docs, rep.Learning[k-1].Docs)
		}
	}
	if len(curve) != 4 || curve[3] <= curve[0] {
		t.Errorf("learning curve %v", curve)
	}
}

// TestSmallClasses: classes with too few documents are counted and not learned; fewer than two
// exclusive classes are an error.
func TestSmallClasses(t *testing.T) {
	docs := append(topics(20, .4, "sea", "kitchen"), topics(9, .4, "garden")...)
	m, rep, err := Train(context.Background(), quick(), docs, nil)
	must.Succeed(t, err)
	if len(m.Classes()) != 2 || rep.Omitted["garden"] != 9 || rep.Unlearned != 9 || rep.Docs != 40 {
		t.Errorf("%d classes, omitted %v, %d documents unlearned, %d learned", len(m.Classes()), rep.Omitted, rep.Unlearned, rep.Docs)
	}
	cfg := quick()
	cfg.MinClass = 5
	m, _, err = Train(context.Background(), cfg, docs, nil)
	must.Succeed(t, err)
	must.Equal(t, len(m.Classes()), 3, "classes")
	_, _, err = Train(context.Background(), quick(), topics(9, .4, "sea", "kitchen"), nil)
	must.Fail(t, err, "no class has 10 documents of at least 20 words, in 18 documents: label more")
	_, _, err = Train(context.Background(), quick(), append(topics(20, .4, "sea"), topics(9, .4, "garden")...), nil)
	must.Fail(t, err, `only the class "sea" has 10 documents`)
	_, _, err = Train(context.Background(), quick(), nil, nil)
	must.Fail(t, err, "no documents with labels")
	short := topics(20, .4, "sea", "kitchen")
	for i := range short {
		short[i].Text = strings.Join(strings.Fields(short[i].Text)[:19], " ")
	}
	_, _, err = Train(context.Background(), quick(), short, nil)
	must.Fail(t, err, "no class has 10 documents of at least 20 words")
}

// TestWrongLabel: a document with the label of another topic is among the doubtful ones, and the
// learned class of duplicates with two labels is counted.
func TestWrongLabel(t *testing.T) {
	docs := topics(40, .4, "sea", "kitchen")
	docs[10].Labels = []string{"kitchen"} // a text about the sea
	docs = append(docs, Doc{ID: "copy", Text: docs[21].Text, Labels: []string{"sea"}})
	_, rep, err := Train(context.Background(), quick(), docs, nil)
	must.Succeed(t, err)
	if rep.Duplicates != 1 || rep.Contradictions != 1 {
		t.Errorf("%d duplicates, %d with other labels", rep.Duplicates, rep.Contradictions)
	}
	var ids []string
	for _, c := range rep.Doubtful(3) {
		ids = append(ids, c.ID)
	}
	if !slices.Contains(ids, docs[10].ID) || !slices.Contains(ids, "copy") {
		t.Errorf("doubtful: %q", ids)
	}
}

// TestScales: each named block has a length, and the blocks of the default are the default.
func TestScales(t *testing.T) {
	for _, name := range FeatureNames() {
		scales := must.Get(Scales([]string{name}))(t)
		if name == "" || slices.Max(scales[:]) == 0 {
			t.Errorf("features %q: lengths %v", name, scales)
		}
	}
	scales := must.Get(Scales([]string{"words", "chars", "layout"}))(t)
	if scales != Default.Scales {
		t.Errorf("lengths %v, wanted the default %v", scales, Default.Scales)
	}
}
