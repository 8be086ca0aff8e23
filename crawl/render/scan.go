package render

import (
	"slices"
	"strings"
	"unicode"

	"chaffinch/internal/sets"
	"chaffinch/internal/truth"
)

// mounts are the ids of elements in which frameworks write a page.
var mounts = map[string]bool{
	"root": true, "app": true, "app-root": true, "__next": true, "__nuxt": true, "___gatsby": true, "svelte": true, "react-root": true, "reactroot": true, "main-app": true,
	"application": true, "app-container": true, "app-mount": true, "q-app": true, "ember-app": true, "vue-app": true, "mount": true, "spa": true, "single-spa": true, "page-root": true,
}

// widgets are words in the ids and classes of elements that are empty on ordinary pages.
var widgets = sets.Words(`ad ads adslot adunit advert advertisement advertising analytics alert alerts arrow audio back backdrop background badge banner bar
bg bottom bubble button buttons captcha carousel cart chart chat clear clearfix clearer clock cls comment comments consent cookie cookies copyright cta date
dialog disqus divider dots dropdown error errors facebook fb flash follow form google gallery gradient gtm hamburger hero icon icons image img indicator
instagram language line loader logo map maps mask menu message messages modal nav navbar navigation newsletter notice notification notifications notify
overlay pager pagination player pixel popup portal preloader progress push quiz rating recaptcha recommend recommendations related rule scroll search
separator sep shadow share sharing sidebar slick slide slider slides slot social space spacer spinner sponsor status sticky subscribe swiper tab tabs tag tags
taboola toast toggle toolbar tooltip top tracking translate twitter user video weather widget widgets`)

// placeholders are words in the classes of elements that are shown until the text arrives.
var placeholders = sets.Words("skeleton skeletons shimmer placeholder ghost")

// waitings are the first words of texts that are shown until the text arrives.
var waitings = []string{"loading", "please wait", "lade ", "wird geladen", "bitte warten", "chargement", "cargando", "carregando", "a carregar", "caricamento", "laden", "laddar", "indlæser", "laster", "загрузка", "завантаження", "ładowanie", "načítá", "读取", "加载", "読み込み"}

// maxOpen is the most open elements that the scanner tracks.
const maxOpen = 256

// open is an open element.
type open struct {
	name  string
	shown int // bytes of text before it
	mount bool
	named bool // it has an id, a class or data, and is not a widget
}

// scanner searches the source of a page for signals in one pass. It is not a parser: wrong nesting at most
// hides a signal.
type scanner struct {
	*Signals
	stack []open
	shown int // bytes of text so far, images included
	apart int // open links, forms and landmarks
	inner int // open main and article elements
}

// scan searches the source of a page.
func (s *Signals) scan(src string) {
	x := scanner{Signals: s}
	lower := strings.ToLower(src)
	for lower != "" {
		text, rest, ok := strings.Cut(lower, "<")
		x.text(text)
		if !ok {
			break
		}
		if comment, isComment := strings.CutPrefix(rest, "!--"); isComment {
			_, lower, _ = strings.Cut(comment, "-->")
			continue
		}
		closing := strings.HasPrefix(rest, "/")
		name := tagName(strings.TrimPrefix(rest, "/"))
		if name == "" {
			lower = rest
			continue
		}
		var head string
		head, lower, _ = strings.Cut(rest, ">")
		switch {
		case closing:
			x.close(name)
		case isRaw(name):
			content, after, _ := strings.Cut(lower, "</"+name)
			x.raw(name, head, content)
			_, lower, _ = strings.Cut(after, ">")
		default:
			x.start(name, head)
		}
	}
	for len(x.stack) > 0 { // the end of the page
		x.pop()
	}
}

// isRaw reports whether the content of an element is not shown, or is no markup.
func isRaw(name string) bool {
	switch name {
	case "script", "style", "noscript", "template", "textarea", "title", "svg", "iframe", "select", "option":
		return true
	}
	return false
}

