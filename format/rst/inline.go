package rst

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/format/document"
	"chaffinch/format/document/flow"
	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/sets"
)

var (
	rolePrefix = lazyregexp.New("^:([a-zA-Z][\\w:+.-]{0,40}):`")
	roleSuffix = lazyregexp.New("^:([a-zA-Z][\\w:+.-]{0,40}):")
	titled     = lazyregexp.New(`(?s)^(.*?)\s*<([^<>]*)>$`)
	noteRef    = lazyregexp.New(`^\[(#?[\w.+-]*|\*)\]_`)
	refEnd     = lazyregexp.New(`^_{1,2}(?:[^\w]|$)`)
)

// dropped contains the roles whose text is not shown, refs the roles of references. codes contains the roles of code.
var (
	dropped = sets.Words("cite cite:p cite:t cite:ps footcite footcite:p index raw eq issue commit user")
	refs    = sets.Words("ref doc std:ref std:doc any numref download")
	codes   = sets.Words("code samp file kbd command option envvar program literal func meth class mod attr data exc const obj py:func py:class py:meth py:mod py:attr py:data py:exc c:func c:type c:macro makevar regexp mimetype opcode token keyword")
)

// inline writes text with its markup.
func (w *writer) inline(text string) {
	missing := map[string]bool{} // ends that the rest of the text does not contain
	var plain strings.Builder
	flush := func() {
		w.b.Text(strings.ReplaceAll(plain.String(), "\n", " "))
		plain.Reset()
	}
	for i := 0; i < len(text) && !w.done(); {
		rest := text[i:]
		if c := text[i]; c != '*' && c != '`' && c != '|' && c != '[' && c != ':' && c != '\\' && c != '_' {
			n := strings.IndexAny(rest[1:], "*`|[:\\_") + 1
			if n == 0 {
				n = len(rest)
			}
			plain.WriteString(rest[:n])
			i += n
			continue
		}
		size := 0
		if rest[0] == '\\' {
			_, size = utf8.DecodeRuneInString(rest[1:])
			if s := rest[1 : 1+size]; s != " " && s != "\n" {
				plain.WriteString(s)
			}
			i += 1 + size
			continue
		}
		if opens(text, i) {
			size = w.markup(rest, missing, flush)
		}
		if size == 0 && rest[0] == '_' && refEnd().MatchString(near(rest)) && i > 0 && wordBefore(text[:i]) {
			size = len(refEnd().FindString(near(rest))) // the end of a reference of one word
			if size > 1 && rest[size-1] != '_' {
				_, last := utf8.DecodeLastRuneInString(rest[:size])
				size -= last
			}
		}
		if size == 0 {
			plain.WriteByte(rest[0])
			size = 1
		}
		i += size
	}
	flush()
}

// opens reports whether markup may begin at an offset: after a space or an opening mark.
func opens(text string, i int) bool {
	if i == 0 {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return unicode.IsSpace(r) || strings.ContainsRune(`'"([{<-/:\`, r) || r > 127 && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// near returns the begin of text, in which the marks of roles and references end.
func near(text string) string { return text[:min(len(text), 100)] }

func wordBefore(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// find returns the offset of an end mark after which markup may end, from an offset; -1 if there
// is none.
func find(text, mark string, from int) int {
	for i := from; ; {
		n := strings.Index(text[i:], mark)
		if n < 0 {
			return -1
		}
		i += n
		r, _ := utf8.DecodeRuneInString(text[i+len(mark):])
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		if i > from && !unicode.IsSpace(before) && (mark == "``" || before != '\\') && (i+len(mark) == len(text) || unicode.IsSpace(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '*' && (mark != "`" || r != '`')) {
			return i
		}
		i += len(mark)
	}
}

