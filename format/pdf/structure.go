package pdf

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/format/document"
	"chaffinch/format/pdf/internal/wire"
	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/truth"
)

// Marks of superscripts in the text of lines: characters that no text contains.
const (
	supBegin = '\uFDD0'
	supEnd   = '\uFDD1'
)

var (
	leaders   = lazyregexp.New(`\s*(?:\.{4,}|(?:\.\s){3,}\.?|…{2,}|(?:·\s*){4,}|_{4,})\s*`)
	leaderEnd = lazyregexp.New(`(?:\.{4,}|(?:\.\s){3,}|…{2,}|(?:·\s*){4,}|_{4,})\s*[\divxlcIVXLC]{1,6}\s*$`)
	caption   = lazyregexp.New(`^\p{L}[\p{L}\p{M}]{0,12}\.?\s?\p{Nd}{1,3}([.\-–]\p{Nd}{1,3})*\s*[.:|–—\-]?(\s|$)`)
	noteMark  = lazyregexp.New(`^(?:\x{FDD0}[^\x{FDD1}]{1,4}\x{FDD1}|\p{Nd}{1,3}[.)]?\s|[*†‡§¶]{1,3})`)
	numbering = lazyregexp.New(`^(\p{Nd}{1,2}(?:\.\p{Nd}{1,2})*)\.?\s+\p{L}`)
	year      = lazyregexp.New(`\b(?:1[5-9]|20)\d\d[a-z]?\b`)
	fileName  = lazyregexp.New(`(?i)\.(?:pdf|docx?|indd|qxd|tex|dvi|ps|rtf|xlsx?|pptx?|odt|p65|fm)$|^(?:microsoft |untitled|slide |document\d*$)`)
)

// structure sets the elements and roles of paragraphs.
func (c *converter) structure() {
	body := slices.DeleteFunc(slices.Clone(c.paragraphs), func(p *paragraph) bool { return p.role != "" || p.name != "p" })
	for _, p := range body {
		p.text = c.m.text(p.lines)
	}
	c.contents(body)
	c.captions(body)
	c.footnotes(body)
	c.lists(body)
	c.headings(body)
	c.references(body)
}

// title returns the title of the document: of its metadata, unless that is the name of a file,
// or its largest heading.
func (c *converter) title() string {
	title := strings.TrimSpace(c.doc.Title)
	if title != "" && !fileName().MatchString(title) {
		return title
	}
	for _, p := range c.paragraphs {
		if p.name == "h1" {
			return strings.TrimSpace(leaders().ReplaceAllString(plain(p.text), " "))
		}
	}
	return ""
}

// plain returns text without the marks of superscripts.
func plain(text string) string { return supMarks.Replace(text) }

var supMarks = strings.NewReplacer(string(supBegin), "", string(supEnd), "")

// contents finds tables of contents: lines that end with a number after dots.
func (c *converter) contents(body []*paragraph) {
	for i := 0; i < len(body); {
		j, entries := i, 0
		for k := i; k < len(body) && k <= j+1; k++ { // an entry may have two lines
			if leaderEnd().MatchString(body[k].text) {
				j, entries = k+1, entries+1
			} else if j == i {
				break
			}
		}
		if entries >= 3 {
			for _, p := range body[i:j] {
				p.section = document.Contents
			}
		}
		i = max(j, i+1)
	}
}

// captions finds short paragraphs that begin with a word and a number beside an image or table.
func (c *converter) captions(body []*paragraph) {
	const longest, far = 400, 40 // bytes, points
	tables := map[int][]wire.Box{}
	for _, p := range c.paragraphs {
		if p.table != nil {
			page := p.lines[0].page
			tables[page] = append(tables[page], p.table.box)
		}
	}
	for _, p := range body {
		if p.section != "" || len(p.text) > longest || !caption().MatchString(plain(p.text)) {
			continue
		}
		box, page := boxOfLines(p.lines), p.lines[0].page
		for _, b := range slices.Concat(c.pages[page].Images, tables[page]) {
			if overlapX(b, box) > .3 && box.Y0 < b.Y1+far && box.Y1 > b.Y0-far && b.Y1-b.Y0 > far/2 {
				p.name = "figcaption"
			}
		}
	}
}

