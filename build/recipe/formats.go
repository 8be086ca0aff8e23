package recipe

import (
	"fmt"
	"io"
	"strings"

	"chaffinch/format/conllu"
	"chaffinch/format/jsonl"
	"chaffinch/format/markdown"
	"chaffinch/format/parquet"
	"chaffinch/format/plain"
	"chaffinch/format/tei"
	"chaffinch/format/vertical"
	"chaffinch/format/warc"
	"chaffinch/input"
	"chaffinch/input/records"
	"chaffinch/internal/settings"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/tag"
	"chaffinch/text/tag/installed"
	"chaffinch/text/token"
	"chaffinch/text/token/segment"
)

// Format describes an output format.
type Format struct {
	// Name is the name in commands and recipes. Ext is the usual suffix of its files.
	Name, Ext string
	Help      string
	// Media are its media types. The server responds with the first and accepts all. Nil for
	// formats that hold many pages, which the server does not return.
	Media []string
	// Markup reports whether the format represents lists, tables, links and other markup.
	// The extractor records markup only then, and Output.Without can omit it.
	Markup bool
	// Flat reports whether the format writes only text and fields of the page: no markup, and no fields
	// of blocks unless it annotates.
	Flat bool
	// Annotates reports whether the format can represent labels and removed blocks.
	Annotates bool
	// TextOnly reports whether the format omits metadata unless it annotates.
	TextOnly bool
	// Langs reports whether the format represents the languages of blocks or their shares,
	// which must be detected.
	Langs bool
	// Fields are the names that [Output.Fields] may hold. Nil if the format does not use the
	// setting. OwnFields reports whether fields of input records may be named too.
	Fields    []string
	OwnFields bool
	// FrontMatter and Tokens report whether the format uses these settings of [Output].
	// Tokens means TokenRules, Segmenters, Tag and Taggers.
	FrontMatter, Tokens bool
	// NoPacking is the reason for which its files cannot be compressed as a whole, or "" if
	// they can.
	NoPacking string
	// ReadBack configures the reader for removing duplicates from its files. Nil if there is
	// none.
	ReadBack *records.Config
	New      func(o EncoderOptions) pipeline.Encoder
}

// EncoderOptions are the options of an encoder.
type EncoderOptions struct {
	Annotate    bool
	Without     page.Features
	Lean        bool
	FrontMatter bool
	Tokens      *token.Family // nil uses only the rules of each language
	Tags        *tag.Set      // nil adds no columns
	Fields      jsonl.Selection
}

func newParquet(o EncoderOptions) pipeline.Encoder {
	e := parquet.Encoder{Annotate: o.Annotate}
	if !o.Fields.All() {
		e.Columns = o.Fields.Takes
	}
	return e
}

