// Package mail converts messages of mail and newsgroups to HTML. Header fields, quoted text and
// signatures become elements with classes of package document. Attachments are left out.
//
// Unstable: this package may change in any release.
package mail

import (
	"context"
	netmail "net/mail"
	"strings"

	"chaffinch/format/document"
	"chaffinch/internal/lazyregexp"
	"chaffinch/page"
)

// reader reads a message.
type reader struct {
	ctx         context.Context
	b           *document.Builder
	html        strings.Builder // bodies in HTML
	max         int
	attachments int
	encrypted   bool
	cut         page.Reason
}

// Read converts a message. Errors are from ctx.
func Read(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
	if err := ctx.Err(); err != nil {
		return document.Document{}, err
	}
	m := parse(trimBatch(raw), "text/plain")
	if len(m.fields) == 0 {
		return document.Document{Drop: page.Damaged}, nil
	}
	r := &reader{ctx: ctx, b: document.NewBuilder(limits), max: limits.WithDefaults().MaxHTML}
	r.head(m)
	found := r.body(m, 0)
	if err := ctx.Err(); err != nil {
		return document.Document{}, err
	}
	if r.encrypted && !found {
		return document.Document{Drop: page.Encrypted}, nil
	}
	d := r.b.Document()
	if d.Cut == page.None {
		d.Cut = r.cut
	}
	if r.attachments > 0 {
		d.Notes = append(d.Notes, page.Note{By: "mail", What: "attachments", Value: float64(r.attachments)})
	}
	if r.html.Len() > 0 {
		const end = "</body></html>\n"
		d.HTML = strings.TrimSuffix(d.HTML, end) + r.html.String() + end
	}
	return d, nil
}

// head writes the metadata, the subject as the title, and the fields with the sender and the date.
func (r *reader) head(m *part) {
	meta := document.Meta{Title: m.field("subject"), Date: isoDate(m.fields["date"])}
	from := m.field("from")
	if name := nameOf(from); name != "" {
		meta.Authors = []string{name}
	}
	if lang, _, _ := strings.Cut(m.fields["content-language"], ","); len(lang) < 20 {
		meta.Lang = strings.TrimSpace(lang)
	}
	r.b.Head(meta)
	if meta.Title != "" {
		r.b.Block("h1", meta.Title)
	}
	if from == "" && m.fields["date"] == "" {
		return
	}
	r.b.Start("header", "class", document.Fields)
	for _, name := range [...]string{"From", "Date"} {
		if value := m.field(strings.ToLower(name)); value != "" {
			r.b.Block("p", name+": "+value)
		}
	}
	r.b.End()
}

// isoDate returns the day of a date, "" if the field has another form.
func isoDate(field string) string {
	date, err := netmail.ParseDate(field)
	if err != nil || date.Year() < 1970 || date.Year() > 2200 {
		return ""
	}
	return date.Format("2006-01-02")
}

// nameOf returns the name of a sender without the address, "" if there is only an address.
func nameOf(from string) string {
	name, _, ok := strings.Cut(from, "<")
	if !ok {
		address, comment, commented := strings.Cut(from, "(")
		if !commented || !strings.Contains(address, "@") {
			return ""
		}
		name = strings.TrimSuffix(comment, ")")
	}
	if name = strings.Trim(name, " \"'"); strings.Contains(name, "@") {
		return ""
	}
	return name
}

// body writes the text of a part. It reports whether the part has text.
func (r *reader) body(p *part, depth int) bool {
	if depth > maxDepth {
		r.cut = page.TooDeep
		return false
	}
	if r.ctx.Err() != nil {
		return false
	}
	switch {
	case strings.HasPrefix(p.media, "multipart/"):
		return r.multipart(p, depth)
	case depth > 0 && p.isAttachment(): // before the types of text
		r.attachments++
	case p.media == "message/rfc822" || p.media == "message/news":
		return r.forwarded(p, depth)
	case p.media == "text/html" || p.media == "application/xhtml+xml":
		return r.addHTML(p.text())
	case p.media == "text/plain" || p.media == "text" || p.media == "text/markdown" || p.media == "text/enriched":
		return r.plain(p)
	case (p.media == "application/pkcs7-mime" || p.media == "application/x-pkcs7-mime") && p.params["smime-type"] != "signed-data":
		r.encrypted = true
	case strings.HasSuffix(p.media, "-signature") || p.media == "message/delivery-status":
	default:
		r.attachments++
	}
	return false
}

