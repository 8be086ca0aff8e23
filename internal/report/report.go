// Package report contains the common parts of HTML reports: page head, light and dark style,
// sortable tables, bars and number formats. [Template] parses the template of a report and
// [NewFrame] returns its frame. A report is a single file that loads and sends nothing.
package report

import (
	_ "embed"
	"html/template"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"chaffinch/internal/chart"
	"chaffinch/internal/csp"
)

//go:embed report.css
var css string

// Script makes tables sortable by the buttons in their headers.
//
//go:embed report.js
var Script string

//go:embed frame.html
var frame string

// Mark occurs in the first 512 bytes of each report.
const Mark = `<meta name="generator" content="chaffinch">`

// Frame is the data of the templates "head" and "foot" around a report.
type Frame struct {
	Title  string
	Policy string
	CSS    template.CSS
	JS     template.JS
}

// NewFrame returns the frame of a report.
func NewFrame(title string) Frame { return NewFrameWith(title, css, Script) }

// NewFrameWith returns the frame of a report with a separate style and script.
func NewFrameWith(title, css, script string) Frame {
	return Frame{Title: title, Policy: csp.SelfContained(script, css), CSS: template.CSS(css), JS: template.JS(script)}
}

// Template returns a function that parses the template of a report at its first call. The templates
// "head", up to the body, and "foot", both with a Frame as data, are defined, and the functions
// grouped, percent, size, seconds, bar, list and breaks.
func Template(name, text string, more template.FuncMap) func() *template.Template {
	return sync.OnceValue(func() *template.Template {
		t := template.New(name).Funcs(template.FuncMap{"grouped": Grouped, "percent": Percent, "size": Size, "seconds": Seconds, "bar": Bar, "list": func(x ...any) []any { return x }, "breaks": breaks}).Funcs(more)
		return template.Must(template.Must(t.Parse(frame)).Parse(text))
	})
}

// Grouped formats n with commas between thousands.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// BaseNames joins the last elements of paths, as the title of a report about files.
func BaseNames(paths []string) string {
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = filepath.Base(p)
	}
	return strings.Join(names, ", ")
}

// Share returns part/all, 0 if all is 0.
func Share(part, all int64) float64 {
	if all == 0 {
		return 0
	}
	return float64(part) / float64(all)
}

// Percent formats a fraction as a percentage.
func Percent(x float64) string { return strconv.FormatFloat(100*x, 'f', 1, 64) + " %" }

// Size formats a number of bytes with a decimal unit.
func Size(n int64) string {
	switch {
	case n >= 1e9:
		return strconv.FormatFloat(float64(n)/1e9, 'f', 2, 64) + " GB"
	case n >= 1e6:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
	case n >= 1e3:
		return strconv.FormatFloat(float64(n)/1e3, 'f', 1, 64) + " kB"
	}
	return strconv.FormatInt(n, 10) + " B"
}

// Seconds formats a duration in seconds, rounded by its size.
func Seconds(x float64) string {
	d := time.Duration(x * float64(time.Second))
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// breaks returns a name that can break across lines after each dot and underscore.
func breaks(name string) template.HTML {
	return template.HTML(strings.NewReplacer(".", ".<wbr>", "_", "_<wbr>").Replace(template.HTMLEscapeString(name)))
}

// IsLink reports whether s is an address that a report may link to.
func IsLink(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// Bar draws a fraction from 0 to 1 as a bar.
func Bar(x float64) template.HTML {
	s := chart.New("", 100, 10, "class", "bar", "preserveAspectRatio", "none")
	s.Rect(0, 0, 100, 10, "class", "rail")
	s.Rect(0, 0, 100*min(max(x, 0), 1), 10, "class", "held")
	return template.HTML(s.String())
}
