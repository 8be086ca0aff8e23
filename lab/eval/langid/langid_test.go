package langid

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	_ "chaffinch/model/data/languages"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/eval/floors"
	"chaffinch/text/langid"
)

func TestCodes(t *testing.T) {
	for tag, want := range map[string][2]string{ // fold, variety
		"deu": {"de", "de"}, "de-AT": {"de", "de"}, "DE": {"de", "de"},
		"zho-TW": {"zh", "zh-Hant"}, "zh_CN": {"zh", "zh-Hans"}, "zh-Hant-HK": {"zh", "zh-Hant"}, "cmn": {"zh", "zh"}, "yue": {"yue", "yue"},
		"por-BR": {"pt", "pt-BR"}, "pt-PT": {"pt", "pt-PT"}, "pt": {"pt", "pt"},
		"arb": {"ar", "ar"}, "prs": {"fa", "fa"}, "fas": {"fa", "fa"}, "msa": {"ms", "ms"}, "swa": {"sw", "sw"},
		"no": {"nb", "nb"}, "nno": {"nn", "nn"}, "srp-Cyrl": {"sr", "sr"}, "sr-Latn": {"sr", "sr"}, "hbs": {"sr", "sr"}, "bos": {"bs", "bs"}, "cnr": {"cnr", "cnr"},
		"tl": {"fil", "fil"}, "kmr": {"kmr", "kmr"}, "ku": {"kmr", "kmr"}, "ckb-Arab": {"ckb", "ckb"}, "aze-Latn": {"az", "az"},
		"iw": {"he", "he"}, "und": {}, "zxx": {}, "": {}, "unknown": {}, "q": {}, "1": {},
	} {
		if f, v := Fold(tag), variety(tag); f != want[0] || v != want[1] {
			t.Errorf("%q: %q and %q, want %q", tag, f, v, want)
		}
	}
}

// small is a set of three texts.
func small(t *testing.T) *Set {
	t.Helper()
	dir := t.TempDir()
	must.WriteAll(t, dir, map[string]string{
		"txt/deu.txt":      "Eins ist da.\nZwei ist dort.\nDrei sind viele, die wir kennen.\n",
		"txt/por.txt":      "Um está aqui.\r\n\r\nTrês são muitos.\r\n",
		"txt/zho-TW.txt":   "一二三四五六七八。\n他們\n二 三\n",
		"DOCUMENT_IDS.tsv": "a\na\nb\n",
		"README.md":        "not a text",
	})
	return must.Get(Open(dir))(t)
}

func TestPieces(t *testing.T) {
	s := small(t)
	if got := s.Texts[1].Tag + " " + s.Texts[2].Tag; len(s.Texts) != 3 || got != "pt-PT zh-Hant" {
		t.Errorf("texts %+v", s.Texts)
	}
	if f := s.Fingerprint(); f.Lines != 9 || f.Files != 3 || len(f.SHA256) != 64 {
		t.Errorf("%+v", f)
	}
	for _, c := range []struct {
		cut  Cut
		want [][]string
	}{
		{Cut{By: "line"}, [][]string{
			{"Eins ist da.", "Zwei ist dort.", "Drei sind viele, die wir kennen."}, {"Um está aqui.", "Três são muitos."}, {"一二三四五六七八。", "他們", "二 三"}}},
		{Cut{"line", 2}, [][]string{{"Eins ist da.", "Drei sind viele, die wir kennen."}, {"Um está aqui.", "Três são muitos."}, {"一二三四五六七八。", "二 三"}}},
		{Cut{By: "document"}, [][]string{{"Eins ist da. Zwei ist dort.", "Drei sind viele, die wir kennen."}, {"Um está aqui. ", "Três são muitos."}, {"一二三四五六七八。 他們", "二 三"}}},
		{Cut{"document", 2}, [][]string{{"Eins ist da. Zwei ist dort."}, {"Um está aqui. "}, {"一二三四五六七八。 他們"}}},
		{Cut{By: "words2"}, [][]string{{"Eins ist", "Zwei ist", "Drei sind"}, {"Um está", "Três são"}, {"一二三四五六", "他們", "二 三"}}},
	} {
		got := must.Get(s.Pieces(c.cut))(t)
		must.Same(t, got, c.want, c.cut)
	}
	for _, by := range []string{"", "lines", "words", "words0", "wordsx"} {
		must.Fail(t, must.Err(s.Pieces(Cut{By: by})), "words4")
	}
	if _, err := s.Pieces(Cut{"line", -1}); err == nil {
		t.Error("every -1")
	}
}

