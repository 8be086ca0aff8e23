package page

import "testing"

func TestText(t *testing.T) {
	good, bad := Verdict{Label: Good}, Verdict{Label: Bad}
	two := Verdict{Label: Good, Sentences: []Sentence{{Start: 0, End: 4, Label: Bad}, {Start: 5, End: 9, Label: Good}}}
	p := &Page{Blocks: []Block{
		{Text: "Menu", Verdict: bad}, {Text: "A line.", Verdict: good}, {Text: "One. Two.", Verdict: two}, {Text: "a\nb", Kind: Code, Verdict: good},
	}}
	if got, want := p.Text(), "A line.\nTwo.\na\nb"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if p.Drop = AllBad; p.Text() != "" {
		t.Errorf("a dropped page has the text %q", p.Text())
	}
}
