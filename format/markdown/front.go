package markdown

import (
	"strings"

	"chaffinch/format/document"
	"chaffinch/internal/lazyregexp"
)

// maxFront is the most bytes of front matter.
const maxFront = 64 << 10

// setting matches a field of YAML or TOML at the outermost level.
var setting = lazyregexp.New(`^([A-Za-z][\w-]{0,40})\s*[:=]\s*(.*)$`)

// front reads front matter in YAML or TOML and returns the text after it. Only simple values and
// lists are read.
func front(src string) (meta document.Meta, rest string) {
	fence := ""
	for _, f := range [...]string{"---", "+++"} {
		if strings.HasPrefix(src, f+"\n") {
			fence = f
		}
	}
	first, _, _ := strings.Cut(strings.TrimLeft(src[min(len(src), 4):], "\n# "), "\n")
	head := src[:min(len(src), maxFront)]
	end := strings.Index(head, "\n"+fence+"\n")
	if end < 0 && fence != "" && strings.HasSuffix(head, "\n"+fence) {
		end = len(head) - len(fence) - 1
	}
	if fence == "" || end < 0 || !setting().MatchString(first) && !strings.HasPrefix(first, "[") {
		return meta, src
	}
	name := ""
	for line := range strings.SplitSeq(src[len(fence):end], "\n") {
		if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			set(&meta, name, item)
		} else if m := setting().FindStringSubmatch(line); m != nil {
			name = strings.ToLower(m[1])
			set(&meta, name, m[2])
		} else if item, ok := strings.CutPrefix(strings.TrimSpace(line), "name:"); ok { // of an author
			set(&meta, name, item)
		}
	}
	return meta, strings.TrimPrefix(src[end+1+len(fence):], "\n")
}

// set sets the field of a name, if it has none.
func set(meta *document.Meta, name, value string) {
	value = strings.TrimPrefix(strings.TrimSpace(value), "name:")
	if inner, ok := strings.CutPrefix(value, "["); ok {
		for item := range strings.SplitSeq(strings.TrimSuffix(inner, "]"), ",") {
			set(meta, name, item)
		}
		return
	}
	value = strings.TrimSpace(strings.Trim(strings.TrimSpace(value), `"'`))
	if value == "" || strings.ContainsAny(value[:1], "|>{&*") || len(value) > 1000 {
		return
	}
	text := map[string]*string{"title": &meta.Title, "lang": &meta.Lang, "language": &meta.Lang, "date": &meta.Date, "description": &meta.Description, "summary": &meta.Description}
	if dst := text[name]; dst != nil && *dst == "" {
		*dst = value
	}
	if (name == "author" || name == "authors") && len(meta.Authors) < 20 {
		meta.Authors = append(meta.Authors, value)
	}
}
