// Package asciidoc converts AsciiDoc to HTML: headings, paragraphs, lists, tables, notes and code.
// Attributes of the document are replaced; nothing is included from other files.
//
// Unstable: this package may change in any release.
package asciidoc

import (
	"context"
	"strconv"
	"strings"

	"chaffinch/format/document"
	"chaffinch/internal/lazyregexp"
	"chaffinch/text/charset"
)

const (
	maxDepth    = 16      // blocks within one another; deeper blocks are paragraphs
	maxText     = 1 << 20 // bytes that attributes write in all
	maxUnclosed = 1000    // blocks and macros without an end; further ones are text
)

// Read converts AsciiDoc. Errors are from ctx.
func Read(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
	if err := ctx.Err(); err != nil {
		return document.Document{}, err
	}
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", " ").Replace(charset.Decode(raw, "").Text)
	w := &writer{ctx: ctx, b: document.NewBuilder(limits), left: maxText, attrs: map[string]string{
		"empty": "", "sp": " ", "nbsp": "\u00a0", "zwsp": "\u200b", "wj": "\u2060", "apos": "'", "quot": `"`, "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
		"deg": "°", "plus": "+", "brvbar": "¦", "vbar": "|", "amp": "&", "lt": "<", "gt": ">", "startsb": "[", "endsb": "]", "caret": "^", "asterisk": "*", "tilde": "~",
		"backslash": `\`, "backtick": "`", "two-colons": "::", "two-semicolons": ";;", "cpp": "C++", "pp": "++", "blank": "", "backend-html5": "", "basebackend-html": "",
	}}
	lines := w.lines(text)
	w.titles = titles(lines)
	meta, lines := w.head(lines)
	w.b.Head(meta)
	w.paragraph("h1", w.heading)
	w.blocks(lines, 0)
	for i := 0; i < len(w.notes) && !w.done(); i++ {
		w.b.Start("aside", "role", document.Footnote, "id", "note-"+strconv.Itoa(i+1))
		w.paragraph("p", w.notes[i])
		w.b.End()
	}
	return w.b.Document(), ctx.Err()
}

// writer writes AsciiDoc as HTML.
type writer struct {
	ctx      context.Context
	b        *document.Builder
	attrs    map[string]string // attributes of the document
	left     int               // bytes that attributes may still write
	titles   map[string]string // titles of sections and blocks, by their names
	notes    []string
	depth    int    // of notes and links
	heading  string // of the document
	unclosed int    // blocks and macros without an end
}

func (w *writer) done() bool { return w.b.Full() || w.ctx.Err() != nil }

var (
	attribute = lazyregexp.New(`^:(!?)(\w[\w-]{0,60})(!?):(?:[ \t]+(.*))?$`)
	condition = lazyregexp.New(`^(ifdef|ifndef|ifeval|endif)::([^\[]*)\[(.*)\]$`)
	included  = lazyregexp.New(`^include::[^\[]*\[.*\]$`)
)

// lines returns the lines of a document, without comments, parts whose condition is false, and
// directives. Attributes are set in passing.
func (w *writer) lines(text string) (lines []string) {
	lines = make([]string, 0, strings.Count(text, "\n")+1)
	var open []bool // conditions
	hidden, comment, verbatim := 0, false, ""
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t")
		switch {
		case verbatim != "":
			if line == verbatim {
				verbatim = ""
			}
		case strings.HasPrefix(line, "////") && strings.Trim(line, "/") == "":
			comment = !comment
			continue
		case comment:
			continue
		case strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "///"):
			if n := len(lines); n > 0 && lines[n-1] == "" {
				lines = append(lines, "<<<") // it separates lists
			}
			continue
		case len(line) >= 4 && strings.IndexByte("-.+", line[0]) >= 0 && strings.Trim(line, line[:1]) == "":
			verbatim = line
		case strings.HasPrefix(line, "```"):
			verbatim = "```"
		}
		if m := condition().FindStringSubmatch(line); m != nil {
			if m[1] == "endif" {
				if n := len(open) - 1; n >= 0 {
					if !open[n] {
						hidden--
					}
					open = open[:n]
				}
				continue
			}
			shown := w.holds(m[1], m[2], m[3])
			if m[1] != "ifeval" && m[3] != "" { // the text of one line
				if shown && hidden == 0 {
					lines = append(lines, m[3])
				}
				continue
			}
			if open = append(open, shown); !shown {
				hidden++
			}
			continue
		}
		if hidden > 0 || included().MatchString(line) {
			continue
		}
		if m := attribute().FindStringSubmatch(line); m != nil && verbatim == "" {
			w.set(m)
		}
		lines = append(lines, line)
	}
	return lines
}

// set sets an attribute, or removes it.
func (w *writer) set(m []string) {
	name := strings.ToLower(m[2])
	if m[1] != "" || m[3] != "" {
		delete(w.attrs, name)
	} else if value := w.replace(m[4]); len(value) <= 1000 && len(w.attrs) < 10000 {
		w.attrs[name] = value
	}
}

