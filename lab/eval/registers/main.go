// Command registers evaluates register models, and trains the embedded one.
//
//	go run ./lab/eval/registers DATA                  figures, as in lab/results/registers.md
//	go run ./lab/eval/registers -train FILE DATA      embedded model, of the licensed corpora
//	go run ./lab/eval/registers -train FILE -all DATA model of all corpora, for private use
//
// DATA is the folder of the corpora: see package lab/train/registers.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"

	"chaffinch/lab/train/labels"
	"chaffinch/lab/train/registers"
	"chaffinch/model"
	"chaffinch/text/label"
)

// config returns the configuration of a training. Its number of features fits the embedded model
// into 1 MB.
func config() labels.Config {
	c := labels.Default
	c.Several = true
	c.WeightSteps = 7
	return c
}

// large lists the languages with enough documents for figures by language.
var large = []string{"sv", "fi", "fr", "tr", "id"}

func main() {
	out := flag.String("train", "", "train a model and write it to this `file`")
	all := flag.Bool("all", false, "train on all corpora instead of the licensed ones")
	flag.Parse()
	if err := run(context.Background(), *out, *all, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "registers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out string, all bool, dir string) error {
	if out == "" {
		return evaluate(ctx, dir)
	}
	var langs []string
	if !all {
		langs = registers.Licensed
	}
	docs, err := registers.Read(dir, langs)
	if err != nil {
		return err
	}
	m, r, err := labels.Train(ctx, config(), docs, nil)
	if err != nil {
		return err
	}
	header()
	ofReport(r, docs, anyLang).print("held-out, of the licensed corpora")
	return m.Save(out, model.Header{Name: "registers", Tool: "chaffinch lab/eval/registers"})
}

// evaluate prints the figures.
func evaluate(ctx context.Context, dir string) error {
	docs, err := registers.Read(dir, nil)
	if err != nil {
		return err
	}
	isLarge := func(d *labels.Doc) bool { return slices.Contains(large, d.Lang) }
	four := func(d *labels.Doc) bool { return isLarge(d) && d.Lang != "id" }
	licensed := func(d *labels.Doc) bool { return slices.Contains(registers.Licensed, d.Lang) }

	header()
	unlimited := config()
	unlimited.MaxFeatures = 1 << 20
	_, r, err := labels.Train(ctx, unlimited, docs, nil)
	if err != nil {
		return err
	}
	fmt.Printf("calibration error %.3f\n", r.CalibrationError)
	ofReport(r, docs, four).print("sv, fi, fr, tr; all corpora")
	for _, l := range large {
		ofReport(r, docs, func(d *labels.Doc) bool { return d.Lang == l }).print(l + "; all corpora")
	}
	ofReport(r, docs, func(d *labels.Doc) bool { return !isLarge(d) }).print("small languages; all corpora")
	ofReport(r, docs, four).printClasses()
	allOwn := &tally{}
	for _, l := range large {
		own := selected(docs, func(d *labels.Doc) bool { return d.Lang == l })
		if _, r, err = labels.Train(ctx, config(), own, nil); err != nil {
			return err
		}
		t := ofReport(r, own, anyLang)
		t.print(l + "; its own corpus")
		if l != "id" {
			allOwn.addAll(t)
		}
	}
	allOwn.print("sv, fi, fr, tr; their own corpora")
	for _, c := range []struct {
		name string
		from func(d *labels.Doc) bool
	}{{"large languages", isLarge}, {"licensed corpora", licensed}} {
		m, r, err := labels.Train(ctx, config(), selected(docs, c.from), nil)
		if err != nil {
			return err
		}
		ofReport(r, docs, anyLang).print("languages of the " + c.name + "; " + c.name)
		for _, l := range m.Config().Langs {
			ofReport(r, docs, func(d *labels.Doc) bool { return d.Lang == l }).print(l + "; " + c.name)
		}
		unseen := func(d *labels.Doc) bool { return !isLarge(d) && !m.Knows(d.Lang) }
		ofModel(m, selected(docs, unseen)).print("zero-shot, small languages; " + c.name)
		for _, l := range langsOf(docs) {
			if one := selected(docs, func(d *labels.Doc) bool { return d.Lang == l && !m.Knows(l) }); len(one) > 0 {
				ofModel(m, one).print("zero-shot, " + l + "; " + c.name)
			}
		}
	}
	return nil
}

func anyLang(*labels.Doc) bool { return true }

func selected(docs []labels.Doc, is func(d *labels.Doc) bool) (list []labels.Doc) {
	for i := range docs {
		if is(&docs[i]) {
			list = append(list, docs[i])
		}
	}
	return list
}

func langsOf(docs []labels.Doc) (list []string) {
	for _, d := range docs {
		list = append(list, d.Lang)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// tally counts decisions: main is about main registers, single about main registers of documents
// with exactly one, sub about sub-registers.
type tally struct {
	docs, exact       int
	main, single, sub labels.Counts
	class             [9]labels.Counts // in the order of registers.Main
}

// ofReport counts held-out decisions.
func ofReport(r *labels.Report, docs []labels.Doc, is func(d *labels.Doc) bool) *tally {
	byID := map[string]*labels.Doc{}
	for i := range docs {
		byID[docs[i].ID] = &docs[i]
	}
	t := &tally{}
	for _, p := range r.Predictions {
		if is(byID[p.ID]) {
			t.add(p.Labels, p.Found)
		}
	}
	return t
}

// ofModel counts the decisions of a model.
func ofModel(m *label.Model, docs []labels.Doc) *tally {
	t, s := &tally{}, label.NewScorer()
	for _, d := range docs {
		p, ok := s.Score(m, label.Doc{Text: d.Text})
		if !ok {
			continue
		}
		var found []string
		for _, c := range m.Decide(p, nil) {
			found = append(found, m.Classes()[c].Name)
		}
		t.add(d.Labels, found)
	}
	return t
}

func (t *tally) add(truth, found []string) {
	t.docs++
	mains := 0
	for _, name := range registers.Main {
		if slices.Contains(truth, name) {
			mains++
		}
	}
	exact := true
	for c, name := range registers.Main {
		n := compare(truth, found, name)
		plus(&t.main, n)
		plus(&t.class[c], n)
		if mains == 1 {
			plus(&t.single, n)
		}
		exact = exact && n.FP+n.FN == 0
	}
	if exact {
		t.exact++
	}
	for _, name := range registers.Subs() {
		plus(&t.sub, compare(truth, found, name))
	}
}

func (t *tally) addAll(o *tally) {
	t.docs, t.exact = t.docs+o.docs, t.exact+o.exact
	plus(&t.main, o.main)
	plus(&t.single, o.single)
	plus(&t.sub, o.sub)
	for c := range t.class {
		plus(&t.class[c], o.class[c])
	}
}

func plus(n *labels.Counts, d labels.Counts) { n.TP, n.FP, n.FN = n.TP+d.TP, n.FP+d.FP, n.FN+d.FN }

// compare counts the decision about a class.
func compare(truth, found []string, name string) (n labels.Counts) {
	is, got := slices.Contains(truth, name), slices.Contains(found, name)
	switch {
	case !is && slices.Contains(truth, "?"+name):
	case is && got:
		n.TP = 1
	case is:
		n.FN = 1
	case got:
		n.FP = 1
	}
	return n
}

func header() {
	fmt.Println("| test; training | documents | micro F1 | macro F1 | one main register | exact | sub-registers |\n|---|---|---|---|---|---|---|")
}

func (t *tally) print(name string) {
	macro, used := 0.0, 0
	for _, n := range t.class {
		if n.TP+n.FN > 0 {
			macro += n.F1()
			used++
		}
	}
	fmt.Printf("| %s | %d | %.3f | %.3f | %.3f | %.3f | %.3f |\n", name, t.docs, t.main.F1(), macro/float64(max(1, used)), t.single.F1(), float64(t.exact)/float64(max(1, t.docs)), t.sub.F1())
}

func (t *tally) printClasses() {
	for c, n := range t.class {
		fmt.Printf("| %s | %d | precision %.2f | recall %.2f | F1 %.2f |\n", registers.Main[c], n.TP+n.FN, n.Precision(), n.Recall(), n.F1())
	}
}
