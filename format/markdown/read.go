package markdown

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"chaffinch/format/document"
	"chaffinch/internal/lazyregexp"
	"chaffinch/text/charset"
)

// converter parses Markdown of any author, and writes HTML. HTML within Markdown is kept: the
// result is a page like any other.
var converter = sync.OnceValues(func() (parser.Parser, renderer.Renderer) {
	blocks := []util.PrioritizedValue{
		util.Prioritized(extension.NewDefinitionListParser(), 101), util.Prioritized(extension.NewDefinitionDescriptionParser(), 102),
		util.Prioritized(parser.NewATXHeadingParser(parser.WithHeadingAttribute()), 599),
	}
	p := parserOf(blocks, []util.PrioritizedValue{util.Prioritized(extension.NewTaskCheckBoxParser(), 0)})
	return p, renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(html.NewRenderer(html.WithUnsafe()), 1000), util.Prioritized(extension.NewTableHTMLRenderer(), 500),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500), util.Prioritized(extension.NewDefinitionListHTMLRenderer(), 500), util.Prioritized(extension.NewTaskCheckBoxHTMLRenderer(), 500), util.Prioritized(notes{}, 500)))
})

// Read converts Markdown to HTML: CommonMark with the tables, footnotes, definition lists and
// callouts in common use. The fields of front matter become metadata. Errors are from ctx. [Page]
// reads the Markdown of [Encoder]. Unstable: the type of the result may change in any release.
func Read(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
	if err := ctx.Err(); err != nil {
		return document.Document{}, err
	}
	src := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD").Replace(charset.Decode(raw, "").Text)
	meta, src := front(src)
	source := []byte(noise().ReplaceAllString(src, ""))
	p, r := converter()
	root := p.Parse(text.NewReader(source))
	b := document.NewBuilder(limits)
	b.Head(meta)
	if meta.Title != "" && !hasTitle(root) {
		b.Block("h1", meta.Title)
	}
	w := output{ctx, b}
	if err := r.Render(w, source, root); err != nil && !errors.Is(err, errFull) {
		return document.Document{}, err
	}
	return b.Document(), ctx.Err()
}

// noise matches lines with calls of templates of Jekyll, Hugo and mdBook, with attributes of
// blocks, and with the kind of a callout.
var noise = lazyregexp.New(`(?m)^[ \t]*(?:\{%.*%\}|\{\{[<%#].*\}\}|\{:.*\})[ \t]*$|^(?:> ?)+\[![A-Za-z]{3,20}\][-+]?[ \t]*$`)

// hasTitle reports whether a document has a heading of the first level.
func hasTitle(root ast.Node) bool {
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 1 {
			return true
		}
	}
	return false
}

// output writes HTML to a document. It ends at the limit of the document.
type output struct {
	ctx context.Context
	b   *document.Builder
}

var errFull = errors.New("the limit of the document is reached")

func (o output) Write(p []byte) (int, error) {
	if err := o.ctx.Err(); err != nil {
		return 0, err
	}
	if o.b.HTML(string(p)); o.b.Full() {
		return 0, errFull
	}
	return len(p), nil
}

// notes renders footnotes as package document describes them.
type notes struct{}

func (notes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	nothing := func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) { return ast.WalkContinue, nil }
	r.Register(east.KindFootnoteList, nothing)
	r.Register(east.KindFootnoteBacklink, nothing)
	r.Register(east.KindFootnoteLink, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			number := strconv.Itoa(n.(*east.FootnoteLink).Index)
			w.WriteString(`<a href="#note-` + number + `" role="doc-noteref"><sup>` + number + "</sup></a>")
		}
		return ast.WalkContinue, nil
	})
	r.Register(east.KindFootnote, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString(`<aside role="` + document.Footnote + `" id="note-` + strconv.Itoa(n.(*east.Footnote).Index) + "\">\n")
		} else {
			w.WriteString("</aside>\n")
		}
		return ast.WalkContinue, nil
	})
}