// markup writes the markup that text begins with and returns its size, 0 if it has none.
func (w *writer) markup(text string, missing map[string]bool, flush func()) int {
	role := ""
	at := 0
	if m := rolePrefix().FindStringSubmatch(near(text)); m != nil {
		role, at = strings.ToLower(m[1]), len(m[0])-1
	} else if m := noteRef().FindString(near(text)); m != "" {
		flush()
		label := strings.Trim(m, "[]_#*")
		if label != "" && (label[0] >= '0' && label[0] <= '9' || m[1] == '#') {
			w.b.Start("a", "href", "#note-"+label, "role", document.NoteRef)
			w.b.Block("sup", label)
			w.b.End()
		}
		return len(m)
	}
	rest := text[at:]
	mark := ""
	for _, m := range [...]string{"**", "``", "*", "`", "|", "_`"} {
		if strings.HasPrefix(rest, m) {
			mark = m
			break
		}
	}
	if mark == "" || missing[mark] || len(rest) == len(mark) || rest[len(mark)] == ' ' || rest[len(mark)] == '\n' {
		return 0
	}
	end := find(rest, strings.TrimPrefix(mark, "_"), len(mark))
	if end < 0 {
		missing[mark] = true
		return 0
	}
	inner := rest[len(mark):end]
	size := at + end + len(strings.TrimPrefix(mark, "_"))
	flush()
	switch mark {
	case "**":
		w.b.Block("b", w.plain(inner))
	case "*":
		w.b.Block("i", w.plain(inner))
	case "``":
		w.b.Block("code", strings.ReplaceAll(inner, "\n", " "))
	case "_`":
		w.b.Text(w.plain(inner))
	case "|":
		if s := w.substitutes[inner]; s != "" && len(s) <= w.left {
			w.left -= len(s)
			w.b.Text(w.plain(s))
		} else if s == "" && len(inner) < 40 {
			w.b.Text(inner)
		}
		size += len(refEnd().FindString(near(text[size:])+" ")) - min(1, len(refEnd().FindString(near(text[size:])+" ")))
	case "`":
		if m := roleSuffix().FindStringSubmatch(near(text[size:])); m != nil && role == "" {
			role = strings.ToLower(m[1])
			size += len(m[0])
		}
		link := ""
		if m := refEnd().FindString(near(text[size:]) + " "); role == "" && m != "" {
			link = m
			size += len(m) - 1
		}
		w.interpreted(role, inner, link != "")
	}
	return size
}

// interpreted writes text of a role. A link refers to an address or a name.
func (w *writer) interpreted(role, text string, link bool) {
	target := text
	m := titled().FindStringSubmatch(text)
	if m != nil && (role == "" && link || role != "" && m[1] != "") {
		text, target = m[1], m[2]
		if text == "" {
			text = target
		}
	} else if role != "" && role != "math" {
		text = strings.TrimPrefix(text, "!")
		if short, ok := strings.CutPrefix(text, "~"); ok {
			text = short[strings.LastIndexByte(short, '.')+1:]
		}
	}
	text = strings.TrimSpace(w.plain(text))
	switch {
	case dropped[role]:
	case refs[role] && m == nil: // to a title
		w.b.Text(w.plain(w.labels[strings.ToLower(text)]))
	case link:
		w.b.Block("a", text, "href", flow.WebLink(first(target, w.targets[strings.ToLower(strings.TrimSuffix(target, "_"))])))
	case role == "math":
		w.b.Text("$" + strings.TrimSpace(target) + "$")
	case role == "sub" || role == "subscript":
		w.b.Block("sub", text)
	case role == "sup" || role == "superscript":
		w.b.Block("sup", text)
	case role == "strong":
		w.b.Block("b", text)
	case role == "pep" || role == "rfc":
		if m == nil {
			text = strings.ToUpper(role) + " " + text
		}
		w.b.Text(text)
	case codes[role]:
		w.b.Block("code", text)
	case role == "":
		w.b.Block("cite", text)
	default:
		w.b.Text(text)
	}
}

// first returns the address, if it is one of the web, or the other.
func first(address, other string) string {
	if flow.WebLink(address) != "" {
		return address
	}
	return other
}

// plain returns text without backslashes and line ends.
func (w *writer) plain(text string) string {
	text = strings.ReplaceAll(text, "\n", " ")
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			if i++; text[i] == ' ' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
