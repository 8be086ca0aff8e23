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
	// Bare is the number of bytes of text outside links, forms and landmarks such as menus and footers.
	Bare int
	// Scripts is the number of script elements that run, and ScriptBytes their bytes in the page.
	Scripts, ScriptBytes int
	// Mount reports an element in which frameworks write the page, such as <div id="root">, with
	// hardly any text. Notice reports a noscript element that names JavaScript.
	Mount, Notice bool
	// Empty reports an element without text and pictures that has an id, a class or data, and is not
	// known to be a widget.
	Empty bool
	// Gap reports a main or article element without text, a placeholder for text such as a skeleton, or
	// text in a template element. Unfinished reports a placeholder in the main part of the page.
	Gap, Unfinished bool
	// Scripted reports that cleaning dropped the page as [page.Scripted].
	Scripted bool
}

const (
	// maxShown is the most words of a page that scripts may complete. A page shows at most maxFramed
	// words of menus and footers around an element that scripts fill.
	maxShown, maxFramed = 60, 250
	// maxKeptWords is the most words that cleaning keeps of such a page, and maxBegun of a page with the
	// beginning of its text.
	maxKeptWords, maxBegun = 25, 120
	// maxMountText is the most bytes of text in the element of a framework, such as "Loading".
	maxMountText = 60
	// minTemplate is the least bytes in a template element that holds the text of a page.
	minTemplate = 400
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
	case s.Words > maxFramed:
		return false
	case s.Kept > maxKeptWords:
		return s.Unfinished && s.Kept <= maxBegun
	}
	return s.Mount || s.Gap || s.Empty && s.Bare <= maxMountText || s.Notice && s.Words <= maxShown
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
