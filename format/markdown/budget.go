package markdown

import (
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Goldmark takes quadratic time for some texts, and recurses as deep as blocks are nested. These
// limits apply to its parsers; markup over them is text.
const (
	maxNested  = 40      // blocks within one another
	maxMarks   = 10000   // marks of a paragraph that one parser inspects
	maxScanned = 1 << 27 // bytes after all marks, up to the end of their paragraphs
	maxCells   = 1 << 20 // cells of a table
)

// newParser returns a parser of CommonMark with tables, strikethrough, task lists and footnotes.
// It is safe for concurrent use.
var newParser = sync.OnceValue(func() parser.Parser { return parserOf(nil, nil) })

// parserOf returns a parser with more parsers of blocks and inline text.
func parserOf(blocks, inline []util.PrioritizedValue) parser.Parser {
	blocks = append(blocks, parser.DefaultBlockParsers()...)
	blocks = append(blocks, util.Prioritized(extension.NewFootnoteBlockParser(), 999))
	for i, v := range blocks {
		if _, sub := v.Value.(parser.SetOptioner); !sub { // headings have no blocks
			blocks[i].Value = nested{v.Value.(parser.BlockParser)}
		}
	}
	inline = append(inline, parser.DefaultInlineParsers()...)
	inline = append(inline, util.Prioritized(extension.NewFootnoteParser(), 101), util.Prioritized(extension.NewStrikethroughParser(), 500))
	for i, v := range inline {
		inline[i].Value = scanner{v.Value.(parser.InlineParser), parser.NewContextKey()}
	}
	return parser.NewParser(parser.WithBlockParsers(blocks...), parser.WithInlineParsers(inline...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(), util.Prioritized(tables{extension.NewTableParagraphTransformer()}, 200))...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0), util.Prioritized(extension.NewFootnoteASTTransformer(), 999)))
}

// nested is a parser of blocks that opens none within maxNested others.
type nested struct{ parser.BlockParser }

func (n nested) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if len(pc.OpenedBlocks()) > maxNested && len(n.Trigger()) > 0 {
		return nil, parser.NoChildren
	}
	return n.BlockParser.Open(parent, reader, pc)
}

// scanned is the key of the bytes that the parsers of inline text may have inspected.
var scanned = parser.NewContextKey()

// scanner is a parser of inline text within the limits.
type scanner struct {
	parser.InlineParser
	key parser.ContextKey // of the marks
}

// marks counts the marks in a block.
type marks struct {
	block ast.Node
	n     int
}

func (s scanner) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	m, _ := pc.Get(s.key).(*marks)
	if m == nil {
		m = new(marks)
		pc.Set(s.key, m)
	}
	total, _ := pc.Get(scanned).(*int)
	if total == nil {
		total = new(int)
		pc.Set(scanned, total)
	}
	if m.block != parent {
		m.block, m.n = parent, 0
	}
	m.n++
	left := 0
	if lines := parent.Lines(); lines != nil && lines.Len() > 0 {
		_, at := block.Position()
		left = lines.At(lines.Len()-1).Stop - at.Start
	}
	*total += left + m.n
	if m.n > maxMarks || *total > maxScanned {
		return nil
	}
	return s.InlineParser.Parse(parent, block, pc)
}

// CloseBlock ends a block of the parser.
func (s scanner) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if c, ok := s.InlineParser.(parser.CloseBlocker); ok {
		c.CloseBlock(parent, block, pc)
	}
}

// tables parses tables. Rows are filled with cells, so that a table can be far larger than its
// text.
type tables struct{ parser.ParagraphTransformer }

func (t tables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines := node.Lines()
	if lines.Len() < 2 {
		return
	}
	columns := 1
	second := lines.At(1)
	for _, c := range second.Value(reader.Source()) {
		if c == '|' {
			columns++
		}
	}
	if columns*lines.Len() <= maxCells {
		t.ParagraphTransformer.Transform(node, reader, pc)
	}
}
