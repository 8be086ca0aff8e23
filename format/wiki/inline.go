package wiki

import (
	"context"
	"html"
	"regexp"
	"strconv"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/document/flow"
)

// maxInline is the greatest depth of links and notes.
const maxInline = 8

// writer writes wikitext as HTML.
type writer struct {
	ctx      context.Context
	b        *document.Builder
	kept     []string // protected text
	pre      []bool   // which of kept are blocks
	refs     []string // notes
	captions []string // captions of images in the current block
}

var (
	comment = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)
	verbat  = regexp.MustCompile(`(?is)<(nowiki|pre|math|chem|code|syntaxhighlight|source)\b([^>]*)>(.*?)</(?:nowiki|pre|math|chem|code|syntaxhighlight|source)\s*>|<nowiki\s*/>`)
	blocked = regexp.MustCompile(`(?is)<(?:gallery|timeline|score|imagemap|graph|mapframe|maplink|hiero|templatedata|inputbox|categorytree|section)\b[^>/]*>.*?</(?:gallery|timeline|score|imagemap|graph|mapframe|maplink|hiero|templatedata|inputbox|categorytree|section)\s*>|<(?:templatestyles|references|section|noinclude)\b[^>]*/?>`)
	refTag  = regexp.MustCompile(`(?is)<ref\b[^>/]*?/>|<ref\b(?:[^>/]|/[^>])*>(.*?)</ref\s*>`)
	toggles = regexp.MustCompile(`__[A-ZÄÖÜÀ-Ý]+__`)
)

// protect removes comments and replaces text that is not wikitext by marks.
func (w *writer) protect(text string) string {
	text = strings.ReplaceAll(text, "\x00", "")
	text = comment.ReplaceAllString(text, "")
	text = verbat.ReplaceAllStringFunc(text, func(s string) string {
		m := verbat.FindStringSubmatch(s)
		tag, content, block := strings.ToLower(m[1]), m[3], false
		switch tag {
		case "math", "chem":
			content = "$" + strings.TrimSpace(content) + "$"
		case "pre", "syntaxhighlight", "source":
			block = !strings.Contains(m[2], "inline")
		}
		return w.mark(html.UnescapeString(content), block)
	})
	text = blocked.ReplaceAllString(text, "")
	text = refTag.ReplaceAllStringFunc(text, func(s string) string {
		content := strings.TrimSpace(expand(refTag.FindStringSubmatch(s)[1]))
		if content == "" {
			return ""
		}
		w.refs = append(w.refs, content)
		return "\x00r" + strconv.Itoa(len(w.refs)) + "\x00"
	})
	return toggles.ReplaceAllString(text, "")
}

func (w *writer) mark(text string, block bool) string {
	w.kept, w.pre = append(w.kept, text), append(w.pre, block)
	mark := "\x00k" + strconv.Itoa(len(w.kept)) + "\x00"
	if block {
		return "\n" + mark + "\n"
	}
	return mark
}

// marked returns the number and kind of the mark at the beginning of s, and its length.
func marked(s string) (kind byte, n, size int) {
	end := strings.IndexByte(s[1:], 0)
	if end < 2 || end > 10 {
		return 0, 0, 1
	}
	n, err := strconv.Atoi(s[2 : 1+end])
	if err != nil {
		return 0, 0, 1
	}
	return s[1], n, end + 2
}

// matches returns the offset of the end of each link in s.
func matches(s string) map[int]int {
	var open []int
	found := map[int]int{}
	for i := 0; i+1 < len(s); i++ {
		switch {
		case s[i] == '[' && s[i+1] == '[':
			open = append(open, i)
			i++
		case s[i] == ']' && s[i+1] == ']' && len(open) > 0:
			found[open[len(open)-1]] = i
			open = open[:len(open)-1]
			i++
		}
	}
	return found
}

var (
	image    = regexp.MustCompile(`(?i)^[^|:]{2,20}:[^|]+\.(?:jpe?g|png|svg|gif|tiff?|webp|xcf|djvu|pdf|og[gva]|web[mp]|mp[34]|wav|flac|midi?|stl)\s*$`)
	option   = regexp.MustCompile(`(?i)^(?:thumb|thumbnail|mini|miniatur|vignette|miniatura|miniatyr|мини|frame|frameless|framed|border|left|right|center|centre|none|links|rechts|gauche|droite|destra|sinistra|upright.*|hochkant.*|redresse.*|verticale.*|\d*x?\d+\s*(?:px|пкс)|[a-z]{2,12}\s*=.*|缩略图|左|右|サムネイル|縮圖)$`)
	category = regexp.MustCompile(`(?i)^(?:category|kategorie|catégorie|categoría|categoria|категория|категорія|kategoria|kategória|kategori|categorie|luokka|kategorija|kategoriija|κατηγορία|תצפית|קטגוריה|تصنيف|رده|श्रेणी|分类|分類|カテゴリ|분류|thể loại|kategorio|kategooria|categorii|катэгорыя|категорија|หมวดหมู่)\s*:`)
	language = regexp.MustCompile(`^(?:[a-z]{2,3}|simple|zh-[a-z-]+|be-x-old|roa-[a-z]+|bat-smg|map-bms|nds-nl)\s*:\S`)
	external = regexp.MustCompile(`^\[((?:https?:)?//[^\s\]<>"]+)[ \t]*([^\]\n]*)\]`)
	tag      = regexp.MustCompile(`^</?([a-zA-Z][a-zA-Z0-9]*)\b[^<>]*>`)
)

