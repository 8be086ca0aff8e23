package profile

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"

	"chaffinch/internal/report"
)

// Section is a part of a profile as a table of text.
type Section struct {
	Title string
	// About is a sentence above the table, or the reason of a part without rows.
	About string
	Head  []string
	Rows  [][]string
	// Text is the number of columns with text, which precede the columns with numbers.
	Text int
}

// titles are the titles of the parts.
var titles = map[string]string{
	"summary": "Frequency", "forms": "Word forms", "time": "By time", "register": "By register", "site": "By source",
	"sketch": "Word sketch", "collocations": "Collocations", "thesaurus": "Thesaurus", "examples": "Good examples",
}

// Sections returns the requested parts as tables, in the order of Parts.
func (p *Profile) Sections() (out []Section) {
	for _, name := range Parts {
		if why, ok := p.Missing[name]; ok {
			out = append(out, Section{Title: titles[name], About: "left out: " + why})
			continue
		}
		for _, s := range p.sections(name) {
			s.Title = strings.TrimSuffix(titles[name]+": "+s.Title, ": ")
			out = append(out, s)
		}
	}
	return out
}

func whole(n int64) string         { return report.Grouped(n) }
func decimal(x float64) string     { return strconv.FormatFloat(x, 'f', 2, 64) }
func row(cells ...string) []string { return cells }

// sections returns the tables of a part, without tables if it was not requested.
func (p *Profile) sections(name string) (out []Section) {
	s := Section{Text: 1}
	switch {
	case name == "summary" && p.Summary != nil:
		w := p.Summary
		s.Text = 0
		s.Head, s.Rows = row("freq", "per million", "arf", "aldf"), [][]string{row(whole(w.Freq), decimal(w.PerMillion), decimal(w.ARF), decimal(w.ALDF))}
		if w.DP != nil {
			s.Head, s.Rows[0] = append(s.Head, "docf", "dp", "dpnorm"), append(s.Rows[0], whole(w.DocFreq), decimal(*w.DP), decimal(*w.DPNorm))
		}
	case name == "forms" && p.Forms != nil:
		s.Head = row("form", "hits", "percent")
		for _, r := range p.Forms {
			s.Rows = append(s.Rows, row(r.Form, whole(r.Hits), decimal(100*r.Share)))
		}
	case name == "time" && p.Time != nil:
		s = p.Time.section()
	case name == "register" && p.Register != nil:
		s = p.Register.section()
	case name == "site" && p.Site != nil:
		s = p.Site.section()
	case name == "sketch" && p.Sketch != nil:
		for _, r := range p.Sketch.Relations {
			t := Section{Title: r.Name, About: fmt.Sprintf("%s, %.1f %%", whole(r.Hits), r.Percent), Text: 1, Head: row("collocate", "hits", "logDice")}
			for _, w := range r.Collocates {
				t.Rows = append(t.Rows, row(w.Word, whole(w.Hits), decimal(w.Score)))
			}
			out = append(out, t)
		}
		if len(out) > 0 {
			return out
		}
	case name == "collocations" && p.Collocations != nil:
		s.Head = row("collocate", "hits", "freq", "logDice")
		for _, r := range p.Collocations {
			s.Rows = append(s.Rows, row(r.Word, whole(r.Hits), whole(r.Freq), decimal(r.LogDice)))
		}
	case name == "thesaurus" && p.Thesaurus != nil:
		s.About = "in the whole corpus"
		s.Head = row("word", "freq", "similarity")
		for _, r := range p.Thesaurus.Similar {
			s.Rows = append(s.Rows, row(r.Word, whole(r.Freq), decimal(r.Score)))
		}
	case name == "examples" && p.Examples != nil:
		s.Head, s.Text = row("example", "source"), 2
		for _, e := range p.Examples {
			s.Rows = append(s.Rows, row(e.Left+"<"+e.Match+">"+e.Right, e.Ref))
		}
	default:
		return nil
	}
	if len(s.Rows) == 0 {
		s.About = "nothing found"
	}
	return append(out, s)
}

// section returns the table of a division.
func (d *Division) section() Section {
	s := Section{Title: d.By, Text: 1, Head: row(d.By, "tokens", "hits", "per million", "relative")}
	for _, r := range d.Rows {
		value := r.Value
		if value == "" {
			value = "(none)"
		}
		s.Rows = append(s.Rows, row(value, whole(r.Tokens), whole(r.Hits), decimal(r.PerMillion), decimal(r.Relative)))
	}
	return s
}

//go:embed profile.html
var profileHTML string

var profileTemplate = report.Template("profile", profileHTML, nil)

// WriteHTML writes the profile as one file that loads nothing.
func (p *Profile) WriteHTML(w io.Writer) error {
	return profileTemplate().Execute(w, struct {
		Frame    report.Frame
		Word     string
		Tokens   int64
		Sections []Section
	}{report.NewFrame(p.Word.Word + " · word profile by chaffinch"), p.Word.Word, p.Tokens, p.Sections()})
}