// boxOfLines returns the box of lines on the page of the first one.
func boxOfLines(lines []*line) wire.Box {
	box := lines[0].Box
	for _, l := range lines {
		if l.page == lines[0].page {
			box = box.Union(l.Box)
		}
	}
	return box
}

// footnotes finds the paragraphs at the foot of a page in a smaller font, the first of which
// begins with a mark.
func (c *converter) footnotes(body []*paragraph) {
	for i := 0; i < len(body); {
		page := body[i].lines[0].page
		j := i
		for j < len(body) && body[j].lines[0].page == page {
			j++
		}
		first := j
		for k := j - 1; k >= i; k-- {
			p := body[k]
			if p.lines[0].size > .93*c.m.body || p.lines[0].Y0 < .4*c.pages[page].Height || p.name != "p" {
				break
			}
			if noteMark().MatchString(p.text) || p.lines[0].kind == "Note" {
				first = k
			}
		}
		for _, p := range body[first:j] {
			p.role = document.Footnote
		}
		i = j
	}
}

// lists finds items: a bullet, or at least two numbers after each other.
func (c *converter) lists(body []*paragraph) {
	numbered := func(i int) bool {
		if i < 0 || i >= len(body) {
			return false
		}
		m := marker(body[i].text)
		return m != "" && strings.ContainsAny(m, ".)")
	}
	for i, p := range body {
		if p.name != "p" || p.role != "" || p.section != "" {
			continue
		}
		m := marker(p.text)
		kind := p.lines[0].kind
		switch {
		case kind != "" && kind != "P" && kind != "LI":
			continue
		case m == "" && kind != "LI":
			continue
		case m != "" && !strings.ContainsAny(m, ".)"):
			p.name, p.list, p.bullet = "li", "ul", m
		case kind == "LI":
			p.name, p.list = "li", "ul"
		case !c.isLarge(p) && !p.lines[0].bold && (numbered(i-1) || numbered(i+1) || numbered(i-2) || numbered(i+2)):
			p.name, p.list = "li", "ol"
		}
	}
}

const (
	larger      = 1.1 // least size of headings, relative to the text
	longHeading = 250 // bytes
	longBold    = 120
	titleWithin = 4 // paragraphs at the begin of a document that the title is among
)

func (c *converter) isLarge(p *paragraph) bool { return p.lines[0].size > larger*c.m.body }

// headings finds headings: lines that are larger than the text, or short bold lines. The level
// follows the outline, the numbering, or the order of sizes.
func (c *converter) headings(body []*paragraph) {
	c.outline = map[string]int{}
	for _, item := range c.doc.Outline {
		c.outline[fold(item.Title)] = item.Level
	}
	var found []*paragraph
	for i, p := range body {
		if p.name != "p" || p.role != "" || p.section != "" {
			continue
		}
		kind := p.lines[0].kind
		if len(kind) == 2 && kind[0] == 'H' {
			p.name = "h" + kind[1:]
			continue
		}
		text := plain(p.text)
		short := len(text) < longBold && len(p.lines) <= 3 && !endsSentence(text) && !strings.HasSuffix(text, ",")
		bold := !slices.ContainsFunc(p.lines, func(l *line) bool { return !l.bold })
		next := i+1 < len(body) // a heading precedes text
		switch {
		case !strings.ContainsFunc(text, unicode.IsLetter):
			continue
		case c.isLarge(p) && len(text) < longHeading:
		case bold && short && next && !(c.m.bold && !numbering().MatchString(text)):
		case c.outline[fold(text)] > 0 && short:
		default:
			continue
		}
		found = append(found, p)
	}
	if len(found) > 0 && slices.Index(body, found[0]) < titleWithin && c.isLargest(found) {
		found[0].title = true
	}
	c.levels(found)
}

