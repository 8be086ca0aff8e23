package page

import (
	"reflect"
	"testing"
)

func TestKeptInline(t *testing.T) {
	const text = "One two. Three four.\nFive six."
	sentences := func(keep ...int) []Sentence {
		s := []Sentence{{0, 8, Bad, 0}, {9, 20, Bad, 0}, {21, 30, Bad, 0}}
		for _, i := range keep {
			s[i].Label = Good
		}
		return s
	}
	inline := []Inline{
		{Kind: Strong, Start: 0, End: 3},
		{Kind: Link, Start: 4, End: 14, URL: "x"},
		{Kind: LineBreak, Start: 8, End: 9},
		{Kind: Emphasis, Start: 9, End: 30},
		{Kind: Picture, Start: 15, End: 15, URL: "y"},
		{Kind: Picture, Start: 20, End: 20, URL: "z"},
	}
	for _, c := range []struct {
		sentences []Sentence
		text      string
		want      []Inline
	}{
		{nil, text, inline},
		{sentences(0, 1, 2), text, inline},
		{sentences(), "", nil},
		{sentences(0), "One two.", []Inline{{Kind: Strong, Start: 0, End: 3}, {Kind: Link, Start: 4, End: 8, URL: "x"}}},
		{sentences(1), "Three four.", []Inline{
			{Kind: Link, Start: 0, End: 5, URL: "x"}, {Kind: Emphasis, Start: 0, End: 11},
			{Kind: Picture, Start: 6, End: 6, URL: "y"}, {Kind: Picture, Start: 11, End: 11, URL: "z"},
		}},
		{sentences(0, 2), "One two.\nFive six.", []Inline{
			{Kind: Strong, Start: 0, End: 3}, {Kind: Link, Start: 4, End: 8, URL: "x"}, {Kind: Emphasis, Start: 9, End: 18},
		}},
		{sentences(1, 2), "Three four.\nFive six.", []Inline{
			{Kind: Link, Start: 0, End: 5, URL: "x"}, {Kind: Emphasis, Start: 0, End: 21},
			{Kind: Picture, Start: 6, End: 6, URL: "y"}, {Kind: Picture, Start: 11, End: 11, URL: "z"},
		}},
	} {
		b := Block{Text: text, Inline: inline, Verdict: Verdict{Label: Good, Sentences: c.sentences}}
		got, marks := b.KeptInline()
		if got != c.text || !reflect.DeepEqual(marks, c.want) {
			t.Errorf("%v:\n%q %v\nwant\n%q %v", c.sentences, got, marks, c.text, c.want)
		}
	}
}
