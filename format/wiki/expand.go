package wiki

import (
	"strings"

	"chaffinch/internal/lazyregexp"
)

// maxNested is the most templates within one another. Deeper braces are text.
const maxNested = 40

// expand replaces templates, parameters and language conversion. Braces that are not closed are
// removed, and the text after them is kept.
func expand(text string) string {
	type level struct {
		out  strings.Builder
		mark string
	}
	stack := []*level{{}}
	top := func() *level { return stack[len(stack)-1] }
	for i := 0; i < len(text); {
		rest := text[i:]
		mark := ""
		switch {
		case strings.HasPrefix(rest, "{{{") && !strings.HasPrefix(rest, "{{{{"):
			mark = "{{{"
		case strings.HasPrefix(rest, "{{"):
			mark = "{{"
		case strings.HasPrefix(rest, "-{") && !strings.HasPrefix(rest, "-{{"):
			mark = "-{"
		}
		if mark != "" && len(stack) <= maxNested {
			stack = append(stack, &level{mark: mark})
			i += len(mark)
			continue
		}
		if end := ends[top().mark]; end != "" && strings.HasPrefix(rest, end) {
			l := top()
			stack = stack[:len(stack)-1]
			top().out.WriteString(replace(l.mark, l.out.String()))
			i += len(end)
			continue
		}
		next := strings.IndexAny(text[i+1:], "{}-")
		if next < 0 {
			next = len(text) - i - 1
		}
		top().out.WriteString(text[i : i+1+next])
		i += 1 + next
	}
	for len(stack) > 1 {
		l := top()
		stack = stack[:len(stack)-1]
		top().out.WriteString(l.out.String())
	}
	return stack[0].out.String()
}

var ends = map[string]string{"{{{": "}}}", "{{": "}}", "-{": "}-"}

// replace returns the text of a template, parameter or conversion.
func replace(mark, content string) string {
	switch mark {
	case "{{":
		return template(content)
	case "{{{":
		_, text, _ := strings.Cut(content, "|")
		return text
	}
	return conversion(content)
}

var variant = lazyregexp.New(`^\s*[a-z]{2,3}(?:-[a-z]+)?\s*:`)

// conversion returns the text of a language conversion: the first variant, "" of a rule.
func conversion(content string) string {
	if flags, text, ok := strings.Cut(content, "|"); ok && len(flags) < 30 {
		if strings.ContainsAny(flags, "HTD-") {
			return ""
		}
		content = text
	}
	if at := variant().FindStringIndex(content); at != nil {
		content, _, _ = strings.Cut(content[at[1]:], ";")
	}
	return strings.TrimSpace(content)
}

// first contains the templates whose text is their first argument. last contains the templates
// whose text is the last one.
var (
	first = setOf("nowrap nobr small big em strong smallcaps smaller larger abbr tooltip ill interlanguage_link lien illm quote blockquote cquote citation_bloc zitat center underline sic nihongo_krt script mvar var math_text langue-texte val formatnum nombre unité/1 tq resize visible_anchor anchor-text")
	last  = setOf("lang langue transl transliteration script lang-text spell rtl-lang")
	marks = map[string]string{"!": "|", "=": "=", "ndash": "–", "mdash": "—", "spaced ndash": " – ", "snd": " – ", "--": "—", "-": "–", "nbsp": " ", "·": " · ", "•": " • ", "pi": "π", "'": "’", "shy": ""}
)

func setOf(names string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		set[strings.ReplaceAll(name, "_", " ")] = true
	}
	return set
}

// template returns the text of a template that only formats it, "" of others.
func template(content string) string {
	args := arguments(content)
	name := strings.ToLower(strings.TrimSpace(strings.ReplaceAll(args[0], "_", " ")))
	if text, ok := marks[name]; ok {
		return text
	}
	if value, ok := strings.CutPrefix(name, "formatnum:"); ok {
		return value
	}
	var texts []string // arguments without a name
	for _, a := range args[1:] {
		if key, value, ok := strings.Cut(a, "="); !ok || strings.ContainsAny(key, "<[ \x00") && !isNumber(strings.TrimSpace(key)) {
			texts = append(texts, strings.TrimSpace(a))
		} else if isNumber(strings.TrimSpace(key)) {
			texts = append(texts, strings.TrimSpace(value))
		}
	}
	if len(texts) == 0 {
		return ""
	}
	switch {
	case first[name], strings.HasPrefix(name, "lang-") && !last[name]:
		return texts[0]
	case last[name] && len(texts) > 1:
		return texts[len(texts)-1]
	case (name == "convert" || name == "cvt" || name == "unité" || name == "unit") && len(texts) > 1:
		return texts[0] + " " + texts[1]
	case name == "frac" || name == "fraction" || name == "sfrac":
		return strings.Join(texts, "/")
	case name == "circa" || name == "c.":
		return "c. " + texts[0]
	case name == "as of":
		return "As of " + strings.Join(texts, " ")
	case name == "date":
		return strings.Join(texts, " ")
	case name == "nihongo" && len(texts) > 1:
		return texts[0] + " (" + strings.Join(texts[1:], ", ") + ")"
	}
	return ""
}

// isNumber reports whether s is a digit from 1 to 9.
func isNumber(s string) bool { return len(s) == 1 && s[0] >= '1' && s[0] <= '9' }

// arguments splits the content of a template or link at bars outside links.
func arguments(content string) []string {
	var args []string
	depth, from := 0, 0
	for i := 0; i < len(content); i++ {
		switch {
		case strings.HasPrefix(content[i:], "[["):
			depth++
			i++
		case strings.HasPrefix(content[i:], "]]"):
			depth = max(depth-1, 0)
			i++
		case content[i] == '|' && depth == 0:
			args = append(args, content[from:i])
			from = i + 1
		}
	}
	return append(args, content[from:])
}