// raw adds an element whose content is not shown.
func (x *scanner) raw(name, head, content string) {
	switch name {
	case "noscript":
		x.Notice = x.Notice || strings.Contains(content, "javascript") || strings.Contains(content, "java script")
	case "script":
		if runs(head) {
			x.Scripts++
			x.ScriptBytes += len(content)
		}
	case "template":
		x.Gap = x.Gap || len(content) >= minTemplate && attribute(head, "shadowrootmode") == "" && strings.Contains(content, "<p")
	case "iframe", "svg":
		x.shown += maxMountText / 4 // a picture is content
	}
}

// text adds text between tags.
func (x *scanner) text(text string) {
	text = strings.TrimSpace(text)
	if text == "" || slices.ContainsFunc(waitings, func(w string) bool { return strings.HasPrefix(text, w) }) && len(text) <= maxMountText {
		return
	}
	x.shown += len(text)
	if x.apart == 0 {
		x.Bare += len(text)
	}
}

// start adds a start tag.
func (x *scanner) start(name, head string) {
	switch name {
	case "img", "video", "audio", "picture", "canvas", "embed", "object":
		x.shown += maxMountText / 4
	case "input":
		x.shown++ // a form is not empty
	}
	if !tracked(name) {
		return
	}
	words := attributeWords(head)
	if slices.ContainsFunc(words, func(w string) bool { return placeholders[w] }) && !slices.ContainsFunc(words, func(w string) bool { return widgets[w] }) || attribute(head, "aria-busy") == "true" {
		x.Gap = true
		x.Unfinished = x.Unfinished || x.inner > 0
	}
	x.apart += truth.Int(isApart(name))
	x.inner += truth.Int(isInner(name))
	if len(x.stack) >= maxOpen {
		x.apart -= truth.Int(isApart(name))
		x.inner -= truth.Int(isInner(name))
		return
	}
	named := !slices.ContainsFunc(words, func(w string) bool { return widgets[w] }) && (len(words) > 0 || strings.Contains(head, "data-") || strings.Contains(head, "hx-"))
	if strings.Contains(name, "-") {
		named = !slices.ContainsFunc(strings.Split(name, "-"), func(w string) bool { return widgets[w] || w == "amp" })
	}
	x.stack = append(x.stack, open{name, x.shown, isMount(name, head), named})
}

// close adds an end tag: it closes the last open element of the name, and the elements in it.
func (x *scanner) close(name string) {
	at := len(x.stack) - 1
	for at >= 0 && x.stack[at].name != name {
		at--
	}
	for at >= 0 && len(x.stack) > at {
		x.pop()
	}
}

// pop closes the last open element.
func (x *scanner) pop() {
	e := x.stack[len(x.stack)-1]
	x.stack = x.stack[:len(x.stack)-1]
	x.apart -= truth.Int(isApart(e.name))
	x.inner -= truth.Int(isInner(e.name))
	n := x.shown - e.shown
	if e.mount && n <= maxMountText {
		x.Mount = true
	}
	if n > 0 || x.apart > 0 {
		return
	}
	switch {
	case isInner(e.name):
		x.Gap = true
	case e.named && e.name != "body":
		x.Empty = true
	}
}

// tracked reports whether the scanner tracks elements of this name.
func tracked(name string) bool {
	switch name {
	case "div", "section", "body", "ul", "ol", "tbody":
		return true
	}
	return isApart(name) || isInner(name) || strings.Contains(name, "-")
}

// isApart reports whether an element holds text around the text of a page.
func isApart(name string) bool {
	switch name {
	case "a", "header", "nav", "footer", "aside", "form", "button", "label", "dialog":
		return true
	}
	return false
}

// isInner reports whether an element holds the main part of a page.
func isInner(name string) bool { return name == "main" || name == "article" }

// attributeWords returns the words in the id and the classes of an element.
func attributeWords(head string) []string {
	isGap := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return strings.FieldsFunc(attribute(head, "id")+" "+attribute(head, "class"), isGap)
}