// TestDocumentsOfTen: without a list of documents ten lines are one.
func TestDocumentsOfTen(t *testing.T) {
	s := &Set{Texts: []Text{{"deu", "de", slices.Repeat([]string{"x"}, 21)}}}
	got, err := s.Pieces(Cut{By: "document"})
	if err != nil || len(got[0]) != 3 || len(got[0][0]) != 19 || got[0][2] != "x" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	must.Fail(t, must.Err(Open(dir)), "no files <code>.txt")
	must.Write(t, filepath.Join(dir, "notes.txt"), "x\n")
	must.Fail(t, must.Err(Open(dir)), `"notes" is not a language code`)
}

// said makes answers for the lines of the small set.
func said(langs string, answers ...[]Answer) *Answers {
	return &Answers{System: "x", Langs: folded(strings.Fields(langs)), Texts: answers}
}

// TestScore has figures worked out by hand.
func TestScore(t *testing.T) {
	s := small(t)
	a := said("de pt zh en",
		[]Answer{{"deu", .9}, {"pt", .6}, {"de", .3}},
		[]Answer{{"pt-BR", .9}, {"gl", .8}},
		[]Answer{{"zh", 1}, {"und", .2}, {"zh-Hans", .9}})
	r := Score(s, a, Config{})
	if r.Langs != 3 || r.Pieces != 8 || r.Answered != 7 || r.Right != 5 {
		t.Errorf("%+v", r)
	}
	if got, want := r.ByLang["pt"], (Count{Gold: 2, Answered: 2, Right: 1}); *got != want {
		t.Errorf("pt: %+v", got)
	}
	if got, want := r.MacroRecall(), (2./3+1./2+2./3)/3; math.Abs(got-want) > 1e-12 {
		t.Errorf("recall %v, want %v", got, want)
	}
	if got, want := r.MacroF1(), (2*2./(3+2)+2*1./(2+2)+2*2./(3+2))/3; math.Abs(got-want) > 1e-12 {
		t.Errorf("F1 %v, want %v", got, want)
	}
	must.Same(t, r.Confusions(0), []Confusion{{"de", "pt", 1, 1. / 3}, {"pt", "gl", 1, .5}, {"zh", "und", 1, 1. / 3}})
	must.Same(t, r.Sorted(), []string{"pt", "de", "zh"})
	r = Score(s, a, Config{MinConfidence: .7})
	if r.Answered != 5 || r.Right != 4 || r.Precision() != .8 || r.Coverage() != 5./8 || r.Accuracy() != .5 {
		t.Errorf("sure answers: %+v", r)
	}
	r = Score(s, a, Config{Only: map[string]bool{"de": true}})
	if r.Langs != 1 || r.Pieces != 3 || r.Right != 2 {
		t.Errorf("German alone: %+v", r)
	}
	b := said("de en")
	must.Same(t, Known(s, a, b), map[string]bool{"de": true}, "both know")
}

func TestTables(t *testing.T) {
	s := &Set{Texts: []Text{{"por", "pt-PT", nil}, {"por-BR", "pt-BR", nil}, {"spa", "es", nil}, {"ces", "cs", nil}}}
	a := said("pt es cs",
		[]Answer{{"pt-PT", 1}, {"pt", 1}},
		[]Answer{{"pt-BR", 1}, {"es", 1}},
		[]Answer{{"spa", 1}, {"gl", 1}, {"it", 1}, {"", 0}},
		[]Answer{{"cs", 1}})
	var got []string
	for _, g := range Tables(s, a, Config{}) {
		share, n := g.Right()
		got = append(got, g.Group.Name)
		switch g.Group.Name {
		case "es gl pt ca ast oc":
			if want := [][]int{{1, 1, 0, 0, 0, 0, 1, 1}, make([]int, 8), {1, 0, 3, 0, 0, 0, 0, 0}, make([]int, 8), make([]int, 8), make([]int, 8)}; !reflect.DeepEqual(g.Rows, want) || share != .5 || n != 8 {
				t.Errorf("%v, want %v; %v of %d", g.Rows, want, share, n)
			}
		case "Portuguese":
			must.Same(t, g.Rows, [][]int{{1, 0, 1, 0}, {0, 1, 1, 0}})
		}
	}
	must.Same(t, got, []string{"es gl pt ca ast oc", "Portuguese"})
}

func TestInterval(t *testing.T) {
	rows := [][]int{{90, 10, 0}, {20, 70, 10}}
	low, high := interval(rows, 2)
	f1 := macroF1(rows, 2)
	if low >= f1 || high <= f1 || high-low > .2 || high-low < .05 {
		t.Errorf("F1 %.3f in %.3f to %.3f", f1, low, high)
	}
	if low, high := interval([][]int{{5, 0}}, 1); low != 1 || high != 1 {
		t.Errorf("all right: %v to %v", low, high)
	}
}