// holds reports whether a condition is true.
func (w *writer) holds(kind, names, expr string) bool {
	if kind == "ifeval" {
		for _, op := range [...]string{"==", "!="} {
			if a, b, ok := strings.Cut(w.replace(expr), op); ok {
				return (strings.Trim(a, ` "'`) == strings.Trim(b, ` "'`)) == (op == "==")
			}
		}
		return true
	}
	all := strings.Contains(names, "+")
	found := all
	for name := range strings.FieldsFuncSeq(names, func(r rune) bool { return r == ',' || r == '+' }) {
		_, set := w.attrs[strings.ToLower(name)]
		if found = set; set != all {
			break
		}
	}
	return found == (kind == "ifdef")
}

var reference = lazyregexp.New(`\\?\{(\w[\w-]*)\}`)

// replace replaces references to attributes. Unknown ones remain.
func (w *writer) replace(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	return reference().ReplaceAllStringFunc(text, func(s string) string {
		if s[0] == '\\' {
			return s[1:]
		}
		value, ok := w.attrs[strings.ToLower(s[1:len(s)-1])]
		if !ok || len(value) > w.left {
			return s
		}
		w.left -= len(value)
		return value
	})
}

var revision = lazyregexp.New(`^(?:v?\d[\w.-]*,?\s*)?(\d{4}-\d\d-\d\d|[A-Z][a-z]+ \d{1,2}, \d{4}|\d{1,2} [A-Z][a-z]+ \d{4})?\s*(?::.*)?$`)

// head reads the title, the authors and the revision, and returns the lines without them.
func (w *writer) head(lines []string) (meta document.Meta, rest []string) {
	i := 0
	skip := func() {
		for i < len(lines) && (lines[i] == "" || attribute().MatchString(lines[i]) || strings.HasPrefix(lines[i], "[") && strings.HasSuffix(lines[i], "]")) {
			i++
		}
	}
	skip()
	if i < len(lines) {
		if title, ok := strings.CutPrefix(lines[i], "= "); ok {
			w.heading, meta.Title = title, w.text(title)
			i++
		} else if i+1 < len(lines) && underlines(lines[i], lines[i+1]) && lines[i+1][0] == '=' {
			w.heading, meta.Title = lines[i], w.text(lines[i])
			i += 2
		}
	}
	if meta.Title == "" {
		return w.meta(meta), lines
	}
	for n := 0; i < len(lines) && lines[i] != "" && n < 2; n++ {
		if attribute().MatchString(lines[i]) {
			n--
			i++
			continue
		}
		if n == 0 && !revision().MatchString(lines[i]) && !strings.HasPrefix(lines[i], "=") {
			for a := range strings.SplitSeq(lines[i], ";") {
				if a, _, _ = strings.Cut(a, "<"); strings.TrimSpace(a) != "" && len(meta.Authors) < 20 {
					meta.Authors = append(meta.Authors, strings.TrimSpace(a))
				}
			}
		} else if m := revision().FindStringSubmatch(lines[i]); m != nil {
			meta.Date = m[1]
		} else {
			break
		}
		i++
	}
	return w.meta(meta), lines[i:]
}

// meta adds the metadata in attributes.
func (w *writer) meta(meta document.Meta) document.Meta {
	for name, dst := range map[string]*string{"lang": &meta.Lang, "description": &meta.Description, "revdate": &meta.Date, "doctitle": &meta.Title} {
		if *dst == "" {
			*dst = w.attrs[name]
		}
	}
	if a := w.attrs["author"]; a != "" && len(meta.Authors) == 0 {
		meta.Authors = []string{a}
	}
	return meta
}

var (
	named = lazyregexp.New(`^\[(?:\[([\w:.-]+)(?:,\s*([^\]]+))?\]|(?:[\w%]*)#([\w:.-]+)[^\]]*|id=["']?([\w:.-]+)[^\]]*)\]$`)
	words = lazyregexp.New(`[^\p{L}\p{N}_]+`)
)

// titles returns the titles of sections and blocks by their names: references show them.
func titles(lines []string) map[string]string {
	titles := map[string]string{}
	var names []string
	for _, line := range lines {
		if m := named().FindStringSubmatch(line); m != nil {
			if name := m[1] + m[3] + m[4]; m[2] != "" {
				titles[name] = m[2]
			} else {
				names = append(names, name)
			}
			continue
		}
		title := ""
		if m := section().FindStringSubmatch(line); m != nil {
			title = strings.TrimRight(m[2], "= ")
			titles["_"+strings.Trim(words().ReplaceAllString(strings.ToLower(title), "_"), "_")] = title
		} else if m := blockTitle().FindStringSubmatch(line); m != nil {
			title = m[1]
		}
		if title != "" {
			for _, name := range names {
				titles[name] = title
			}
		}
		if title != "" || line == "" || !strings.HasPrefix(line, "[") {
			names = names[:0]
		}
	}
	return titles
}