// multipart writes the parts of a message: of alternatives, only one. It reports whether they have
// text.
func (r *reader) multipart(p *part, depth int) bool {
	if p.media == "multipart/encrypted" {
		r.encrypted = true
		return false
	}
	list, ended := p.parts()
	if !ended && len(list) > 0 {
		r.cut = page.Truncated
	}
	fallback := "text/plain"
	if p.media == "multipart/digest" {
		fallback = "message/rfc822"
	}
	parts := make([]*part, len(list))
	for i := range list {
		parts[i] = parse(list[i], fallback)
	}
	switch p.media {
	case "multipart/alternative":
		if best := choose(parts); best != nil {
			return r.body(best, depth+1)
		}
		return false
	case "multipart/related":
		if len(parts) == 0 {
			return false
		}
		r.attachments += len(parts) - 1
		return r.body(parts[0], depth+1)
	}
	found := false
	for _, q := range parts {
		found = r.body(q, depth+1) || found
	}
	return found
}

// stub is the number of bytes below which plain text beside HTML is regarded as a stub, if the HTML
// is much longer.
const stub = 200

// choose returns one of several alternatives: plain text unless it is a stub, otherwise HTML.
func choose(parts []*part) *part {
	var plain, rich *part
	for _, p := range parts {
		switch {
		case p.media == "text/plain" && plain == nil:
			plain = p
		case p.media == "text/html" || strings.HasPrefix(p.media, "multipart/"):
			rich = p
		}
	}
	if plain == nil || rich == nil {
		switch {
		case plain != nil:
			return plain
		case rich != nil:
			return rich
		case len(parts) > 0:
			return parts[len(parts)-1]
		}
		return nil
	}
	if n := len(strings.TrimSpace(plain.text())); n == 0 || n < stub && len(tags().ReplaceAllString(bodyOf(rich), "")) > 4*n {
		return rich
	}
	return plain
}

var tags = lazyregexp.New(`(?s)<(style|script)\b.*?</(style|script)>|<[^>]*>|\s+`)

// bodyOf returns the text of a part, "" of one with parts.
func bodyOf(p *part) string {
	if strings.HasPrefix(p.media, "multipart/") {
		return string(p.body)
	}
	return bodyHTML(p.text())
}

// forwarded writes a message within a message as a quote. It reports whether the message has text.
func (r *reader) forwarded(p *part, depth int) bool {
	m := parse(p.bytes(), "text/plain")
	r.b.Start("blockquote", "class", document.Quote)
	if s := m.field("subject"); s != "" {
		r.b.Block("p", s)
	}
	found := r.body(m, depth+1)
	r.b.End()
	return found
}

var (
	bodyTag  = lazyregexp.New(`(?i)<body\b[^>]*>`)
	bodyEnd  = lazyregexp.New(`(?i)</body\b|</html\b`)
	unwanted = lazyregexp.New(`(?is)<!--.*?-->|<head\b.*?</head\s*>|<(?:style|script)\b.*?</(?:style|script)\s*>|</?(?:html|body|head|meta|!doctype)\b[^>]*>`)
	cited    = lazyregexp.New(`(?i)<blockquote\b[^>]*\btype\s*=\s*"?cite[^>]*>`)
	quoting  = lazyregexp.New(`(?i)(<[a-z]+\b[^>]*\bclass\s*=\s*")(gmail_quote|yahoo_quoted|moz-forward-container|protonmail_quote)\b[^"]*"`)
	signing  = lazyregexp.New(`(?i)(<[a-z]+\b[^>]*\bclass\s*=\s*")(gmail_signature|moz-signature|protonmail_signature_block)\b[^"]*"`)
	naming   = lazyregexp.New(`(?i)(<[a-z]+\b[^>]*\bclass\s*=\s*")(gmail_attr|moz-cite-prefix)\b[^"]*"`)
)

// bodyHTML returns the content of the body of HTML.
func bodyHTML(html string) string {
	if at := bodyTag().FindStringIndex(html); at != nil {
		html = html[at[1]:]
		if at := bodyEnd().FindStringIndex(html); at != nil {
			html = html[:at[0]]
		}
	}
	return unwanted().ReplaceAllString(html, "")
}

// addHTML adds a body in HTML. Programs for mail mark quotes and signatures with classes, which
// become the classes of package document. addHTML reports whether there is text.
func (r *reader) addHTML(html string) bool {
	html = bodyHTML(html)
	html = cited().ReplaceAllString(html, `<blockquote class="`+document.Quote+`">`)
	html = naming().ReplaceAllString(html, `${1}`+document.Fields+`"`)
	html = quoting().ReplaceAllString(html, `${1}`+document.Quote+`"`)
	html = signing().ReplaceAllString(html, `${1}`+document.Signature+`"`)
	if r.html.Len()+len(html) > r.max {
		r.cut = page.TooLarge
		html = strings.ToValidUTF8(html[:max(r.max-r.html.Len(), 0)], "")
	}
	r.html.WriteString("<div>" + html + "</div>\n")
	return strings.TrimSpace(html) != ""
}
