package page

import "testing"

func TestKept(t *testing.T) {
	const text = "One. Two.\n\nThree. Four."
	all := []Sentence{{0, 4, Good, 0}, {5, 9, Good, 0}, {11, 17, Good, 0}, {18, 23, Good, 0}}
	without := func(bad ...int) []Sentence {
		s := append([]Sentence(nil), all...)
		for _, i := range bad {
			s[i].Label = Bad
		}
		return s
	}
	for _, c := range []struct {
		label     Label
		sentences []Sentence
		want      string
	}{
		{Good, nil, text},
		{Bad, nil, ""},
		{Bad, all, ""},
		{Good, all, text},
		{Good, without(3), "One. Two.\nThree."},
		{Good, without(1), "One.\nThree. Four."},
		{Good, without(1, 2), "One.\nFour."},
		{NearGood, without(2, 3), "One. Two."},
		{Good, without(0, 1, 2, 3), ""},
	} {
		b := Block{Text: text, Verdict: Verdict{Label: c.label, Sentences: c.sentences}}
		if got := b.Kept(); got != c.want {
			t.Errorf("%v %v: %q, want %q", c.label, c.sentences, got, c.want)
		}
	}
}
