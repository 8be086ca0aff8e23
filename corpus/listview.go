package corpus

import (
	_ "embed"
	"html/template"
	"io"
	"strconv"

	"chaffinch/internal/report"
)

//go:embed view/list.html
var listHTML string

var listTemplate = report.Template("list", listHTML, nil)

// ListView is a list as a page in HTML.
type ListView struct {
	// Kind names the kind of list, such as "collocations". Title is the query or the corpus,
	// About describes the list in a sentence.
	Kind, Title, About string
	// Head names the columns, Rows holds their values: string, int64, float64 or nil.
	Head []string
	Rows [][]any
	// Bar is the column whose values are drawn as bars.
	Bar int
	// Pictures come before the list.
	Pictures []Picture
}

// Picture is an image of a page.
type Picture struct {
	Title, About string
	SVG          template.HTML
}

// listCell is a value as the page shows it.
type listCell struct {
	Text, Value string
	Number      bool
}

// listRow is a row as the page shows it.
type listRow struct {
	Cells []listCell
	Share float64 // of the largest value of the column of bars
}

// WriteHTML writes the page as one file that loads nothing. Only sorting by a click on a column
// requires a script.
func (v *ListView) WriteHTML(w io.Writer) error {
	most := 0.0
	for _, row := range v.Rows {
		most = max(most, numeric(row[v.Bar]))
	}
	view := struct {
		Frame              report.Frame
		Kind, Title, About string
		Head               []listCell
		Rows               []listRow
		Pictures           []Picture
		BarName            string
	}{Frame: report.NewFrame(v.Title + " · " + v.Kind + " by chaffinch"), Kind: v.Kind, Title: v.Title, About: v.About, Pictures: v.Pictures, BarName: v.Head[v.Bar]}
	for i, name := range v.Head {
		cell := listCell{Text: name}
		if len(v.Rows) > 0 {
			_, isText := v.Rows[0][i].(string)
			cell.Number = !isText
		}
		view.Head = append(view.Head, cell)
	}
	for _, row := range v.Rows {
		r := listRow{}
		for _, c := range row {
			r.Cells = append(r.Cells, newListCell(c))
		}
		if most > 0 {
			r.Share = max(numeric(row[v.Bar]), 0) / most
		}
		view.Rows = append(view.Rows, r)
	}
	return listTemplate().Execute(w, view)
}

func newListCell(v any) listCell {
	switch v := v.(type) {
	case int64:
		return listCell{report.Grouped(v), strconv.FormatInt(v, 10), true}
	case float64:
		return listCell{strconv.FormatFloat(v, 'f', 2, 64), strconv.FormatFloat(v, 'g', -1, 64), true}
	case string:
		return listCell{Text: v}
	}
	return listCell{Text: "–", Number: true}
}

func numeric(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	}
	return 0
}
