package nontext_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/filter/nontext"
	"chaffinch/internal/testkit/must"
	trainnontext "chaffinch/lab/train/nontext"
	"chaffinch/lab/train/nontext/generate"
	"chaffinch/model"
)

// story writes a text of n sentences by a small grammar.
func story(r *rand.Rand, n int) string {
	one := func(words string) string {
		list := strings.Fields(words)
		return list[r.IntN(len(list))]
	}
	phrase := func() string {
		return one("the a this every her his") + " " + one("old small quiet broken green narrow early empty heavy northern") + " " +
			one("harbour island ferry captain window letter garden bridge winter lantern village stranger kitchen morning teacher")
	}
	var b strings.Builder
	for i := range n {
		s := phrase() + " " + one("carried found crossed painted remembered followed opened mended watched left") + " " + phrase()
		switch r.IntN(3) {
		case 0:
			s += " " + one("before after while because") + " " + phrase() + " " + one("slept waited burned vanished returned")
		case 1:
			s = one("Yesterday Later Then Once") + ", " + s
		}
		b.WriteString(strings.ToUpper(s[:1]) + s[1:] + ".")
		if i%6 == 5 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func stories(seed uint64, n int) (docs []trainnontext.Doc, texts []generate.Text) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range n {
		text := story(r, 12+r.IntN(12))
		docs = append(docs, trainnontext.Doc{Text: text})
		texts = append(texts, generate.Text{Lang: "en", Text: text})
	}
	return docs, texts
}

// small is a quick setting.
func small(words bool) trainnontext.Config {
	cfg := trainnontext.DefaultShapes
	cfg.Words, cfg.Bits, cfg.Recall = words, 12, 0.9
	return cfg
}

// once holds the model of each setting for tests that only use it.
var once = map[bool]*nontext.Model{}

func trained(t *testing.T, words bool) *nontext.Model {
	t.Helper()
	if once[words] == nil {
		once[words], _ = train(t, small(words))
	}
	return once[words]
}

func train(t *testing.T, cfg trainnontext.Config) (*nontext.Model, *trainnontext.Report) {
	t.Helper()
	good, texts := stories(1, 80)
	var bad []trainnontext.Doc
	for _, d := range generate.Mix(texts, generate.Kinds, 1) {
		bad = append(bad, trainnontext.Doc{Text: d.Text, Kind: d.Kind})
	}
	m, rep, err := trainnontext.Train(context.Background(), cfg, trainnontext.Data{Good: good, Bad: bad})
	must.Succeed(t, err)
	return m, rep
}

// TestTrain: a model of either setting keeps new good text and finds new bad text;
// trained again it is the same, and it comes back from its file.
func TestTrain(t *testing.T) {
	for _, words := range []bool{true, false} {
		m, rep := train(t, small(words))
		if rep.Kept < 0.9 || rep.Good+rep.HeldOutGood != 80 || len(rep.Kinds) < 5 {
			t.Errorf("words %v: report %+v", words, rep)
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "m.chf")
		must.Succeed(t, m.Save(path, model.Header{Name: "m"}))
		again, _ := train(t, small(words))
		must.Succeed(t, again.Save(filepath.Join(dir, "again.chf"), model.Header{Name: "m"}))
		a, _ := os.ReadFile(path)
		b, _ := os.ReadFile(filepath.Join(dir, "again.chf"))
		if len(a) == 0 || !slices.Equal(a, b) {
			t.Errorf("words %v: the same text gave another model", words)
		}
		read, err := nontext.Load(path)
		must.Succeed(t, err)
		good, texts := stories(2, 40)
		lost, found, bad := 0, 0, generate.Mix(texts, generate.Kinds, 2)
		s := nontext.NewScorer()
		for _, d := range good {
			p, ok := s.Score(m, d.Text)
			if q, _ := s.Score(read, d.Text); !ok || p != q || p < 0 || p > 1 {
				t.Fatalf("words %v: scores %v and, from the file, %v", words, p, q)
			}
			if p > m.Limit() {
				lost++
			}
		}
		for _, d := range bad {
			if p, _ := s.Score(m, d.Text); p > m.Limit() {
				found++
			}
		}
		if lost > 12 || found < len(bad)*7/10 {
			t.Errorf("words %v: %d of 40 good lost, %d of %d bad found", words, lost, found, len(bad))
		}
	}
}

// TestWhy: the reason names the word that was stuffed in.
func TestWhy(t *testing.T) {
	m := trained(t, true)
	text := strings.Repeat("cheap lantern online, ", 40)
	why := nontext.NewScorer().Why(m, text, 8)
	if len(why) == 0 || len(why) > 8 {
		t.Fatalf("reasons %q", why)
	}
	known := func(r string) bool { return strings.HasPrefix(r, `"`) || strings.Contains(r, " ") }
	for _, r := range why {
		if !known(r) {
			t.Errorf("reason %q", r)
		}
	}
	if !slices.Contains(why, `"lantern"`) {
		t.Errorf("reasons without the word: %q", why)
	}
}

// TestRefused: settings that cannot be, and too little text.
func TestRefused(t *testing.T) {
	good, _ := stories(1, 5)
	for name, change := range map[string]func(*trainnontext.Config){
		"recall": func(c *trainnontext.Config) { c.Recall = 1 }, "bits": func(c *trainnontext.Config) { c.Bits = 40 }, "epochs": func(c *trainnontext.Config) { c.Epochs = 0 },
		"held out": func(c *trainnontext.Config) { c.HeldOut = 1 }, "rate": func(c *trainnontext.Config) { c.Rate = 0 }, "hold out": func(c *trainnontext.Config) {},
	} {
		cfg := small(true)
		change(&cfg)
		_, _, err := trainnontext.Train(context.Background(), cfg, trainnontext.Data{Good: good, Bad: good})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