var styles = map[string]string{"sub": "sub", "sup": "sup", "b": "b", "strong": "b", "i": "i", "em": "i", "s": "s", "del": "s", "u": "u", "small": "small", "code": "code", "kbd": "code", "var": "i", "cite": "cite", "q": "q"}

// inline writes text with its links and styles.
func (w *writer) inline(s string, depth int) {
	if depth > maxInline {
		w.b.Text(s)
		return
	}
	ends := matches(s)
	base := w.b.Depth()
	var open []string
	end := func(name string) bool { // reports whether the element was open
		for i := len(open) - 1; i >= 0; i-- {
			if open[i] == name {
				w.b.Close(base + i)
				open = open[:i]
				return true
			}
		}
		return false
	}
	start := func(name string) {
		open = append(open, name)
		w.b.Start(name)
	}
	toggle := func(name string) {
		if !end(name) {
			start(name)
		}
	}
	for i := 0; i < len(s) && !w.b.Full() && w.ctx.Err() == nil; {
		rest := s[i:]
		switch {
		case rest[0] == 0:
			kind, n, size := marked(rest)
			if kind == 'k' && n >= 1 && n <= len(w.kept) {
				w.b.Text(w.kept[n-1])
			} else if kind == 'r' && n >= 1 && n <= len(w.refs) && depth < maxInline {
				w.b.Start("a", "href", "#note-"+strconv.Itoa(n), "role", "doc-noteref")
				w.b.Block("sup", strconv.Itoa(n))
				w.b.End()
			}
			i += size
		case strings.HasPrefix(rest, "'''''"):
			if n := len(open); n >= 2 && (open[n-1] == "i" && open[n-2] == "b" || open[n-1] == "b" && open[n-2] == "i") {
				w.b.Close(base + n - 2)
				open = open[:n-2]
			} else {
				toggle("b")
				toggle("i")
			}
			i += 5
		case strings.HasPrefix(rest, "'''"):
			toggle("b")
			i += 3
		case strings.HasPrefix(rest, "''"):
			toggle("i")
			i += 2
		case strings.HasPrefix(rest, "[["):
			if end, ok := ends[i]; ok {
				w.link(s[i+2:end], depth)
				i = end + 2
			} else {
				i += 2
			}
		case rest[0] == '[':
			m := external.FindStringSubmatch(rest[:min(len(rest), 2000)])
			if m == nil {
				w.b.Text("[")
				i++
				break
			}
			if m[2] != "" {
				w.b.Start("a", "href", flow.WebLink(m[1]))
				w.inline(m[2], depth+1)
				w.b.End()
			}
			i += len(m[0])
		case rest[0] == '<':
			m := tag.FindStringSubmatch(rest[:min(len(rest), 1000)])
			if m == nil {
				w.b.Text("<")
				i++
				break
			}
			name := strings.ToLower(m[1])
			if name == "br" {
				w.b.Void("br")
			} else if style := styles[name]; style != "" && rest[1] != '/' {
				start(style)
			} else if style != "" {
				end(style)
			}
			i += len(m[0])
		default:
			n := strings.IndexAny(rest[1:], "\x00'[<") + 1
			if n == 0 {
				n = len(rest)
			}
			w.b.Text(strings.ReplaceAll(html.UnescapeString(rest[:n]), "\n", " "))
			i += n
		}
	}
	w.b.Close(base)
}

// link writes the text of an internal link. Images give a caption; categories and links to other
// languages are dropped.
func (w *writer) link(content string, depth int) {
	args := arguments(content)
	target := strings.TrimSpace(args[0])
	switch {
	case image.MatchString(target) && !strings.HasPrefix(target, ":"):
		if last := strings.TrimSpace(args[len(args)-1]); len(args) > 1 && last != "" && !option.MatchString(last) {
			w.captions = append(w.captions, last)
		}
		return
	case category.MatchString(target), language.MatchString(target):
		return
	}
	text := strings.TrimPrefix(target, ":")
	if len(args) > 1 {
		if text = strings.Join(args[1:], "|"); strings.TrimSpace(text) == "" { // the pipe trick
			_, after, ok := strings.Cut(target, ":")
			if text = target; ok {
				text = after
			}
			text, _, _ = strings.Cut(text, " (")
		}
	}
	w.b.Start("a")
	w.inline(text, depth+1)
	w.b.End()
}

// notes writes the notes.
func (w *writer) notes() {
	for i, text := range w.refs {
		if w.b.Full() || w.ctx.Err() != nil {
			return
		}
		w.b.Start("aside", "role", document.Footnote, "id", "note-"+strconv.Itoa(i+1))
		w.b.Start("p")
		w.inline(text, 1)
		w.b.End()
		w.b.End()
	}
	w.captions = nil
}
