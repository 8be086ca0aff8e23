package asciidoc

import (
	"slices"
	"strings"
)

// marker returns the mark of the list item that a line begins, the text of the item, and the term
// that a description list describes.
func marker(line string) (mark, term, text string) {
	if m := unordered().FindStringSubmatch(line); m != nil {
		return m[1], "", checkbox().ReplaceAllString(m[2], "")
	}
	if m := ordered().FindStringSubmatch(line); m != nil {
		if m[1][0] != '.' {
			m[1] = "1."
		}
		return m[1], "", m[2]
	}
	if m := callout().FindStringSubmatch(line); m != nil {
		return "<1>", "", m[1]
	}
	if m := described().FindStringSubmatch(line); m != nil && !macroBlock().MatchString(line) {
		return m[2], m[1], m[3]
	}
	return "", "", ""
}

// ends reports whether a line ends a list item.
func ends(line string) bool {
	return line == "" || line == "+" || delimiter().MatchString(line) || attributes().MatchString(line) || section().MatchString(line) && line[0] == '='
}

// list writes the list that lines begin with and returns its number of lines. open contains the
// marks of the lists around it.
func (w *writer) list(lines []string, depth int, open []string) int {
	mark, _, _ := marker(lines[0])
	name := "ul"
	switch mark[0] {
	case '.', '1', '<':
		name = "ol"
	case ':', ';':
		name = "dl"
	}
	open = append(open[:len(open):len(open)], mark)
	w.b.Start(name)
	n := 0
	for n < len(lines) && !w.done() {
		m, term, text := marker(lines[n])
		if m != mark {
			break
		}
		if n++; name == "dl" {
			w.paragraph("dt", term)
			w.b.Start("dd")
		} else {
			w.b.Start("li")
		}
		at := n
		if text == "" { // the text begins in the next lines
			for at < len(lines) && lines[at] == "" {
				at++
			}
			if at < len(lines) && (ends(lines[at]) || at > n && lines[at][0] == '=') {
				at = n
			}
		}
		body := []string{text}
		for at < len(lines) && !ends(lines[at]) {
			if m, _, _ := marker(lines[at]); m != "" || text == "" && len(body) > 1 && strings.HasPrefix(lines[at], ".") {
				break
			}
			body = append(body, strings.TrimSpace(lines[at]))
			at++
			n = at
		}
		w.inline(w.replace(strings.TrimSpace(strings.Join(body, "\n"))))
		n = w.continued(lines, n, depth, open)
		w.b.End()
		at = n
		for at < len(lines) && lines[at] == "" {
			at++
		}
		if at < len(lines) {
			if m, _, _ := marker(lines[at]); m == mark {
				n = at
			}
		}
	}
	w.b.End()
	return n
}

// isItem reports whether a line begins an item of an open list.
func isItem(line string, open []string) bool {
	mark, _, _ := marker(line)
	return mark != "" && slices.Contains(open, mark)
}

// continued writes the lists and blocks that belong to an item and returns the index of the line
// after them.
func (w *writer) continued(lines []string, n, depth int, open []string) int {
	for n < len(lines) && !w.done() {
		at := n
		for at < len(lines) && lines[at] == "" {
			at++
		}
		if at == len(lines) {
			return n
		}
		var s style
		if lines[at] == "+" && (at == n || len(open) > 0) {
			at++
			for at < len(lines) && (attributes().MatchString(lines[at]) || blockTitle().MatchString(lines[at]) && !ordered().MatchString(lines[at]) && !delimiter().MatchString(lines[at])) {
				if lines[at][0] == '.' {
					s.caption = lines[at][1:]
				} else if !strings.HasPrefix(lines[at], "[[") {
					s.names = strings.Trim(lines[at], "[]")
				}
				at++
			}
			if at == len(lines) || lines[at] == "" {
				return at
			}
			if depth >= maxDepth {
				return at
			}
			end := len(lines)
			if !delimiter().MatchString(lines[at]) { // an item of a list around it ends the block
				for end = at + 1; end < len(lines) && lines[end] != "" && !isItem(lines[end], open); {
					end++
				}
			}
			n = at + max(w.block(lines[at:end], s, depth+1), 1)
			continue
		}
		m, _, _ := marker(lines[at])
		if m == "" || slices.Contains(open, m) || len(open) >= maxDepth {
			if m == "" && at > n && (lines[at][0] == ' ' || lines[at][0] == '\t') && depth < maxDepth { // a literal paragraph
				n = at + max(w.block(lines[at:], s, depth+1), 1)
				continue
			}
			return n
		}
		n = at + max(w.list(lines[at:], depth, open), 1)
	}
	return n
}
