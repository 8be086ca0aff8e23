package gdex

import (
	"math"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// sentence returns a sentence whose keyword is the first token key.
func sentence(text, key, lang string) *Sentence {
	s := &Sentence{Words: strings.Fields(text), Lang: lang}
	s.Rare = make([]bool, len(s.Words))
	for i, w := range s.Words {
		if w == key && s.End == 0 {
			s.Start, s.End = i, i+1
		}
	}
	return s
}

func TestWhole(t *testing.T) {
	for text, want := range map[string]bool{
		"The cat slept .":          true,
		`" The cat slept . "`:      true,
		`The cat slept . "`:        false,
		"( The cat slept . )":      true,
		"The cat slept . )":        false,
		"the cat slept .":          false,
		"The cat slept":            false,
		"The cat slept :":          false,
		"¿ Duerme el gato ?":       true,
		"猫 が 寝 た 。":                true,
		"القطة نائمة ؟":            true,
		"แมว นอน หลับ":             true,
		"बिल्ली सो रही है ।":       true,
		"3 cats slept .":           false,
		"Кошка спит …":             true,
		". . .":                    false,
		"":                         false,
		"A":                        false,
		"She said “ no ” to him .": true,
		"Sie sagte ‚ nein ‘ .":     true,
	} {
		if got := Whole(strings.Fields(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestFeatures compares the features with values computed by hand.
func TestFeatures(t *testing.T) {
	c := Default()
	// 10 tokens, 8 words; the keyword is token 3.
	plain := values{1, 1, 1, 1, 1, 1, 1, 1, 1, 1 - 3.0/10}
	of := func(change func(*values)) values {
		v := plain
		change(&v)
		return v
	}
	for _, x := range []struct {
		text, lang string
		want       values
	}{
		{"We went , slowly home through the old park .", "en", plain},
		{"It went , slowly home through the old park .", "en", of(func(v *values) { v.anaphora = 0 })},
		{"It went , slowly home through the old park .", "", plain},
		// 2 marks inside of 10 tokens, limit 0.3.
		{"We went , slowly - through : the park .", "en", of(func(v *values) { v.marks = 1 - 2.0/10/0.3 })},
		// 1 of 8 words with a capital, limit 0.4. German nouns have capitals.
		{"We went , slowly home through the old Park .", "en-GB", of(func(v *values) { v.capitals = 1 - 1.0/8/0.4 })},
		{"We went , slowly home through the old Park .", "de", plain},
		// 1 of 8 words with more than 12 letters, limit 0.3.
		{"We went , slowly home through the extraordinarily park .", "en", of(func(v *values) { v.long = 1 - 1.0/8/0.3 })},
		{"We went , slowly home through x@y.example old park .", "en", of(func(v *values) { v.symbols = 0.5 })},
	} {
		s := sentence(x.text, "slowly", x.lang)
		x.want.early = 1 - 3.0/float64(len(s.Words))
		x.want.length = c.Length.value(len(s.Words))
		if got := c.features(s); !same(got, x.want) {
			t.Errorf("%q: %+v, want %+v", x.text, got, x.want)
		}
	}
	s := sentence("We went , slowly home through the old park .", "slowly", "en")
	s.Rare[3], s.Rare[8] = true, true // the keyword does not count
	if got, want := c.features(s).rare, 1-1.0/8/0.3; math.Abs(got-want) > 1e-12 {
		t.Errorf("rare: %v, want %v", got, want)
	}
	c.Blacklist.Words = []string{"Park"}
	if got := c.Score(s); got != 0 {
		t.Errorf("a sentence with a word of the blacklist has the score %v", got)
	}
}

func same(a, b values) bool {
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }
	return near(a.length, b.length) && near(a.whole, b.whole) && near(a.rare, b.rare) && near(a.long, b.long) && near(a.marks, b.marks) &&
		near(a.symbols, b.symbols) && near(a.capitals, b.capitals) && near(a.anaphora, b.anaphora) && near(a.blacklist, b.blacklist) && near(a.early, b.early)
}

func TestLength(t *testing.T) {
	l := Length{Min: 6, From: 10, To: 14, Max: 28}
	for n, want := range map[int]float64{0: 0, 5: 0, 6: 0.2, 9: 0.8, 10: 1, 14: 1, 15: 14.0 / 15, 28: 1.0 / 15, 29: 0} {
		if got := l.value(n); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d tokens: %v, want %v", n, got, want)
		}
	}
}

// TestScore: a weight of 1 makes a feature a condition, and 0.5 halves the score.
func TestScore(t *testing.T) {
	c := must.Get(Read(strings.NewReader(`{"whole": {"weight": 0.5}, "early": {"weight": 0}, "anaphora": {"words": {"en": ["we"]}}}`)))(t)
	for text, want := range map[string]float64{
		"The boys went slowly home through the park .": 0.5 + 0.5*1,
		"the boys went slowly home through the park .": 0.5,
		"We all went slowly home through the park .":   0.6,
	} {
		want *= 1 - 0.9*(1-c.Length.value(9))
		if got := c.Score(sentence(text, "slowly", "en")); math.Abs(got-want) > 1e-12 {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if len(c.Anaphora.Words["de"]) == 0 {
		t.Error("a list for English replaced the list for German")
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"whole": {"weight": 2}}`:     "whole: weight 2 (wanted 0 to 1)",
		`{"marks": {"limit": 0}}`:      "marks: limit 0 (wanted above 0)",
		`{"length": {"min": 40}}`:      "length: 40, 10, 14, 28",
		`{"lenght": {}}`:               `unknown field "lenght"`,
		`{"similar": 0}`:               "similar: 0",
		`{"rare": {"common": 0}}`:      "rare: common 0",
		`{"long": {"letters": 0}}`:     "long: letters 0",
		`{} {}`:                        "text after the object",
		`{"whole": {"weight": "all"}}`: "cannot unmarshal",
		``:                             "EOF",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestSimilarity(t *testing.T) {
	bag := func(s string) Bag { return NewBag(strings.Fields(s)) }
	for _, x := range []struct {
		a, b string
		want float64
	}{{"The cat slept .", "the cat slept !", 1}, {"a b c", "b c d", 0.5}, {"a b", "c d", 0}, {". .", "!", 1}} {
		if got := bag(x.a).Similarity(bag(x.b)); got != x.want {
			t.Errorf("%q and %q: %v, want %v", x.a, x.b, got, x.want)
		}
	}
}
