package structure

import (
	"strings"

	"chaffinch/internal/lazyregexp"
)

// space is a class of white space that also has the spaces outside of ASCII.
const space = `[\s\v\x{1c}-\x{1f}\x{85}\p{Z}]`

var (
	indented   = lazyregexp.New(`(?m)\n` + space + `*\n((?:(?: {4,}|\t+)[^\n]*(?:\n|$)){2,})`)
	listLine   = lazyregexp.New(`^[-•*]` + space + `|^\p{Nd}+\.` + space + `|\$[\d,]|(?i)\b(?:million|billion|thousand)\b`)
	fencedCode = lazyregexp.New("(?s)```.*?```")
	codeSpan   = lazyregexp.New("`[^`]*`")
	pipeRule   = lazyregexp.New(`^:?-{3,}:?$`)
	ruleLine   = lazyregexp.New(`^[\s|\-:]+$`)
)

// codeOf returns the code of a Markdown text, joined by line breaks: the lines inside fences, then
// blocks of at least two lines indented by four spaces or a tab after an empty line. Indented lines
// that look like a list or amounts of money are not code.
func codeOf(text string) string {
	var parts []string
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, "```")
		if !ok {
			break
		}
		inside, after, ok := strings.Cut(after, "```")
		if !ok {
			break
		}
		// The first line has the language, the last one the closing fence.
		if _, inside, ok = strings.Cut(inside, "\n"); ok {
			if i := strings.LastIndexByte(inside, '\n'); i > 0 {
				parts = append(parts, inside[:i])
			}
		}
		rest = after
	}
	for at := 0; at < len(text); {
		m := indented().FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		end := at + m[3]
		if end < len(text) && text[end] != '\n' && text[end-1] == '\n' {
			end-- // the line break also begins the next empty line
		}
		if code := unindent(text[at+m[2] : end]); strings.TrimSpace(code) != "" {
			parts = append(parts, code)
		}
		at = end
	}
	return strings.Join(parts, "\n")
}

// unindent returns the lines of an indented block without indentation and empty lines, or "" if it
// is not code.
func unindent(block string) string {
	var lines []string
	for line := range strings.SplitSeq(block, "\n") {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue
		}
		if listLine().MatchString(trimmed) {
			return ""
		}
		rest, ok := strings.CutPrefix(line, "    ")
		if !ok {
			rest = strings.TrimPrefix(line, "\t")
		}
		lines = append(lines, rest)
	}
	if len(lines) < 2 {
		return ""
	}
	return strings.Join(lines, "\n")
}

// withoutCode returns text without fenced code and code spans.
func withoutCode(text string) string {
	return codeSpan().ReplaceAllString(fencedCode().ReplaceAllString(text, ""), "")
}

// formulasOf returns the formulas of a Markdown text outside of code, joined by line breaks: all
// between $$, then between \[ and \], between single $, and between \( and \). A formula between $$
// counts once; the text between two formulas can count as a formula between single $.
func formulasOf(text string) string {
	text = withoutCode(text)
	var parts []string
	for _, d := range [...][2]string{{"$$", "$$"}, {`\[`, `\]`}, {"$", "$"}, {`\(`, `\)`}} {
		for at := 0; ; {
			start := unescaped(text, d[0], at)
			if start < 0 {
				break
			}
			start += len(d[0])
			end := unescaped(text, d[1], start)
			if end < 0 {
				break
			}
			if f := strings.TrimSpace(text[start:end]); f != "" {
				parts = append(parts, f)
			}
			at = end + len(d[1])
		}
	}
	return strings.Join(parts, "\n")
}

// unescaped returns the index at or after from of the first mark in text that no backslash
// precedes, or -1.
func unescaped(text, mark string, from int) int {
	for {
		i := strings.Index(text[from:], mark)
		if i < 0 {
			return -1
		}
		if i += from; i == 0 || text[i-1] != '\\' {
			return i
		}
		from = i + 1
	}
}

// tablesOf returns the tables of a Markdown text as HTML. If the text contains an HTML table
// outside of code, the result is all its HTML tables and pipe tables, joined by line breaks.
// Otherwise the rows of all pipe tables become one HTML table, without empty cells, and the cells
// of the first row are headers.
func tablesOf(text string) string {
	parts := htmlTables(withoutCode(text))
	var table []string
	flush := func() {
		if len(table) >= 2 && isRule(table[1]) {
			parts = append(parts, strings.Join(table, "\n"))
		}
		table = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.Contains(line, "|") {
			table = append(table, line)
		} else {
			flush()
		}
	}
	flush()
	all := strings.Join(parts, "\n")
	if all == "" || strings.Contains(strings.ToLower(all), "<table") {
		return all
	}
	var html strings.Builder
	html.WriteString("<table>")
	tag := "th"
	for line := range strings.SplitSeq(all, "\n") {
		if line = strings.TrimSpace(line); ruleLine().MatchString(line) {
			continue
		}
		row := ""
		for cell := range strings.SplitSeq(line, "|") {
			if cell = strings.TrimSpace(cell); cell != "" {
				row += "<" + tag + ">" + cell + "</" + tag + ">"
			}
		}
		if row != "" {
			html.WriteString("<tr>" + row + "</tr>")
		}
		tag = "td"
	}
	html.WriteString("</table>")
	return html.String()
}

// isRule reports whether the line separates the header of a pipe table from its rows.
func isRule(line string) bool {
	for part := range strings.SplitSeq(line, "|") {
		if part = strings.TrimSpace(part); part != "" && !pipeRule().MatchString(part) {
			return false
		}
	}
	return true
}
