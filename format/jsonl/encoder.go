// Package jsonl reads and writes pages as JSON objects, one per line. [Encoder.Append]
// writes a page. [NewReader] reads a file in which a field of each object holds a page as
// text or HTML.
package jsonl

import (
	"chaffinch/internal/jsonscan"
	"chaffinch/page"
	"chaffinch/text/token"
)

// Encoder writes each page as a JSON object on a line: docs/reference/formats/jsonl.md. The zero value
// writes the kept text of kept pages.
type Encoder struct {
	// Annotate writes every page and every block with label, score and reason, and removes
	// nothing.
	Annotate bool
	// Fields selects the fields to write. Default: all.
	Fields Selection
}

// Append appends the line of p to dst. It appends nothing for a dropped page unless
// annotated.
func (e Encoder) Append(dst []byte, p *page.Page) []byte {
	if p.Drop != page.None && !e.Annotate {
		return dst
	}
	o := object{b: dst}
	o.open('{')
	head(&o, p, e.Annotate)
	if e.Annotate {
		o.key("blocks")
		o.open('[')
		for i := range p.Blocks {
			o.item()
			block(&o, p, &p.Blocks[i])
		}
		o.close(']')
	} else {
		o.key("text")
		o.b = appendText(o.b, p)
	}
	o.close('}')
	return e.Fields.Apply(append(o.b, '\n'), len(dst))
}

// head writes the metadata of the page. If annotate is set, it also writes its measurements.
func head(o *object, p *page.Page, annotate bool) {
	o.str("id", p.ID)
	o.str("url", p.URL)
	o.str("title", p.Meta.Title)
	o.strs("authors", p.Meta.Authors)
	o.str("lang", p.Lang)
	o.share("lang_confidence", p.LangConfidence)
	if len(p.Langs) > 0 {
		o.key("langs")
		o.open('[')
		for _, l := range p.Langs {
			o.item()
			o.open('{')
			o.str("lang", l.Lang)
			o.share("share", l.Share)
			o.close('}')
		}
		o.close(']')
	}
	o.str("declared_lang", p.Meta.Lang)
	o.str("date", p.Meta.Date)
	o.str("modified", p.Meta.Modified)
	o.str("fetched", p.Meta.Fetched)
	o.str("canonical", p.Meta.Canonical)
	o.str("site", p.Meta.Site)
	o.str("description", p.Meta.Description)
	o.str("license", p.Meta.License)
	o.str("optout", p.Meta.Optout)
	o.str("translated", p.Meta.Translated)
	o.strs("categories", p.Meta.Categories)
	o.strs("tags", p.Meta.Tags)
	o.str("image", p.Meta.Image)
	o.str("type", p.Meta.Type)
	o.str("mime", p.MIME)
	o.str("charset", p.Charset)
	o.key("source")
	o.open('{')
	o.str("file", p.Source.File)
	o.num("offset", p.Source.Offset)
	o.str("record", p.Source.Record)
	o.str("type", p.Source.Type)
	o.close('}')
	o.share("confidence", p.Confidence)
	o.str("confidence_policy", p.ConfidencePolicy)
	o.str("page_type", p.Type)
	o.share("page_type_confidence", p.TypeConfidence)
	o.strs("register", p.Registers)
	o.str("drop", p.Drop.String())
	o.str("drop_rule", p.Rule)
	o.str("cut", p.Cut.String())
	counts(o, p)
	appendOwnFields(o, p)
	if len(p.Notes) > 0 && annotate {
		o.key("notes")
		o.open('[')
		for _, n := range p.Notes {
			o.item()
			o.open('{')
			o.str("by", n.By)
			o.str("what", n.What)
			o.float("value", n.Value)
			o.close('}')
		}
		o.close(']')
	}
}

// shadowed is the object of the input fields whose names the encoder uses.
const shadowed = "input_fields"

// Names lists the fields that the encoders write, in the order of a line.
var Names = []string{
	"id", "url", "title", "authors", "lang", "lang_confidence", "langs", "declared_lang", "date", "modified", "fetched",
	"canonical", "site", "description", "license", "optout", "translated", "categories", "tags", "image", "type", "mime",
	"charset", "source", "confidence", "confidence_policy", "page_type", "page_type_confidence", "register", "drop", "drop_rule", "cut", "counts", shadowed, "notes", "text", "blocks",
}

