package markdown

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"chaffinch/format/tree"
	"chaffinch/page"
)

// frontMatter appends the metadata of p as YAML between lines of dashes. Texts are
// double-quoted strings, which have the same meaning in YAML and JSON.
func frontMatter(dst []byte, p *page.Page) []byte {
	dst = append(dst, "---\n"...)
	for _, f := range [...][2]string{
		{"id", p.ID}, {"url", p.URL}, {"canonical", p.Meta.Canonical}, {"title", p.Meta.Title}, {"site", p.Meta.Site},
		{"date", p.Meta.Date}, {"modified", p.Meta.Modified}, {"fetched", p.Meta.Fetched}, {"lang", p.Lang},
		{"description", p.Meta.Description}, {"license", p.Meta.License}, {"optout", p.Meta.Optout}, {"translated", p.Meta.Translated}, {"image", p.Meta.Image}, {"type", p.Meta.Type},
	} {
		dst = appendString(dst, f[0], f[1])
	}
	for _, f := range [...]struct {
		name string
		list []string
	}{{"authors", p.Meta.Authors}, {"categories", p.Meta.Categories}, {"tags", p.Meta.Tags}} {
		if len(f.list) == 0 {
			continue
		}
		dst = append(dst, f.name...)
		for i, v := range f.list {
			dst = append(dst, [...]string{": [", ", "}[min(i, 1)]...)
			dst = appendQuoted(dst, v)
		}
		dst = append(dst, "]\n"...)
	}
	dst = appendShare(dst, "confidence", p.Confidence)
	dst = appendString(dst, "confidence_policy", p.ConfidencePolicy)
	dst = appendString(dst, "page_type", p.Type)
	dst = appendShare(dst, "page_type_confidence", p.TypeConfidence)
	dst = appendString(dst, "register", strings.Join(p.Registers, tree.RegisterSeparator))
	for i := range p.Fields { // JSON values have the same meaning in YAML
		dst = appendQuoted(dst, p.Fields[i].Name)
		dst = append(append(append(dst, ": "...), p.Fields[i].Value...), '\n')
	}
	return append(dst, "---\n\n"...)
}

// appendString appends a field with the text s, unless s is empty.
func appendString(dst []byte, name, s string) []byte {
	if s == "" {
		return dst
	}
	return append(appendQuoted(append(append(dst, name...), ": "...), s), '\n')
}

// appendShare appends a field with x, 0 to 1, in three decimals. It omits 0.
func appendShare(dst []byte, name string, x float64) []byte {
	if x = math.Round(1000*x) / 1000; x > 0 {
		dst = append(append(dst, name...), ": "...)
		dst = append(strconv.AppendFloat(dst, x, 'g', -1, 64), '\n')
	}
	return dst
}

func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < 0x20 || 0x7F <= r && r < 0xA0 || r == 0x2028 || r == 0x2029 || r == 0xFEFF:
			dst = append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// HoldsField reports whether fields are written: only the front matter contains them.
func (e Encoder) HoldsField(*page.Field) bool { return e.FrontMatter }
