package segment_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	segmenttrain "chaffinch/lab/train/segment"
	"chaffinch/model"
	"chaffinch/model/data"
	_ "chaffinch/model/data/segmenters"
	"chaffinch/text/token/segment"
)

// words are those of a language of ours: each begins with a character that is
// inside of none, so that where words end can be learned.
var words = strings.Fields("山本 川口田 木 火山 土地人 月見 日 水車小屋 金物")

// sentences returns random sentences, and a line of words for each.
func sentences(seed uint64, n int) string {
	rng := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	for range n {
		for i := range 3 + rng.IntN(9) {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(words[rng.IntN(len(words))])
		}
		b.WriteString(" 。\n")
	}
	return b.String()
}

func texts(t testing.TB, lines string) []segmenttrain.Text {
	return must.Get(segmenttrain.ReadWords("lines", strings.NewReader(lines)))(t)
}

// file trains a model and returns its bytes.
func file(t testing.TB, cfg segmenttrain.Config, set []segmenttrain.Text) []byte {
	t.Helper()
	w := must.Get(segmenttrain.Train(context.Background(), cfg, set))(t)
	f := model.Memory(model.Header{Kind: segment.Kind, Behaviour: segment.Behaviour, Name: "test"})
	must.Succeed(t, w.Write(f))
	return must.Get(f.Bytes())(t)
}

// cut returns the pieces into which m cuts a text.
func cut(m *segment.Model, text string) (pieces []string) {
	var e segment.Ends
	start := 0
	for i := range text {
		if i > 0 && m.At(text, i, &e) {
			pieces = append(pieces, text[start:i])
			start = i
		}
	}
	return append(pieces, text[start:])
}

func config() segmenttrain.Config {
	cfg := segmenttrain.Default
	cfg.Lang = "zh"
	return cfg
}

