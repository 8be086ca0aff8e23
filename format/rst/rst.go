// Package rst converts reStructuredText to HTML: headings, paragraphs, lists, tables, notes and
// literal blocks. Directives of docutils and Sphinx are read if they have text; nothing is
// included from other files.
//
// Unstable: this package may change in any release.
package rst

import (
	"context"
	"strconv"
	"strings"

	"chaffinch/format/document"
	"chaffinch/text/charset"
)

const (
	maxDepth = 24      // blocks within one another; deeper blocks are paragraphs
	maxText  = 1 << 20 // bytes that substitutions write in all
)

// Read converts reStructuredText. Errors are from ctx.
func Read(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
	if err := ctx.Err(); err != nil {
		return document.Document{}, err
	}
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", " ", "\v", " ", "\f", " ").Replace(charset.Decode(raw, "").Text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(expandTabs(line), " ")
	}
	w := &writer{ctx: ctx, b: document.NewBuilder(limits), levels: map[string]int{}, targets: map[string]string{}, labels: map[string]string{}, substitutes: map[string]string{}, left: maxText}
	w.collect(lines)
	meta, lines := w.head(lines)
	w.b.Head(meta)
	w.blocks(lines, 0)
	w.notes()
	return w.b.Document(), ctx.Err()
}

// expandTabs replaces tabs in the indent of a line.
func expandTabs(line string) string {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	if !strings.Contains(line[:i], "\t") {
		return line
	}
	n := 0
	for _, c := range line[:i] {
		if n++; c == '\t' {
			n = (n + 7) / 8 * 8
		}
	}
	return strings.Repeat(" ", n) + line[i:]
}

// writer writes reStructuredText as HTML.
type writer struct {
	ctx         context.Context
	b           *document.Builder
	levels      map[string]int    // of headings, by their marks
	targets     map[string]string // addresses of links by name
	substitutes map[string]string // text by name
	labels      map[string]string // titles by the names of the targets before them
	left        int               // bytes that substitutions may still write
	foot        []note
	caption     string // of the next table
}

// note is a footnote or citation.
type note struct {
	label, role string
	lines       []string
	depth       int
}

func (w *writer) done() bool { return w.b.Full() || w.ctx.Err() != nil }

// collect finds the targets of links and the substitutions.
func (w *writer) collect(lines []string) {
	var names []string // targets before the current line
	for i, line := range lines {
		rest, ok := strings.CutPrefix(strings.TrimLeft(line, " "), ".. ")
		if !ok || len(rest) > 2000 {
			if line != "" && len(names) > 0 {
				if text, _, n := title(lines[i:]); n > 0 {
					for _, name := range names {
						w.labels[name] = text
					}
				}
				names = names[:0]
			}
			continue
		}
		if name, ok := strings.CutPrefix(rest, "_"); ok && strings.HasSuffix(name, ":") {
			names = append(names, strings.ToLower(strings.Trim(name[:len(name)-1], "`")))
			continue
		}
		if name, ok := strings.CutPrefix(rest, "_"); ok {
			if name, address, ok := strings.Cut(name, ": "); ok {
				w.targets[strings.ToLower(strings.Trim(name, "`"))] = strings.TrimSpace(address)
			}
		} else if name, ok := strings.CutPrefix(rest, "|"); ok {
			if name, text, ok := strings.Cut(name, "| replace::"); ok {
				w.substitutes[name] = strings.TrimSpace(text)
			}
		}
	}
}

// head reads the field list at the begin of a document, before or after its title, and returns
// the metadata and the lines without it.
func (w *writer) head(lines []string) (meta document.Meta, rest []string) {
	i := 0
	skip := func() { // blank lines and comments
		for i < len(lines) && (lines[i] == "" || strings.HasPrefix(lines[i], ".. ") && !directive().MatchString(lines[i]) && !explicit().MatchString(lines[i]) || lines[i] == "..") {
			comment := lines[i] != ""
			i++
			for comment && i < len(lines) && strings.HasPrefix(lines[i], " ") {
				i++
			}
		}
	}
	for range 2 {
		skip()
		if i < len(lines) && fieldMark().MatchString(lines[i]) {
			from := i
			for i < len(lines) && lines[i] != "" {
				m := fieldMark().FindStringSubmatch(lines[i])
				i++
				if m != nil {
					setMeta(&meta, strings.ToLower(m[1]), strings.TrimSpace(m[2]))
				}
			}
			lines = append(lines[:from:from], lines[i:]...)
			i = from
		}
		skip()
		if text, _, n := title(lines[i:]); n > 0 {
			if meta.Title == "" {
				meta.Title = w.plain(text)
			}
			i += n
		}
	}
	return meta, lines
}

func setMeta(meta *document.Meta, name, value string) {
	switch name {
	case "title":
		meta.Title = value
	case "author", "authors":
		for a := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ';' || r == ',' }) {
			if a, _, _ = strings.Cut(a, "<"); strings.TrimSpace(a) != "" && len(meta.Authors) < 20 {
				meta.Authors = append(meta.Authors, strings.TrimSpace(a))
			}
		}
	case "date", "created":
		meta.Date = value
	case "language", "lang":
		meta.Lang = value
	case "summary", "description", "abstract":
		meta.Description = value
	}
}

// notes writes the footnotes.
func (w *writer) notes() {
	for i := 0; i < len(w.foot) && !w.done(); i++ {
		n := w.foot[i]
		w.b.Start("aside", "role", n.role, "id", "note-"+n.label)
		w.blocks(n.lines, n.depth+1)
		w.b.End()
	}
}

// heading writes a heading.
func (w *writer) heading(mark, text string) {
	level := w.levels[mark]
	if level == 0 {
		level = len(w.levels) + 1
		w.levels[mark] = level
	}
	w.b.Start("h" + strconv.Itoa(min(level, 6)))
	w.inline(text)
	w.b.End()
}