// taken holds the elements of [Names].
var taken = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range Names {
		m[name] = true
	}
	return m
}()

// AppendFields appends the input fields of a page as a JSON object.
func AppendFields(dst []byte, list []page.Field) []byte {
	o := object{b: dst}
	o.open('{')
	for i := range list {
		o.raw(&list[i])
	}
	o.close('}')
	return o.b
}

// isTaken reports whether the encoder uses the name of an input field. The field register is the
// page's own unless its registers were found.
func isTaken(p *page.Page, name string) bool {
	return taken[name] && (name != "register" || p.Registers != nil)
}

// appendOwnFields writes the input fields of the page.
func appendOwnFields(o *object, p *page.Page) {
	hidden := 0
	for i := range p.Fields {
		if f := &p.Fields[i]; isTaken(p, f.Name) {
			hidden++
		} else {
			o.raw(f)
		}
	}
	if hidden == 0 {
		return
	}
	o.key(shadowed)
	o.open('{')
	for i := range p.Fields {
		if f := &p.Fields[i]; isTaken(p, f.Name) {
			o.raw(f)
		}
	}
	o.close('}')
}

// counts writes the amounts of kept text.
func counts(o *object, p *page.Page) {
	t := token.CountPage(p)
	o.key("counts")
	o.open('{')
	o.num("blocks", int64(t.Blocks))
	o.num("blocks_kept", int64(t.BlocksKept))
	o.num("words", int64(t.Words))
	o.num("words_kept", int64(t.WordsKept))
	o.close('}')
}

// appendText appends the kept text as a JSON string, with a line break between the lines of
// [page.Page.Line].
func appendText(dst []byte, p *page.Page) []byte {
	dst = append(dst, '"')
	first := true
	for i := 0; i < len(p.Blocks); {
		var t string
		if t, i = p.Line(i); t == "" {
			continue
		}
		if !first {
			dst = append(dst, '\\', 'n')
		}
		first = false
		// The quotes around the block's string are removed in place.
		at := len(dst)
		dst = jsonscan.AppendString(dst, t)
		copy(dst[at:], dst[at+1:len(dst)-1])
		dst = dst[:len(dst)-2]
	}
	return append(dst, '"')
}

func block(o *object, p *page.Page, b *page.Block) {
	o.open('{')
	o.key("kind")
	o.b = jsonscan.AppendString(o.b, b.Kind.String())
	o.numIf("level", int64(b.Level))
	o.boolIf("hidden", b.Hidden)
	o.boolIf("ocr", p.IsOCR(b))
	o.str("path", b.Path)
	o.num("start", int64(b.Start))
	o.num("end", int64(b.End))
	o.numIf("link_chars", int64(b.LinkChars))
	o.numIf("tags", int64(b.Tags))
	o.numIf("row", int64(b.Row))
	o.numIf("column", int64(b.Column))
	lang(o, b)
	verdicts(o, b)
	o.key("text")
	o.b = jsonscan.AppendString(o.b, b.Text)
	o.close('}')
}

// lang writes the language of b, if it is known.
func lang(o *object, b *page.Block) {
	o.str("lang", b.Lang)
	o.share("lang_confidence", b.LangConfidence)
}

// verdicts writes the decisions about b.
func verdicts(o *object, b *page.Block) {
	verdict(o, &b.Verdict)
	if len(b.Verdicts) > 1 {
		o.key("verdicts")
		o.open('[')
		for i := range b.Verdicts {
			o.item()
			o.open('{')
			verdict(o, &b.Verdicts[i])
			o.close('}')
		}
		o.close(']')
	}
}

// verdict writes the fields of v into the current object.
func verdict(o *object, v *page.Verdict) {
	o.str("by", v.By)
	o.str("label", v.Label.String())
	if v.ContextFree != page.Unknown {
		o.str("context_free", v.ContextFree.String())
	}
	o.str("role", v.Role.String())
	o.float("score", v.Score)
	o.str("why", v.Reason)
	if len(v.Sentences) == 0 {
		return
	}
	o.key("sentences")
	o.open('[')
	for _, s := range v.Sentences {
		o.item()
		o.open('{')
		o.num("start", int64(s.Start))
		o.num("end", int64(s.End))
		o.str("label", s.Label.String())
		o.float("score", s.Score)
		o.close('}')
	}
	o.close(']')
}