// TestTrain learns a language from some sentences and cuts others.
func TestTrain(t *testing.T) {
	b := file(t, config(), texts(t, sentences(1, 60)))
	if again := file(t, config(), texts(t, sentences(1, 60))); !bytes.Equal(b, again) {
		t.Error("the same text gives another model")
	}
	m := must.Get(segment.Parse("test", b))(t)
	if m.Lang != "zh" || !slices.Equal(m.Scripts, []segment.Script{"Han"}) || !m.Covers('山') || m.Covers('あ') || m.Covers('a') {
		t.Errorf("%+v", m.Config)
	}
	for line := range strings.Lines(sentences(2, 20)) {
		want := strings.Fields(line)
		if got := cut(m, strings.Join(want, "")); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestLong: places are decided in blocks, and a block changes nothing.
func TestLong(t *testing.T) {
	m := must.Get(segment.Parse("test", file(t, config(), texts(t, sentences(1, 60)))))(t)
	text := strings.ReplaceAll(strings.ReplaceAll(sentences(3, 40), " 。\n", ""), " ", "")
	var e segment.Ends
	var all []int
	for i := range text {
		if m.At(text, i, &e) {
			all = append(all, i)
		}
	}
	rng := rand.New(rand.NewPCG(5, 5))
	for range 50 {
		var e segment.Ends
		at := rng.IntN(len(text)/3) * 3
		for i := at; i < min(at+300, len(text)); i += 3 {
			if got, want := m.At(text, i, &e), slices.Contains(all, i); got != want {
				t.Fatalf("asked from %d on: at %d %v, want %v", at, i, got, want)
			}
		}
	}
}

// TestDictionary: words that the text lacks are found if a dictionary has
// them. The words of this language share their characters, so that n-grams say
// little about where one ends.
func TestDictionary(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	chars := []rune("一丁七万丈三上下不与丑且世丘丙业东丝两严丧个中丰临丸丹为主丽举")
	known := map[string]bool{}
	var all []string
	for len(all) < 200 {
		w := make([]rune, 2+rng.IntN(3))
		for i := range w {
			w[i] = chars[rng.IntN(len(chars))]
		}
		if !known[string(w)] {
			known[string(w)] = true
			all = append(all, string(w))
		}
	}
	line := func(words []string) []string {
		l := make([]string, 8)
		for i := range l {
			l[i] = words[rng.IntN(len(words))]
		}
		return l
	}
	var b strings.Builder
	for range 150 {
		b.WriteString(strings.Join(line(all[:100]), " ") + "\n")
	}
	set := texts(t, b.String())
	var unseen [][]string
	for range 50 {
		unseen = append(unseen, line(all[100:]))
	}
	found := func(cfg segmenttrain.Config) float64 {
		m := must.Get(segment.Parse("dictionary", file(t, cfg, set)))(t)
		if len(cfg.Words) > 0 && m.Words != len(all) {
			t.Errorf("%d words, want %d", m.Words, len(all))
		}
		right, words := 0, 0
		for _, want := range unseen {
			ends, at := map[int]bool{0: true}, 0
			for _, w := range cut(m, strings.Join(want, "")) {
				at += len(w)
				ends[at] = true
			}
			at = 0
			for _, w := range want {
				whole := ends[at] && ends[at+len(w)]
				for i := at + 1; i < at+len(w); i++ {
					whole = whole && !ends[i]
				}
				if words++; whole {
					right++
				}
				at += len(w)
			}
		}
		return float64(right) / float64(words)
	}
	cfg := config()
	without := found(cfg)
	cfg.Words = append(slices.Clone(all), "toolongtobeaword", "")
	with := found(cfg)
	t.Logf("%.2f of the words without a dictionary, %.2f with one", without, with)
	if without > .5 || with < .9 {
		t.Errorf("%.2f of the words without a dictionary, %.2f with one; want at most .5 and at least .9", without, with)
	}
}

// TestFold: one character counts as another.
func TestFold(t *testing.T) {
	cfg := config()
	cfg.Fold = map[rune]rune{'車': '车', '见': '見'}
	m := must.Get(segment.Parse("test", file(t, cfg, texts(t, sentences(1, 60)))))(t)
	if got, want := cut(m, "水车小屋月见山本。"), []string{"水车小屋", "月见", "山本", "。"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNoAllocations(t *testing.T) {
	m := embedded(t, "zh")
	text := strings.Repeat("我们昨天在北京大学学习了很多东西。", 20)
	if n := testing.AllocsPerRun(10, func() {
		var e segment.Ends
		for i := range text {
			m.At(text, i, &e)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func embedded(t testing.TB, lang string) *segment.Model {
	b, ok := data.Segmenter(lang)
	if !ok {
		t.Fatalf("no model of %s", lang)
	}
	return must.Get(segment.Parse(lang, b))(t)
}

// TestEmbedded: each model is of its language, and all are small.
func TestEmbedded(t *testing.T) {
	size := 0
	for _, lang := range data.Segmented() {
		b, _ := data.Segmenter(lang)
		size += len(b)
		if m := embedded(t, lang); m.Lang != lang || m.Words == 0 {
			t.Errorf("%s: %+v", lang, m.Config)
		}
	}
	if size > 3<<20 {
		t.Errorf("%d bytes in all, wanted 3 MiB at most", size)
	}
	for text, want := range map[string]string{
		"ภาษาต่างๆ": "ภาษา ต่าง ๆ", "人々はコーヒーを飲む": "人々 は コーヒー を 飲む", "這座城市的歷史": "這座 城市 的 歷史",
		"ផ្ទះនៅក្នុងភូមិ": "ផ្ទះ នៅ ក្នុង ភូមិ", "ဆရာကို": "ဆရာ ကို",
		"ໂຮງຮຽນຂອງລາວ": "ໂຮງຮຽນ ຂອງ ລາວ", "སངས་རྒྱས་ཀྱི་བསྟན་པ": "སངས་རྒྱས་ ཀྱི་ བསྟན་པ",
	} {
		lang := map[rune]string{'ภ': "th", '人': "ja", '這': "zh", 'ផ': "km", 'ဆ': "my", 'ໂ': "lo", 'ས': "bo"}[[]rune(text)[0]]
		if got := strings.Join(cut(embedded(t, lang), text), " "); strings.ReplaceAll(got, "這 座", "這座") != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestDamaged: sections of a wrong size are an error, not a crash.
func TestDamaged(t *testing.T) {
	good := file(t, config(), texts(t, sentences(1, 20)))
	f := must.Get(model.Parse("good", good))(t)
	for _, name := range f.Sections() {
		for _, with := range []string{"", "\x00", strings.Repeat("\xff", 64)} {
			w := model.Memory(f.Header)
			for _, s := range f.Sections() {
				b, _ := f.Section(s)
				w.Section(s)
				if s == name {
					b = []byte(with)
				}
				w.Write(b)
			}
			b := must.Get(w.Bytes())(t)
			if _, err := segment.Parse("bad", b); err == nil && !(name == "fold" && (with == "" || len(with)%8 == 0)) {
				t.Errorf("section %s of %d bytes is no error", name, len(with))
			} else if err != nil && !strings.Contains(err.Error(), name) {
				t.Errorf("section %s: %v", name, err)
			}
		}
	}
	if _, err := segment.Open(filepath.Join(t.TempDir(), "none.chf")); err == nil {
		t.Error("a file that is not there is no error")
	}
}

// TestNothingToLearn: what cannot be trained on is an error.
func TestNothingToLearn(t *testing.T) {
	for about, c := range map[string]struct {
		cfg  segmenttrain.Config
		text string
		want string
	}{
		"no language":   {segmenttrain.Default, "山 川\n", "no language"},
		"no script":     {config(), "two words\n", "scripts without spaces"},
		"no place":      {config(), "山 。\n", "no place"},
		"no epoch":      {segmenttrain.Config{Lang: "zh", MinCount: 1, Rate: 1}, "山 川\n", "0 epochs"},
		"negative rate": {segmenttrain.Config{Lang: "zh", MinCount: 1, Epochs: 1, Rate: -1}, "山 川\n", "rate -1"},
	} {
		if _, err := segmenttrain.Train(context.Background(), c.cfg, texts(t, c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", about, err, c.want)
		}
	}
}

// TestReadTreebank: blanks stand where the treebank has them.
func TestReadTreebank(t *testing.T) {
	const bank = "# text = 山本 a\n1\t山\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n2\t本\t_\t_\t_\t_\t_\t_\t_\t_\n3\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
	got, err := segmenttrain.ReadTreebank("x.conllu", strings.NewReader(bank))
	if err != nil || len(got) != 1 || got[0].Text != "山本 a " || !slices.Equal(got[0].Ends, []int{3, 6, 8}) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := segmenttrain.ReadTreebank("x.conllu", strings.NewReader("1\ta\n")); err == nil || !strings.Contains(err.Error(), "x.conllu:1: 2 columns") {
		t.Error(err)
	}
}
