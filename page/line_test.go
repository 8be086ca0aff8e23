package page

import "testing"

// TestLine: a row of a data table is one line, whatever of it is kept.
func TestLine(t *testing.T) {
	good, bad := Verdict{Label: Good}, Verdict{Label: Bad}
	p := &Page{Blocks: []Block{
		{Text: "Name", Row: 1, Column: 0, Verdict: good}, {Text: "Year", Row: 1, Column: 2, Verdict: good},
		{Text: "dropped", Row: 2, Column: 0, Verdict: bad}, {Text: "a\tb\nc", Row: 2, Column: 1, Verdict: good}, {Text: "d", Row: 2, Column: 1, Verdict: good},
		{Text: "e", Row: 3, Column: 1, Verdict: good}, {Text: "f", Row: 3, Column: 0, Verdict: good},
		{Text: "dropped", Row: 4, Verdict: bad},
		{Text: "After.", Verdict: good},
	}}
	if got, want := p.Text(), "Name\t\tYear\n\ta b c d\n\te f\nAfter."; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}
