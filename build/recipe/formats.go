package recipe

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"chaffinch/format/jsonl"
	"chaffinch/format/markdown"
	"chaffinch/format/parquet"
	"chaffinch/format/plain"
	"chaffinch/format/tei"
	"chaffinch/format/vertical"
	"chaffinch/format/warc"
	"chaffinch/input"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/token"
	"chaffinch/text/token/segment"
)

// Format is a way to write pages.
type Format struct {
	// Name is what users and recipes call it, Ext the usual suffix of its files.
	Name, Ext string
	Help      string
	// Markup tells that it writes lists, tables, links and so on, which the
	// extractor must record and Output.Without may leave out.
	Markup bool
	// Annotates tells that it can write labels and left-out blocks.
	Annotates bool
	New       func(o EncoderOptions) pipeline.Encoder
}

// EncoderOptions are what an [Output] says to its format.
type EncoderOptions struct {
	Annotate    bool
	Without     page.Features
	FrontMatter bool
	Tokens      *token.Family // nil takes the rules of each language alone
	Fields      jsonl.Selection
}

func newParquet(o EncoderOptions) pipeline.Encoder {
	e := parquet.Encoder{Annotate: o.Annotate}
	if !o.Fields.All() {
		e.Columns = o.Fields.Takes
	}
	return e
}

// Formats is the table of output formats.
var Formats = []Format{
	{"text", ".txt", "one block or row of a table a line, an empty line after each page", false, true,
		func(o EncoderOptions) pipeline.Encoder { return plain.Encoder{Annotate: o.Annotate} }},
	{"jsonl", ".jsonl", "one JSON object per line for each page: text and metadata", false, true,
		func(o EncoderOptions) pipeline.Encoder { return jsonl.Encoder{Annotate: o.Annotate, Fields: o.Fields} }},
	{"json", ".json", "one JSON object per line for each page: typed blocks in lists and tables, inline markup, metadata", true, true,
		func(o EncoderOptions) pipeline.Encoder {
			return jsonl.Document{Annotate: o.Annotate, Without: o.Without, Fields: o.Fields}
		}},
	{"markdown", ".md", "headings, lists, tables, code, emphasis, links, images; a rule between pages", true, false,
		func(o EncoderOptions) pipeline.Encoder {
			return markdown.Encoder{Without: o.Without, FrontMatter: o.FrontMatter}
		}},
	{"vertical", ".vert", "one token per line, <doc>, <p>, <s> and <g/> on lines of their own, for corpus managers", false, true,
		func(o EncoderOptions) pipeline.Encoder {
			return vertical.Encoder{Annotate: o.Annotate, Tokens: o.Tokens}
		}},
	{"prevertical", ".prevert", "<doc> and <p> tags around running text, for corpus managers", false, true,
		func(o EncoderOptions) pipeline.Encoder { return vertical.Prevertical{Annotate: o.Annotate} }},
	{"parquet", ".parquet", "Apache Parquet, one row per page: text, metadata and counts in columns", false, true,
		newParquet},
	{"xml", ".xml", "TEI P5, metadata in the teiHeader; a teiCorpus of all pages", true, false,
		func(o EncoderOptions) pipeline.Encoder { return tei.Encoder{Without: o.Without} }},
	{"warc", ".warc", "WARC, a record of type conversion for each page, as in WET files: text, address and date", false, false,
		func(EncoderOptions) pipeline.Encoder { return warc.Encoder{} }},
}

// ReadParquet opens the rows of a Parquet file, for [input.Config.Parquet] and
// [collection.Config.Parquet].
func ReadParquet(in io.ReaderAt, size int64, text ...string) (input.Rows, error) {
	r, err := parquet.NewReader(in, size, text...)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// formatOf returns the format of that name.
func formatOf(name string) (Format, error) {
	for _, f := range Formats {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("format %q is not known: take one of %s", name, strings.Join(FormatNames(), ", "))
}

// FormatNames returns the names of all formats.
func FormatNames() []string {
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = f.Name
	}
	return names
}

// encoder makes the encoder that o asks for.
func (f *Format) encoder(o Output) (pipeline.Encoder, error) {
	if o.Annotate && !f.Annotates {
		return nil, fmt.Errorf("format %s has no place for labels: annotate with one of %s", f.Name, formatsWith(func(g *Format) bool { return g.Annotates }))
	}
	if len(o.Without) > 0 && !f.Markup {
		return nil, fmt.Errorf("format %s has no markup that could be left out: without is for %s", f.Name, formatsWith(func(g *Format) bool { return g.Markup }))
	}
	if o.FrontMatter && f.Name != "markdown" {
		return nil, errors.New("front matter is for the format markdown; the others hold the metadata anyway, but for text")
	}
	without, err := page.ParseFeatures(o.Without)
	if err != nil {
		return nil, err
	}
	opts := EncoderOptions{Annotate: o.Annotate, Without: without, FrontMatter: o.FrontMatter}
	if opts.Fields, err = jsonl.Select(o.Fields); err != nil {
		return nil, err
	}
	if fielded := []string{"jsonl", "json", "parquet"}; len(o.Fields) > 0 && !slices.Contains(fielded, f.Name) {
		return nil, fmt.Errorf("format %s has no fields to choose: fields is for %s", f.Name, strings.Join(fielded, ", "))
	}
	if o.TokenRules != nil || len(o.Segmenters) > 0 {
		if f.Name != "vertical" {
			return nil, fmt.Errorf("format %s has no tokens: token rules and segmenters are for vertical", f.Name)
		}
		if opts.Tokens, err = o.tokens(); err != nil {
			return nil, err
		}
	}
	return f.New(opts), nil
}

// tokens makes the tokenizers that o asks for.
func (o *Output) tokens() (*token.Family, error) {
	var cfg token.Config
	if r := o.TokenRules; r != nil {
		cfg.Rules, cfg.RulesName = r.Text, r.Name
	}
	for _, name := range o.Segmenters {
		m, err := segment.Open(name)
		if err != nil {
			return nil, fmt.Errorf("segmenter: %w", err)
		}
		cfg.Words = append(cfg.Words, m)
	}
	f, err := token.NewFamily(cfg)
	if err != nil {
		return nil, fmt.Errorf("token rules: %w", err)
	}
	return f, nil
}

// formatsWith returns the names of the formats that have something.
func formatsWith(has func(*Format) bool) string {
	var names []string
	for i := range Formats {
		if has(&Formats[i]) {
			names = append(names, Formats[i].Name)
		}
	}
	return strings.Join(names, ", ")
}
