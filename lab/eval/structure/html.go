package structure

import (
	"strings"

	"chaffinch/internal/sets"

	"golang.org/x/net/html"
)

// element is an element of HTML.
type element struct {
	name  string
	attrs []html.Attribute
	kids  []*element
	texts []string // of the element and its descendants, trimmed
	span  [2]int   // bytes of the source
}

// voids lists the elements without an end tag.
var voids = sets.Words("area base br col embed hr img input link meta param source track wbr")

// elements parses HTML without implied tags: an end tag closes the last open element of that name,
// others are ignored.
func elements(src string) *element {
	root := &element{span: [2]int{0, len(src)}}
	open := []*element{root}
	z := html.NewTokenizer(strings.NewReader(src))
	at := 0
	for z.Next() != html.ErrorToken {
		raw := len(z.Raw())
		tok := z.Token()
		switch tok.Type {
		case html.TextToken:
			if t := strings.TrimSpace(tok.Data); t != "" {
				for _, e := range open {
					e.texts = append(e.texts, t)
				}
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			e := &element{name: tok.Data, attrs: tok.Attr, span: [2]int{at, at + raw}}
			top := open[len(open)-1]
			top.kids = append(top.kids, e)
			if tok.Type == html.StartTagToken && !voids[e.name] {
				e.span[1] = len(src)
				open = append(open, e)
			}
		case html.EndTagToken:
			for i := len(open) - 1; i > 0; i-- {
				if open[i].name == tok.Data {
					for _, e := range open[i:] {
						e.span[1] = at
					}
					open[i].span[1] = at + raw
					open = open[:i]
					break
				}
			}
		}
		at += raw
	}
	return root
}

// find calls fn for the outermost elements called name.
func (e *element) find(name string, fn func(*element)) {
	for _, k := range e.kids {
		if k.name == name {
			fn(k)
		} else {
			k.find(name, fn)
		}
	}
}

// htmlTables returns the source of the outermost tables.
func htmlTables(src string) (tables []string) {
	if !strings.Contains(src, "<table") {
		return nil
	}
	elements(src).find("table", func(e *element) { tables = append(tables, src[e.span[0]:e.span[1]]) })
	return tables
}

// tableRoot returns [TableRoot] for two results of tablesOf, of which the first table counts.
func tableRoot(a, b string) float64 {
	first := func(src string) (first *element) {
		elements(src).find("table", func(e *element) {
			if first == nil {
				first = e
			}
		})
		return first
	}
	x, y := first(a), first(b)
	switch {
	case x == nil && y == nil:
		return 1
	case x == nil || y == nil:
		return 0
	}
	p, nx := x.bracket()
	q, ny := y.bracket()
	return clamp(1 - rootDistance(p, q)/float64(max(nx, ny)))
}

// bracket returns the element in bracket notation, "name:text(child,child)", and its number of
// nodes. Groups of rows contain the cells of their rows.
func (e *element) bracket() (string, int) {
	kids := e.kids
	if e.name == "tbody" || e.name == "thead" || e.name == "tfoot" {
		kids = nil
		for _, row := range e.kids {
			kids = append(kids, row.kids...)
		}
	}
	s, n := e.name, 1
	if text := strings.Join(e.texts, ""); text != "" {
		s += ":" + strings.NewReplacer("(", "[", ")", "]", ",", ";").Replace(text)
	}
	for i, k := range kids {
		sub, m := k.bracket()
		if i == 0 {
			s += "("
		} else {
			s += ","
		}
		s += sub
		n += m
	}
	if len(kids) > 0 {
		s += ")"
	}
	return s, n
}

// rootDistance returns the distance of two tables that are each one node: 1 if the parts before the
// first colon differ, else the normalised edit distance of the parts after it.
func rootDistance(a, b string) float64 {
	x, s, _ := strings.Cut(a, ":")
	y, t, _ := strings.Cut(b, ":")
	if x != y {
		return 1
	}
	return distance(s, t)
}