// isLargest reports whether the first of the headings is larger than all others.
func (c *converter) isLargest(found []*paragraph) bool {
	return !slices.ContainsFunc(found[1:], func(p *paragraph) bool { return c.rank(p) >= c.rank(found[0]) })
}

// levels sets the levels of headings: of the outline, of the numbering, or by the order of sizes
// below the title.
func (c *converter) levels(found []*paragraph) {
	sizes := map[float32]bool{}
	for _, p := range found {
		if !p.title {
			sizes[c.rank(p)] = true
		}
	}
	order := slices.SortedFunc(maps.Keys(sizes), func(a, b float32) int { return cmp.Compare(b, a) })
	for _, p := range found {
		level := slices.Index(order, c.rank(p)) + 2
		text := plain(p.text)
		if l := c.outline[fold(text)]; l > 0 {
			level = l + 1
		} else if m := numbering().FindStringSubmatch(text); m != nil {
			level = strings.Count(m[1], ".") + 2
		}
		if p.title {
			level = 1
		}
		p.name = "h" + strconv.Itoa(min(level, 6))
	}
}

// rank returns a size that orders headings: bold ones of the size of the text are the smallest.
func (c *converter) rank(p *paragraph) float32 { return max(p.lines[0].size, c.m.body) }

// fold returns text without case, numbers and spaces, to compare headings with the outline.
func fold(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// references finds lists of references: after a heading, paragraphs most of which contain a year,
// at the end of the document or before another heading.
func (c *converter) references(body []*paragraph) {
	const least = 4
	for i, p := range body {
		if !isHeading(p) {
			continue
		}
		j, dated, names := i+1, 0, 0
		for j < len(body) && !isHeading(body[j]) {
			dated += truth.Int(year().MatchString(body[j].text))
			names += truth.Int(isEntry(body[j].text))
			j++
		}
		if n := j - i - 1; n >= least && dated*10 >= n*7 && names*10 >= n*7 {
			for _, q := range body[i:j] {
				if q.role == "" {
					q.section = document.Bibliography
				}
			}
		}
	}
}

// isEntry reports whether text may be a reference: it begins with a number in brackets or with a
// capital, and contains several marks.
func isEntry(text string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(plain(text), "[(0123456789]). •"))
	return !unicode.IsLower(r) && strings.Count(text, ",")+strings.Count(text, ".")+strings.Count(text, "，")+strings.Count(text, "．") >= 3
}

func isHeading(p *paragraph) bool { return len(p.name) == 2 && p.name[0] == 'h' }

// dropCaps joins large letters at the begin of a paragraph with the line beside their upper part.
func dropCaps(lines []*line) {
	for _, d := range lines {
		if len(d.chars) > 2 || len(d.chars) == 0 || !isInitial(d.chars[0].Rune) {
			continue
		}
		var top *line
		for _, l := range lines {
			if l == d || d.size < 1.7*l.size || d.size > 8*l.size || l.base > d.base+float32(.3*l.size) || l.base < d.base-d.size {
				continue
			}
			if gap := l.X0 - d.X1; gap > -.5*l.size && gap < 1.2*l.size && (top == nil || l.base < top.base) {
				top = l
			}
		}
		if top == nil || len(top.chars) < 8 {
			continue
		}
		for _, l := range lines { // lines beside the letter have no indent
			if l != d && l.X0 > d.X0 && l.X0 < d.X1+float32(1.2*l.size) && l.base <= d.base+float32(.3*l.size) && l.base > d.base-d.size {
				l.X0 = d.X0
			}
		}
		top.text = string(d.chars[0].Rune) + top.text
		if top.styled != "" {
			top.styled = string(d.chars[0].Rune) + top.styled
		}
		top.order = min(top.order, d.order)
		d.role = roleDropped
	}
}

// roleDropped is the role of lines that are part of others.
const roleDropped = "dropped"
