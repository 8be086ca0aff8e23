package wiki

import (
	"context"
	"html"
	"strconv"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/document/flow"
	"chaffinch/internal/lazyregexp"
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
	comment = lazyregexp.New(`(?s)<!--.*?(?:-->|$)`)
	verbat  = lazyregexp.New(`(?is)<(nowiki|pre|math|chem|code|syntaxhighlight|source)\b([^>]*)>(.*?)</(?:nowiki|pre|math|chem|code|syntaxhighlight|source)\s*>|<nowiki\s*/>`)
	blocked = lazyregexp.New(`(?is)<(?:gallery|timeline|score|imagemap|graph|mapframe|maplink|hiero|templatedata|inputbox|categorytree|section)\b[^>/]*>.*?</(?:gallery|timeline|score|imagemap|graph|mapframe|maplink|hiero|templatedata|inputbox|categorytree|section)\s*>|<(?:templatestyles|references|section|noinclude)\b[^>]*/?>`)
	refTag  = lazyregexp.New(`(?is)<ref\b[^>/]*?/>|<ref\b(?:[^>/]|/[^>])*>(.*?)</ref\s*>`)
	toggles = lazyregexp.New(`__[A-ZÄÖÜÀ-Ý]+__`)
)

// protect removes comments and replaces text that is not wikitext by marks.
func (w *writer) protect(text string) string {
	text = strings.ReplaceAll(text, "\x00", "")
	text = comment().ReplaceAllString(text, "")
	text = verbat().ReplaceAllStringFunc(text, func(s string) string {
		m := verbat().FindStringSubmatch(s)
		tag, content, block := strings.ToLower(m[1]), m[3], false
		switch tag {
		case "math", "chem":
			content = "$" + strings.TrimSpace(content) + "$"
		case "pre", "syntaxhighlight", "source":
			block = !strings.Contains(m[2], "inline")
		}
		return w.mark(html.UnescapeString(content), block)
	})
	text = blocked().ReplaceAllString(text, "")
	text = refTag().ReplaceAllStringFunc(text, func(s string) string {
		content := strings.TrimSpace(expand(refTag().FindStringSubmatch(s)[1]))
		if content == "" {
			return ""
		}
		w.refs = append(w.refs, content)
		return "\x00r" + strconv.Itoa(len(w.refs)) + "\x00"
	})
	return toggles().ReplaceAllString(text, "")
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

// matches returns the offset of the end of each internal and external link in s. Of three brackets, the
// first one opens an external link or is text.
func matches(s string) map[int]int {
	type bracket struct{ at, size int }
	var open []bracket
	found := map[int]int{}
	for i := 0; i < len(s); i++ {
		last := len(open) - 1
		switch rest := s[i:]; {
		case isInternal(rest):
			open = append(open, bracket{i, 2})
			i++
		case s[i] == '[':
			open = append(open, bracket{i, 1})
		case s[i] != ']' || last < 0:
		case strings.HasPrefix(rest, "]]") && (open[last].size == 2 || !strings.HasPrefix(rest, "]]]")):
			for last >= 0 && open[last].size == 1 { // brackets without an end
				last--
			}
			if last < 0 {
				found[open[len(open)-1].at] = i
				open = open[:len(open)-1]
				continue
			}
			found[open[last].at] = i
			open = open[:last]
			i++
		case open[last].size == 1:
			found[open[last].at] = i
			open = open[:last]
		}
	}
	return found
}

// isInternal reports whether s begins with an internal link.
func isInternal(s string) bool {
	return strings.HasPrefix(s, "[[") && !strings.HasPrefix(s, "[[[") && !external().MatchString(s[1:min(len(s), maxTarget)])
}

// maxTarget is the most bytes of the address of an external link.
const maxTarget = 2000

var (
	image    = lazyregexp.New(`(?i)^[^|:]{2,20}:[^|]+\.(?:jpe?g|png|svg|gif|tiff?|webp|xcf|djvu|pdf|og[gva]|web[mp]|mp[34]|wav|flac|midi?|stl)\s*$`)
	option   = lazyregexp.New(`(?i)^(?:thumb|thumbnail|mini|miniatur|vignette|miniatura|miniatyr|мини|frame|frameless|framed|border|left|right|center|centre|none|links|rechts|gauche|droite|destra|sinistra|upright.*|hochkant.*|redresse.*|verticale.*|\d*x?\d+\s*(?:px|пкс)|[a-z]{2,12}\s*=.*|缩略图|左|右|サムネイル|縮圖)$`)
	category = lazyregexp.New(`(?i)^(?:category|kategorie|catégorie|categoría|categoria|категория|категорія|kategoria|kategória|kategori|categorie|luokka|kategorija|kategoriija|κατηγορία|תצפית|קטגוריה|تصنيف|رده|श्रेणी|分类|分類|カテゴリ|분류|thể loại|kategorio|kategooria|categorii|катэгорыя|категорија|หมวดหมู่)\s*:`)
	// inLine contains prefixes of links that image or language would match, but that show their text.
	inLine   = lazyregexp.New(`^(?i:media|medium|média|медиа|медіа|メディア|doi|hdl|mos|mw|rfc|wp|wt)\s*:`)
	language = lazyregexp.New(`^(?:[a-z]{2,3}|simple|zh-[a-z-]+|be-x-old|roa-[a-z]+|bat-smg|map-bms|nds-nl)\s*:\S`)
	external = lazyregexp.New(`^\[((?i:(?:https?|ftps?|sftp|gopher|git|svn|ircs?|nntp|ssh|telnet|worldwind|mms):)?//[^\s\[\]<>"\x00]+|(?i:mailto|news|urn|geo|magnet|tel|sms|sips?|xmpp|bitcoin):[^\s\[\]<>"\x00]+)`)
	tag      = lazyregexp.New(`^</?([a-zA-Z][a-zA-Z0-9]*)\b[^<>]*>`)
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
				w.b.Start("a", "href", "#note-"+strconv.Itoa(n), "role", document.NoteRef)
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
		case isInternal(rest):
			if end, ok := ends[i]; ok {
				w.link(s[i+2:end], depth)
				i = end
			}
			i += 2
		case rest[0] == '[':
			m := external().FindString(rest[:min(len(rest), maxTarget)])
			end, ok := ends[i]
			if m == "" || !ok {
				w.b.Text("[")
				i++
				break
			}
			if label := strings.TrimLeft(s[i+len(m):end], " \t"); label != "" {
				w.b.Start("a", "href", flow.WebLink(m[1:]))
				w.inline(label, depth+1)
				w.b.End()
			}
			i = end + 1
		case rest[0] == '<':
			m := tag().FindStringSubmatch(rest[:min(len(rest), 1000)])
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
	case inLine().MatchString(target):
	case image().MatchString(target) && !strings.HasPrefix(target, ":"):
		if last := strings.TrimSpace(args[len(args)-1]); len(args) > 1 && last != "" && !option().MatchString(last) {
			w.captions = append(w.captions, last)
		}
		return
	case category().MatchString(target), language().MatchString(target):
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
