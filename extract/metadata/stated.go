package metadata

import (
	"html"
	"slices"

	"chaffinch/page"
)

// Bounds of what is stated.
const (
	maxStated     = 8       // values of a kind
	maxStatedText = 1 << 18 // bytes of the running text
)

// State takes a meta element for [Sources.FillStated] alone.
func (s *Sources) State(name, content string) {
	if f, ok := metaName(name); ok {
		s.state(f.field, content)
	}
}

// FillStated adds what meta elements and JSON-LD said of the content to st.
func (s *Sources) FillStated(st *page.Stated) {
	st.Titles, st.Descriptions, st.Authors, st.Dates, st.Text = s.stated.Titles, s.stated.Descriptions, s.stated.Authors, s.stated.Dates, s.stated.Text
}

// state notes a value as it stands, with references.
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
	if value = unescape(cut(value, maxValue)); value != "" && len(*list) < maxStated && !slices.Contains(*list, value) {
		*list = append(*list, value)
	}
}

// stateText notes the running text that an object repeats: the longest counts.
func (s *Sources) stateText(v *value) {
	v.each(func(v *value) {
		if len(v.text) > len(s.stated.Text) {
			s.stated.Text = html.UnescapeString(v.text)
		}
	})
}
