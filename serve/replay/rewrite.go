package replay

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"chaffinch/page/weburl"
)

// removed are elements that are left out with their content: they run code, load other files, or have
// content that browsers parse differently.
var removed = map[string]bool{
	"script": true, "template": true, "iframe": true, "frame": true, "frameset": true, "noframes": true, "noembed": true, "object": true, "embed": true,
	"applet": true, "xmp": true, "plaintext": true, "svg": true, "math": true, "audio": true, "video": true, "canvas": true, "select": true, "portal": true,
}

// void are removed elements without content.
var void = map[string]bool{"base": true, "meta": true, "link": true, "source": true, "track": true, "embed": true, "frame": true, "param": true, "input": true}

// attributes are kept. All others are left out: they run code or name other files.
var attributes = []string{
	"class", "id", "style", "lang", "dir", "title", "alt", "width", "height", "colspan", "rowspan", "scope", "headers", "align", "valign", "bgcolor", "color", "border",
	"cellpadding", "cellspacing", "size", "face", "start", "value", "type", "reversed", "datetime", "open", "name", "nowrap", "clear", "hspace", "vspace", "abbr", "span",
}

// maxLinks is the most links of a page that are looked up.
const maxLinks = 2000

// rewrite returns the HTML of an archived page for the frame: without scripts and addresses, except links
// for which target returns an address. It is a convenience: the policy of the frame forbids the rest.
func rewrite(src []byte, base weburl.URL, target func(weburl.URL) string) []byte {
	var out bytes.Buffer
	out.WriteString("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n")
	z := html.NewTokenizer(bytes.NewReader(src))
	skip, depth := "", 0 // the removed element, and how many of its name are open
	links, based := 0, false
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return out.Bytes()
		}
		t := z.Token()
		if skip == "" && t.Data == "base" && !based && t.Type != html.TextToken {
			base, based = baseOf(t.Attr, base)
		}
		if t.Type == html.StartTagToken && t.Data == "noscript" {
			z.NextIsNotRawText() // as browsers without scripts parse it
		}
		switch {
		case skip != "":
			switch {
			case t.Data != skip || t.Type == html.TextToken:
			case t.Type == html.StartTagToken:
				depth++
			case t.Type == html.EndTagToken:
				if depth--; depth == 0 {
					skip = ""
				}
			}
		case t.Type == html.CommentToken, t.Type == html.DoctypeToken, void[t.Data] && t.Type != html.TextToken:
		case t.Type == html.StartTagToken && removed[t.Data]:
			skip, depth = t.Data, 1
		case t.Type == html.StartTagToken && t.Data == "style":
			style(&out, z)
		case t.Type == html.TextToken:
			out.WriteString(t.String())
		case (t.Type == html.StartTagToken || t.Type == html.SelfClosingTagToken) && isName(t.Data) && !removed[t.Data]:
			if t.Type = html.StartTagToken; t.Data == "a" || t.Data == "area" {
				t.Attr = append(kept(t.Attr), link(t.Attr, base, &links, target)...)
			} else {
				t.Attr = kept(t.Attr)
			}
			out.WriteString(t.String())
		case t.Type == html.EndTagToken && isName(t.Data) && t.Data != "style":
			out.WriteString("</" + t.Data + ">")
		}
	}
}

// baseOf returns the base of the links after an element base, and reports whether it has one.
func baseOf(attrs []html.Attribute, page weburl.URL) (base weburl.URL, ok bool) {
	for _, a := range attrs {
		if a.Key == "href" {
			if u, err := weburl.Parse(a.Val, &page); err == nil {
				return u, true
			}
		}
	}
	return page, false
}

// isName reports whether s is the plain name of an element.
func isName(s string) bool {
	for i, c := range s {
		if (c < 'a' || c > 'z') && (i == 0 || (c < '0' || c > '9') && c != '-') {
			return false
		}
	}
	return s != ""
}

// style copies a style sheet, unless it has markup, which browsers may parse in other ways.
func style(out *bytes.Buffer, z *html.Tokenizer) {
	if z.Next() != html.TextToken {
		return
	}
	if text := z.Raw(); !bytes.ContainsAny(text, "<") {
		out.WriteString("<style>")
		out.Write(text)
		out.WriteString("</style>")
	}
}

// kept returns the attributes that are kept.
func kept(attrs []html.Attribute) (list []html.Attribute) {
	for _, a := range attrs {
		if slices.Contains(attributes, a.Key) {
			list = append(list, html.Attribute{Key: a.Key, Val: a.Val})
		}
	}
	return list
}

// link returns the attributes of a link.
func link(attrs []html.Attribute, base weburl.URL, links *int, target func(weburl.URL) string) []html.Attribute {
	i := slices.IndexFunc(attrs, func(a html.Attribute) bool { return a.Key == "href" })
	if i < 0 {
		return nil
	}
	if strings.HasPrefix(attrs[i].Val, "#") {
		return []html.Attribute{{Key: "href", Val: attrs[i].Val}}
	}
	if *links++; *links > maxLinks {
		return nil
	}
	u, err := weburl.Parse(attrs[i].Val, &base)
	if err != nil {
		return nil
	}
	if to := target(u); to != "" {
		return []html.Attribute{{Key: "href", Val: to}, {Key: "target", Val: "_top"}}
	}
	return []html.Attribute{{Key: "title", Val: "not in the archive: " + u.String()}}
}
