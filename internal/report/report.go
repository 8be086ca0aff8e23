// Package report is what reports in HTML have in common: the head of the page, its
// style, light and dark, tables that sort by a click, bars, and figures as people
// write them. A report is one file, which loads and sends nothing.
package report

import (
	_ "embed"
	"html/template"
	"strconv"
	"strings"
	"sync"
	"time"

	"chaffinch/internal/chart"
	"chaffinch/internal/csp"
)

//go:embed report.css
var css string

// Script lets tables be sorted by the buttons in their heads.
//
//go:embed report.js
var Script string

//go:embed frame.html
var frame string

// Mark is in the first 512 bytes of each report.
const Mark = `<meta name="generator" content="chaffinch">`

// Frame is what stands around a report: the templates "head" and "foot" are given it.
type Frame struct {
	Title  string
	Policy string
	CSS    template.CSS
	JS     template.JS
}

// NewFrame returns the frame of a report.
func NewFrame(title string) Frame { return FrameOf(title, css, Script) }

// FrameOf returns the frame of a report that has a style and a script of its own.
func FrameOf(title, css, script string) Frame {
	return Frame{Title: title, Policy: csp.SelfContained(script, css), CSS: template.CSS(css), JS: template.JS(script)}
}

// Template returns a function that parses the template of a report at its first call. It
// has "head", up to the body, and "foot", both of a Frame, and the functions of this
// package: grouped, percent, size, seconds, bar, list and breaks.
func Template(name, text string, more template.FuncMap) func() *template.Template {
	return sync.OnceValue(func() *template.Template {
		t := template.New(name).Funcs(template.FuncMap{"grouped": Grouped, "percent": Percent, "size": Size, "seconds": Seconds, "bar": Bar, "list": func(x ...any) []any { return x }, "breaks": Breaks}).Funcs(more)
		return template.Must(template.Must(t.Parse(frame)).Parse(text))
	})
}

// Grouped writes n with commas between thousands.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Percent writes a share.
func Percent(x float64) string { return strconv.FormatFloat(100*x, 'f', 1, 64) + " %" }

// Size writes a number of bytes for people.
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

// Seconds writes so many seconds for people.
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

// Breaks returns a name that can break across lines after each dot and underscore.
func Breaks(name string) template.HTML {
	return template.HTML(strings.NewReplacer(".", ".<wbr>", "_", "_<wbr>").Replace(template.HTMLEscapeString(name)))
}

// IsLink reports whether a name is an address that a report may link to.
func IsLink(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// Bar draws a share from 0 to 1.
func Bar(x float64) template.HTML {
	s := chart.New("", 100, 10, "class", "bar", "preserveAspectRatio", "none")
	s.Rect(0, 0, 100, 10, "class", "rail")
	s.Rect(0, 0, 100*min(max(x, 0), 1), 10, "class", "held")
	return template.HTML(s.String())
}
