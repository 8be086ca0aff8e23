// Package chart draws charts as SVG: marks, grids, scales and labels that do not overlap. [New]
// begins an image inside an HTML page, [NewFile] one in a separate file.
package chart

import (
	"fmt"
	"html"
	"strings"
)

// Image collects the marks of an image. Every mark takes attributes as alternating names and
// values, such as "class", "axis" or "stroke", "#ddd". Attributes with an empty value are omitted.
type Image struct {
	b    strings.Builder
	grid []string // attributes of the lines of a grid
}

// New begins an image inside an HTML page. It fills the width of its container. Its colours come
// from the classes of the page's style sheet, so that they follow the light or dark scheme. An
// image without a label is decoration.
func New(label string, width, height float64, attrs ...string) *Image {
	m := &Image{grid: []string{"class", "axis"}}
	role := []string{"aria-hidden", "true"}
	if label != "" {
		role = []string{"role", "img", "aria-label", label}
	}
	m.open("svg", append(append(attrs, "viewBox", "0 0 "+number(width)+" "+number(height)), role...))
	m.b.WriteString(">")
	return m
}

// NewFile begins an image in a separate file, dark on white.
func NewFile(label string, width, height float64) *Image {
	m := &Image{grid: []string{"stroke", "#dfdcd3"}}
	m.open("svg", []string{
		"xmlns", "http://www.w3.org/2000/svg", "width", number(width), "height", number(height), "viewBox", "0 0 " + number(width) + " " + number(height),
		"role", "img", "aria-label", label, "font-family", "system-ui, sans-serif", "font-size", "12", "fill", "#444",
	})
	m.b.WriteString(">\n")
	m.Rect(0, 0, width, height, "fill", "#fff")
	return m
}

// String ends the image and returns it.
func (m *Image) String() string { return m.b.String() + "</svg>" }

// Line draws a line.
func (m *Image) Line(x1, y1, x2, y2 float64, attrs ...string) {
	m.mark("line", "", append(attrs, "x1", number(x1), "y1", number(y1), "x2", number(x2), "y2", number(y2)))
}

// Rect draws a rectangle.
func (m *Image) Rect(x, y, width, height float64, attrs ...string) {
	m.mark("rect", "", append(attrs, "x", number(x), "y", number(y), "width", number(width), "height", number(height)))
}

// titledRect draws a rectangle with a title; nothing if it has no height.
func (m *Image) titledRect(x, y, width, height float64, title string, attrs ...string) {
	if height > 0 {
		m.mark("rect", title, append(attrs, "x", number(x), "y", number(y), "width", number(width), "height", number(height)))
	}
}

// Circle draws a disc. The title is shown as a tooltip.
func (m *Image) Circle(x, y, r float64, title string, attrs ...string) {
	m.mark("circle", title, append(attrs, "cx", number(x), "cy", number(y), "r", number(r)))
}

// Curve joins points by lines. A single point is drawn as a dot as wide as the line.
func (m *Image) Curve(points []Point, title string, attrs ...string) {
	if len(points) == 0 {
		return
	}
	var d strings.Builder
	for i, p := range points {
		d.WriteString(map[bool]string{true: "M", false: "L"}[i == 0] + number(p.X) + " " + number(p.Y))
	}
	if len(points) == 1 {
		d.WriteString("h0")
	}
	m.mark("path", title, append(attrs, "d", d.String(), "fill", "none", "stroke-linejoin", "round", "stroke-linecap", "round"))
}

// Bend draws a curve between two points that is horizontal at both ends.
func (m *Image) Bend(a, b Point, title string, attrs ...string) {
	mid := number((a.X + b.X) / 2)
	d := "M" + number(a.X) + " " + number(a.Y) + "C" + mid + " " + number(a.Y) + " " + mid + " " + number(b.Y) + " " + number(b.X) + " " + number(b.Y)
	m.mark("path", title, append(attrs, "d", d))
}

// shapes are marks that differ in more than colour.
var shapes = [...]string{"M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0", "M-4,-4h8v8h-8z", "M0,-5l5,9h-10z", "M0,-5l5,5l-5,5l-5,-5z", "M0,5l5,-9h-10z", "M-5,-1.5h3.5v-3.5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5z", "M-5,0h10v2h-10z"}

// Shape draws the i-th of several shapes at a point.
func (m *Image) Shape(at Point, i int, title string, attrs ...string) {
	m.mark("path", title, append(attrs, "transform", "translate("+number(at.X)+" "+number(at.Y)+")", "d", shapes[i%len(shapes)]))
}

// Text writes words at a point. The attribute "text-anchor" aligns them.
func (m *Image) Text(x, y float64, words string, attrs ...string) {
	m.RotatedText(x, y, 0, words, attrs...)
}

// RotatedText writes words rotated by the given angle in degrees.
func (m *Image) RotatedText(x, y, degrees float64, words string, attrs ...string) {
	turn := ""
	if degrees != 0 {
		turn = fmt.Sprintf("rotate(%s %s %s)", number(degrees), number(x), number(y))
	}
	m.open("text", append(attrs, "x", number(x), "y", number(y), "transform", turn))
	m.b.WriteString(">" + html.EscapeString(words) + "</text>")
}

// mark writes an element with a title, if there is one.
func (m *Image) mark(name, title string, attrs []string) {
	m.open(name, attrs)
	if title == "" {
		m.b.WriteString("/>")
		return
	}
	m.b.WriteString("><title>" + html.EscapeString(title) + "</title></" + name + ">")
}

func (m *Image) open(name string, attrs []string) {
	m.b.WriteString("<" + name)
	for i := 0; i+1 < len(attrs); i += 2 {
		if attrs[i+1] != "" {
			m.b.WriteString(" " + attrs[i] + `="` + html.EscapeString(attrs[i+1]) + `"`)
		}
	}
}

// Point is a place in an image.
type Point struct{ X, Y float64 }

// number formats a coordinate with at most one decimal place.
func number(x float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}
