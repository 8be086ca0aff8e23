package blocks

import (
	"strings"
	"testing"
)

// TestSections checks which heading each block is under. Blocks have their heading as their text.
func TestSections(t *testing.T) {
	const long = " and these are more words of the same block, so that the box is more than a heading with a short line below it."
	for _, c := range []struct{ name, html string }{
		{"levels", "<p>-<h1>A</h1><p>A<h2>B</h2><p>B<h3>C</h3><p>C"},
		{"text before and after a box", "<h1>A</h1><p>A" + long + "<div><h2>B</h2><p>B" + long + "</div><p>A" + long},
		{"heading in a box of its own", "<h1>A</h1><p>A<div><div><h2>B</h2></div><p>B" + long + "</div><p>A" + long},
		{"the next heading of the level ends a section", "<h2>A</h2><p>A<h2>B</h2><p>B<h3>C</h3><p>C<h2>D</h2><p>D"},
		{"cards", strings.Repeat("<div><h4>A</h4><p>A"+long+"</div>", 3) + "<p>-"},
	} {
		s := sheetOf(t, c.html)
		p := cut(t, c.html)
		for i, b := range p.Blocks {
			if b.Level > 0 {
				continue
			}
			got := "-"
			if h := s.sections[s.sectionOf[i]].heading; h >= 0 {
				got = p.Blocks[h].Text
			}
			if want := b.Text[:1]; got != want {
				t.Errorf("%s: block %d, %.10q, is under %q", c.name, i, b.Text, got)
			}
		}
	}
}

// TestSectionColumns checks the columns of sizes and headings.
func TestSectionColumns(t *testing.T) {
	const (
		long  = "The miller of the village has not been seen since the winter storm, say his neighbours."
		other = "The baker sells bread on this side of the river too, from six in the morning."
	)
	at := columnsOf(t, "<title>The mill</title><p>before<h1>The mill</h1><p>"+long+"<p>short<div><h2>More news</h2><p><a href=x>"+other+"</a></div>")
	for _, c := range []struct {
		text string
		c    column
		want float64
	}{
		{"before", colSectionLevel, noSection}, {long, colSectionLevel, 1}, {other, colSectionLevel, 2},
		{"before", colSectionTitle, noSection}, {long, colSectionTitle, 1}, {other, colSectionTitle, 0},
		{long, colSectionLinks, 0}, {other, colSectionLinks, 1}, {other, colSectionGood, 0},
		{long, colSectionIndex, 0},
	} {
		if got := at(c.text, c.c); got != c.want {
			t.Errorf("%q, %s: %v, wanted %v", c.text, columnNames[c.c], got, c.want)
		}
	}
}