// Formats lists the output formats.
var Formats = []Format{
	{Name: "text", Ext: ".txt", Help: "one block or row of a table a line, an empty line after each page", Media: []string{"text/plain"},
		Flat: true, Annotates: true, TextOnly: true, ReadBack: &records.Config{Format: records.Text, Split: records.SplitBlank},
		New: func(o EncoderOptions) pipeline.Encoder { return plain.Encoder{Annotate: o.Annotate} }},
	{Name: "jsonl", Ext: ".jsonl", Help: "one JSON object per line for each page: text and metadata", Media: []string{"application/x-ndjson", "application/jsonl", "application/ndjson"},
		Flat: true, Annotates: true, Langs: true, Fields: jsonl.Names, OwnFields: true, ReadBack: &records.Config{Format: records.JSONL},
		New: func(o EncoderOptions) pipeline.Encoder { return jsonl.Encoder{Annotate: o.Annotate, Fields: o.Fields} }},
	{Name: "json", Ext: ".json", Help: "one JSON object per line for each page: typed blocks in lists and tables, inline markup, metadata", Media: []string{"application/json"},
		Markup: true, Annotates: true, Langs: true, Fields: jsonl.Names, OwnFields: true, ReadBack: &records.Config{Format: records.JSONL},
		New: func(o EncoderOptions) pipeline.Encoder {
			return jsonl.Document{Annotate: o.Annotate, Without: o.Without, Lean: o.Lean, Fields: o.Fields}
		}},
	{Name: "markdown", Ext: ".md", Help: "headings, lists, tables, code, emphasis, links, images; a rule between pages", Media: []string{"text/markdown"},
		Markup: true, FrontMatter: true,
		New: func(o EncoderOptions) pipeline.Encoder {
			return markdown.Encoder{Without: o.Without, FrontMatter: o.FrontMatter}
		}},
	{Name: "vertical", Ext: ".vert", Help: "one token per line, <doc>, <p>, <s> and <g/> on separate lines, for corpus managers", Media: []string{"text/vertical"},
		Annotates: true, Langs: true, Tokens: true, ReadBack: &records.Config{Format: records.Vertical},
		New: func(o EncoderOptions) pipeline.Encoder {
			return vertical.Encoder{Annotate: o.Annotate, Tokens: o.Tokens, Tags: o.Tags}
		}},
	{Name: "conllu", Ext: ".conllu", Help: "CoNLL-U of Universal Dependencies: one word per line with lemma, part of speech and features", Media: []string{"text/conllu"},
		Langs: true, TextOnly: true, Tokens: true,
		New: func(o EncoderOptions) pipeline.Encoder { return conllu.Encoder{Tokens: o.Tokens, Tags: o.Tags} }},
	{Name: "prevertical", Ext: ".prevert", Help: "<doc> and <p> tags around running text, for corpus managers", Media: []string{"text/prevertical"},
		Annotates: true, Langs: true, ReadBack: &records.Config{Format: records.Prevertical},
		New: func(o EncoderOptions) pipeline.Encoder { return vertical.Prevertical{Annotate: o.Annotate} }},
	{Name: "parquet", Ext: ".parquet", Help: "Apache Parquet, one row per page: text, metadata and counts in columns",
		Flat: true, Annotates: true, Langs: true, Fields: parquet.Names(), NoPacking: "format parquet is already compressed",
		New: newParquet},
	{Name: "xml", Ext: ".xml", Help: "TEI P5, metadata in the teiHeader; a teiCorpus of all pages", Media: []string{"application/tei+xml", "application/xml"},
		Markup: true,
		New:    func(o EncoderOptions) pipeline.Encoder { return tei.Encoder{Without: o.Without} }},
	{Name: "warc", Ext: ".warc", Help: "WARC, a record of type conversion for each page, as in WET files: text, address and date",
		Flat: true, NoPacking: "a packed archive needs a member for each record: pack it afterwards, as with warcio recompress",
		New: func(EncoderOptions) pipeline.Encoder { return warc.Encoder{} }},
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

// FormatOf returns the format with the given name.
func FormatOf(name string) (Format, error) {
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

// encoder returns the encoder for the options of o.
func (f *Format) encoder(o Output) (pipeline.Encoder, error) {
	if o.Annotate && !f.Annotates {
		return nil, fmt.Errorf("format %s has no place for labels: annotate with one of %s", f.Name, formatsWith(func(g *Format) bool { return g.Annotates }))
	}
	if len(o.Without) > 0 && !f.Markup {
		return nil, fmt.Errorf("format %s has no markup that could be left out: without is for %s", f.Name, formatsWith(func(g *Format) bool { return g.Markup }))
	}
	if o.FrontMatter && !f.FrontMatter {
		return nil, fmt.Errorf("front matter is for the format %s; the others hold the metadata anyway, but for text", formatsWith(func(g *Format) bool { return g.FrontMatter }))
	}
	if o.Lean && (f.Name != "json" || o.Annotate) {
		return nil, setting("lean", "format %s, wanted json without annotation", f.Name)
	}
	without, err := page.ParseFeatures(o.Without)
	if err != nil {
		return nil, err
	}
	opts := EncoderOptions{Annotate: o.Annotate, Without: without, Lean: o.Lean, FrontMatter: o.FrontMatter}
	if opts.Fields, err = jsonl.Select(o.Fields); err != nil {
		return nil, err
	}
	if len(o.Fields) > 0 && f.Fields == nil {
		return nil, fmt.Errorf("format %s has no fields to choose: fields is for %s", f.Name, formatsWith(func(g *Format) bool { return g.Fields != nil }))
	}
	if err := o.checkFields(f.OwnFields); err != nil {
		return nil, err
	}
	if o.TokenRules != nil || len(o.Segmenters) > 0 {
		if !f.Tokens {
			return nil, fmt.Errorf("format %s has no tokens: token rules and segmenters are for %s", f.Name, formatsWith(func(g *Format) bool { return g.Tokens }))
		}
		if opts.Tokens, err = o.tokens(); err != nil {
			return nil, err
		}
	}
	switch {
	case !o.Tag && len(o.Taggers) > 0:
		return nil, setting("taggers", "the models are used only with tag")
	case o.Tag && !f.Tokens:
		return nil, fmt.Errorf("format %s has no tokens: tag is for %s", f.Name, formatsWith(func(g *Format) bool { return g.Tokens }))
	case o.Tag:
		if opts.Tags, err = installed.Set(o.Taggers...); err != nil {
			return nil, err
		}
	}
	return f.New(opts), nil
}

// unknownField returns the error for a name of [Output.Fields] that the format does not write.
func (f *Format) unknownField(name string) error {
	if hint := settings.DidYouMean(name, f.Fields); hint != "" {
		return setting("fields", "format %s has no field %s%s", f.Name, name, hint)
	}
	return setting("fields", "format %s has no field %s, wanted some of %s", f.Name, name, strings.Join(f.Fields, ", "))
}

// checkFields returns an error if [Output.Fields] selects a field that the format does not write.
// own indicates that pages may have any fields, which need no check.
func (o *Output) checkFields(own bool) error {
	f, err := FormatOf(o.Format)
	if err != nil || own {
		return err
	}
	if _, err := jsonl.Select(o.Fields); err != nil {
		return err
	}
	if unknown := o.otherFields(); len(unknown) > 0 {
		return f.unknownField(unknown[0])
	}
	return nil
}

// otherFields returns the fields of [Output.Fields] that the format does not write itself.
func (o *Output) otherFields() []string {
	f, err := FormatOf(o.Format)
	if err != nil {
		return nil
	}
	s, _ := jsonl.Select(o.Fields)
	return s.Unknown(f.Fields)
}

// tokens returns the tokenizers for the options of o.
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

// formatsWith returns the names of the formats for which has returns true.
func formatsWith(has func(*Format) bool) string {
	var names []string
	for i := range Formats {
		if has(&Formats[i]) {
			names = append(names, Formats[i].Name)
		}
	}
	return strings.Join(names, ", ")
}
