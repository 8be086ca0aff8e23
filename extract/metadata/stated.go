package metadata

import (
	"html"
	"slices"

	"chaffinch/page"
)

// Limits of the stated values.
const (
	maxStated     = 8       // values of a field
	maxStatedText = 1 << 18 // bytes of the running text
)

// State records a meta element only for [Sources.FillStated].
func (s *Sources) State(name, content string) {
	if f, ok := metaName(name); ok {
		s.state(f.field, content)
	}
}

// FillStated sets the titles, descriptions, authors, dates and text of st from meta elements and
// JSON-LD.
func (s *Sources) FillStated(st *page.Stated) {
	st.Titles, st.Descriptions, st.Authors, st.Dates, st.Text = s.stated.Titles, s.stated.Descriptions, s.stated.Authors, s.stated.Dates, s.stated.Text
}

// state records a value, unescaped.
func (s *Sources) state(f field, value string) {
	var list *[]string
	switch f {
	case title:
		list = &s.stated.Titles
	case description:
		list = &s.stated.Descriptions
	case author:
		list = &s.stated.Authors
	case published, modified:
		list = &s.stated.Dates
	default:
		return
	}
	if value = unescape(truncate(value, maxValue)); value != "" && len(*list) < maxStated && !slices.Contains(*list, value) {
		*list = append(*list, value)
	}
}

// stateText records the running text in an object. The longest text counts.
func (s *Sources) stateText(v *value) {
	v.each(func(v *value) {
		if len(v.text) > len(s.stated.Text) {
			s.stated.Text = html.UnescapeString(v.text)
		}
	})
}