func TestPredictions(t *testing.T) {
	s, cut := small(t), Cut{By: "line"}
	pieces := must.Get(s.Pieces(cut))(t)
	dir := t.TempDir()
	must.Succeed(t, SavePieces(dir, s, cut, pieces))
	b, err := os.ReadFile(filepath.Join(dir, "line", "deu.txt"))
	if err != nil || string(b) != "Eins ist da.\nZwei ist dort.\nDrei sind viele, die wir kennen.\n" {
		t.Errorf("pieces: %q, %v", b, err)
	}
	write := func(name, text string) {
		t.Helper()
		must.Write(t, filepath.Join(dir, name), text)
	}
	write("system.json", `{"name": "guesser", "version": "1.0", "langs": ["de", "pt"], "speed": {"line": {"bytes": 2000000, "cpu_s": 4}}}`)
	write("line/deu.txt", "de\t0.5\nund\nen\t1\n")
	write("line/por.txt", "pt\npt\n")
	must.Succeed(t, os.Remove(filepath.Join(dir, "line", "zho-TW.txt")))
	a := must.Get(ReadPredictions(dir, s, cut, pieces))(t)
	want := [][]Answer{{{"de", .5}, {"und", 1}, {"en", 1}}, {{"pt", 1}, {"pt", 1}}, {{}, {}, {}}}
	if a.System != "guesser 1.0" || a.Speed.MB() != .5 || !reflect.DeepEqual(a.Texts, want) {
		t.Errorf("%+v", a)
	}
	for _, c := range []struct{ name, text, want string }{
		{"line/deu.txt", "de\n", "1 answers for 3 samples: save the samples again"},
		{"line/deu.txt", "de\tsure\nde\nde\n", `deu.txt:1: confidence "sure"`},
		{"system.json", `{"name": "guesser"}`, "no langs"},
		{"system.json", `[]`, "system.json"},
	} {
		write(c.name, c.text)
		must.Fail(t, must.Err(ReadPredictions(dir, s, cut, pieces)), c.want)
	}
}

// TestFloors measures our detector on the sets of lab/eval/floors.json.
func TestFloors(t *testing.T) {
	f := must.Get(floors.Read("../floors.json"))(t)
	if len(f.Of("langid")) == 0 {
		t.Fatal("no floors")
	}
	abstaining := must.Get(langid.New(langid.Default))(t)
	cfg := langid.Default
	cfg.MinConfidence, cfg.MinClose = 0, 0
	always := must.Get(langid.New(cfg))(t)
	for _, name := range f.Of("langid") {
		s := must.Get(Open(testkit.Data(t, "text/"+name+".tar.zst")))(t)
		var systems []floors.System
		for _, system := range f.Systems("langid/" + name) {
			_, by, _ := strings.Cut(system, "/")
			pieces := must.Get(s.Pieces(Cut{By: by}))(t)
			score := func(d *langid.Detector) *Result {
				return Score(s, Run("", d.Langs(), pieces, func(text string) Answer {
					g := d.Detect(text)
					if !slices.Contains(d.Langs(), g.Lang) { // several close languages
						return Answer{}
					}
					return Answer{g.Lang, g.Confidence}
				}), Config{})
			}
			systems = append(systems, floors.System{Name: system, Figures: Floored(score(abstaining), score(always))})
		}
		below := must.Get(f.Check("langid/"+name, s.Fingerprint(), systems))(t)
		for _, line := range below {
			t.Error(line)
		}
	}
}

// TestNoise counts answers for text in no language, which do not count for the languages.
func TestNoise(t *testing.T) {
	dir := t.TempDir()
	must.Write(t, filepath.Join(dir, "deu.txt"), "ja\n")
	must.Write(t, filepath.Join(dir, "zxx-code.txt"), "a\nb\nc\nd\n")
	s := must.Get(Open(dir))(t)
	a := said("de", []Answer{{"de", .9}}, []Answer{{"zxx", .9}, {"und", .1}, {"de", .4}, {"de", .8}})
	if got, want := NoiseOf(s, a, Config{MinConfidence: .5}), []Noise{{"zxx-code", 4, 1, 2}}; !reflect.DeepEqual(got, want) || got[0].Accepted() != .25 {
		t.Errorf("%v, want %v", got, want)
	}
	if got := NoiseOf(s, a, Config{}); got[0].Accepted() != .5 {
		t.Errorf("always: %v", got)
	}
	if r := Score(s, a, Config{}); r.Pieces != 1 || r.Right != 1 || len(r.ByLang) != 1 {
		t.Errorf("%+v", r)
	}
}
