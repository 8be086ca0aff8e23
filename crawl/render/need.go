package render

import (
	"strings"

	"chaffinch/page"
)

// Signals holds the evidence that the scripts of a page write its text.
type Signals struct {
	// Words is the number of words that the page shows without scripts, and Kept the number of words
	// that cleaning kept.
	Words, Kept int
	// Scripts is the number of script elements that run, and ScriptBytes their bytes in the page.
	Scripts, ScriptBytes int
	// Mount reports an element in which frameworks write the page, such as <div id="root">, with
	// hardly any text. Notice reports a noscript element that names JavaScript.
	Mount, Notice bool
	// Scripted reports that cleaning dropped the page as [page.Scripted].
	Scripted bool
}

const (
	// maxShown is the most words of a page that scripts may complete. A page of a framework shows at
	// most maxFramed words of menus and footers around its empty element.
	maxShown, maxFramed = 60, 250
	// maxKeptWords is the most words that cleaning keeps of such a page.
	maxKeptWords = 25
	// maxMountText is the most bytes of text in the element of a framework, such as "Loading".
	maxMountText = 60
	// maxScanned is the most bytes of a page that are searched for elements.
	maxScanned = 2 << 20
)

// SignalsOf returns the signals of a page that was cleaned.
func SignalsOf(p *page.Page) Signals {
	s := Signals{Scripted: p.Drop == page.Scripted}
	for i := range p.Blocks {
		if b := &p.Blocks[i]; !b.Hidden {
			s.Words += len(strings.Fields(b.Text))
		}
	}
	s.Kept = len(strings.Fields(p.Text()))
	if s.Words <= maxFramed {
		s.scan(p.HTML[:min(len(p.HTML), maxScanned)])
	}
	return s
}

// NeedsScripts reports whether the scripts of the page probably write text that it does not show.
func (s Signals) NeedsScripts() bool {
	switch {
	case s.Scripts == 0:
		return false
	case s.Scripted:
		return true
	case s.Mount:
		return s.Words <= maxFramed && s.Kept <= maxKeptWords
	}
	return s.Notice && s.Words <= maxShown && s.Kept <= maxKeptWords
}

// mounts are the ids and classes of elements in which frameworks write a page.
var mounts = map[string]bool{
	"root": true, "app": true, "app-root": true, "__next": true, "__nuxt": true, "___gatsby": true, "svelte": true, "react-root": true, "reactroot": true, "main-app": true,
	"application": true, "app-container": true, "app-mount": true, "q-app": true, "ember-app": true, "vue-app": true, "mount": true, "spa": true, "single-spa": true, "page-root": true,
}

// scan searches the source of a page.
func (s *Signals) scan(src string) {
	lower := strings.ToLower(src)
	for at := 0; ; {
		i := strings.IndexByte(lower[at:], '<')
		if i < 0 {
			return
		}
		at += i + 1
		name := tagName(lower[at:])
		if name == "" {
			if strings.HasPrefix(lower[at:], "!--") {
				if end := strings.Index(lower[at:], "-->"); end >= 0 {
					at += end
				}
			}
			continue
		}
		head, _, _ := strings.Cut(lower[at:], ">")
		at += len(head)
		switch {
		case name == "script" || name == "noscript":
			content, _, _ := strings.Cut(lower[min(at+1, len(lower)):], "</"+name)
			at += len(content)
			if name == "noscript" {
				s.Notice = s.Notice || strings.Contains(content, "javascript") || strings.Contains(content, "java script")
			} else if runs(head) {
				s.Scripts++
				s.ScriptBytes += len(content)
			}
		case !s.Mount && isMount(name, head):
			s.Mount = shownIn(lower[min(at+1, len(lower)):], name) <= maxMountText
		}
	}
}

// tagName returns the name of the start tag at the beginning of s, "" if there is none.
func tagName(s string) string {
	n := 0
	for n < len(s) && ('a' <= s[n] && s[n] <= 'z' || n > 0 && ('0' <= s[n] && s[n] <= '9' || s[n] == '-')) {
		n++
	}
	return s[:n]
}

// runs reports whether the browser runs a script element with this start tag. Data, such as JSON, does
// not run.
func runs(head string) bool {
	typ := attribute(head, "type")
	return typ == "" || typ == "module" || strings.Contains(typ, "javascript") || strings.Contains(typ, "ecmascript")
}

// attribute returns the value of an attribute in a start tag in lower case.
func attribute(head, name string) string {
	for {
		i := strings.Index(head, name)
		if i < 0 {
			return ""
		}
		before := i > 0 && strings.IndexByte(" \t\n\r\f\"'/", head[i-1]) >= 0
		head = head[i+len(name):]
		value, ok := strings.CutPrefix(strings.TrimLeft(head, " \t\n"), "=")
		if !before || !ok {
			continue
		}
		value = strings.TrimLeft(value, " \t\n")
		if value != "" && (value[0] == '"' || value[0] == '\'') {
			value, _, _ = strings.Cut(value[1:], value[:1])
			return strings.TrimSpace(value)
		}
		if fields := strings.FieldsFunc(value, func(r rune) bool { return r <= ' ' || r == '/' }); len(fields) > 0 {
			return fields[0]
		}
		return ""
	}
}

// isMount reports whether a framework writes the page in an element with this start tag.
func isMount(name, head string) bool {
	switch name {
	case "div", "main", "section", "body":
		return mounts[attribute(head, "id")] || strings.Contains(head, "data-reactroot") || name != "body" && strings.Contains(head, "data-server-rendered")
	case "app-root", "my-app", "app-shell", "ion-app", "root-app", "flt-glass-pane":
		return true
	}
	return false
}

// shownIn returns the bytes of text in the element with this name whose content starts at s, or more
// than maxMountText if it has more.
func shownIn(s, name string) (n int) {
	for depth := 1; s != ""; {
		text, rest, ok := strings.Cut(s, "<")
		if n += len(strings.Join(strings.Fields(text), " ")); n > maxMountText || !ok {
			return n
		}
		closing := strings.HasPrefix(rest, "/")
		switch tag := tagName(strings.TrimPrefix(rest, "/")); {
		case tag == name && closing:
			if depth--; depth == 0 {
				return n
			}
		case tag == name:
			depth++
		case !closing && (tag == "script" || tag == "style" || tag == "noscript" || tag == "svg"):
			if _, after, ok := strings.Cut(rest, "</"+tag); ok {
				rest = after
			}
		case !closing && tag == "img":
			n += maxMountText / 4 // a picture is content
		}
		if strings.HasPrefix(rest, "!--") {
			_, s, _ = strings.Cut(rest, "-->")
			continue
		}
		_, s, _ = strings.Cut(rest, ">")
	}
	return n
}
