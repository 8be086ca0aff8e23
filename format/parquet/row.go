// Package parquet reads and writes Apache Parquet files of pages, one row per page.
// [NewWriter] writes a file, and [NewReader] reads one.
//
// Dataset tools (datasets, DuckDB, Polars, Spark) read single columns of such a file without
// decompressing the others. See docs/reference/formats/parquet.md.
package parquet

import (
	"math"

	"chaffinch/format/jsonl"
	"chaffinch/page"
	"chaffinch/text/token"
)

// Row is one page. The struct tags are the schema of the file. An optional column is null
// if the page does not have the value. Lists are never null.
type Row struct {
	// ID identifies the page, URL is its address, and Text is the kept text
	// ([page.Page.Text]).
	ID    string `parquet:"id"`
	URL   string `parquet:"url,optional"`
	Text  string `parquet:"text"`
	Title string `parquet:"title,optional"`
	// Authors holds the names of the authors.
	Authors []string `parquet:"authors,list"`
	Site    string   `parquet:"site,optional,dict"`
	// Lang is the detected language as a BCP 47 tag, and LangConfidence its confidence (0
	// to 1). DeclaredLang is the language that the page declares. Langs holds the languages
	// of its blocks.
	Lang           string  `parquet:"lang,optional,dict"`
	LangConfidence float64 `parquet:"lang_confidence,optional"`
	DeclaredLang   string  `parquet:"declared_lang,optional,dict"`
	Langs          []Lang  `parquet:"langs,list"`
	// Date, Modified and Fetched are RFC 3339 dates or date-times.
	Date     string `parquet:"date,optional"`
	Modified string `parquet:"modified,optional"`
	Fetched  string `parquet:"fetched,optional"`
	// Canonical is the canonical URL that the page declares.
	Canonical   string   `parquet:"canonical,optional"`
	Description string   `parquet:"description,optional"`
	License     string   `parquet:"license,optional,dict"`
	Optout      string   `parquet:"optout,optional,dict"`
	Translated  string   `parquet:"translated,optional,dict"`
	Categories  []string `parquet:"categories,list"`
	Tags        []string `parquet:"tags,list"`
	Image       string   `parquet:"image,optional"`
	Type        string   `parquet:"type,optional,dict"`
	MIME        string   `parquet:"mime,optional,dict"`
	Charset     string   `parquet:"charset,optional,dict"`
	// File, Offset, Record and RecordType identify the input: see [page.Source].
	File       string `parquet:"file,optional,dict"`
	Offset     int64  `parquet:"offset"`
	Record     string `parquet:"record,optional"`
	RecordType string `parquet:"record_type,optional,dict"`
	// Confidence is the probability that the page is labelled well: see
	// [page.Page.Confidence].
	Confidence float64 `parquet:"confidence,optional"`
	// ConfidencePolicy is the policy of Confidence, such as "body".
	ConfidencePolicy string `parquet:"confidence_policy,optional,dict"`
	// PageType is the estimated type of the page, one of [page.Types], and
	// PageTypeConfidence its probability.
	PageType           string  `parquet:"page_type,optional,dict"`
	PageTypeConfidence float64 `parquet:"page_type_confidence,optional"`
	// Registers are the registers of the text: see [page.Page.Registers].
	Registers []string `parquet:"register,list"`
	// Drop is the reason why the page was dropped (annotated files only). Cut is the reason
	// why only a part of the page was read. Both are names of [page.Reason].
	Drop string `parquet:"drop,optional,dict"`
	Cut  string `parquet:"cut,optional,dict"`
	// BlocksAll and Words count all blocks and words of the page, BlocksKept and WordsKept
	// the kept blocks and words.
	BlocksAll  int64 `parquet:"blocks_all"`
	BlocksKept int64 `parquet:"blocks_kept"`
	Words      int64 `parquet:"words"`
	WordsKept  int64 `parquet:"words_kept"`
	// Blocks holds all blocks of the page with their labels. It is empty unless annotated.
	Blocks []Block `parquet:"blocks,list"`
	// Fields is a JSON object of the additional fields of the input record: see
	// [page.Page.Fields].
	Fields string `parquet:"fields,optional"`
}

// Lang is a language and its share of the characters of a page (0 to 1).
type Lang struct {
	Lang  string  `parquet:"lang,dict"`
	Share float64 `parquet:"share"`
}

// Block is a block of an annotated page: see [page.Block].
type Block struct {
	Kind   string `parquet:"kind,dict"`
	Level  int32  `parquet:"level"`
	Hidden bool   `parquet:"hidden"`
	Lang   string `parquet:"lang,optional,dict"`
	// LangConfidence is the confidence of Lang, 0 to 1.
	LangConfidence float64 `parquet:"lang_confidence,optional"`
	Label          string  `parquet:"label,dict"`
	Role           string  `parquet:"role,optional,dict"`
	Score          float64 `parquet:"score"`
	By             string  `parquet:"by,optional,dict"`
	Reason         string  `parquet:"why,optional"`
	// Start and End are byte offsets in the decoded page.
	Start int64  `parquet:"start"`
	End   int64  `parquet:"end"`
	Text  string `parquet:"text"`
}

// rowOf returns the row of p, with all blocks if annotate is set. The row shares strings
// with p.
func rowOf(p *page.Page, annotate bool) Row {
	m, t := &p.Meta, token.CountPage(p)
	r := Row{
		ID: p.ID, URL: p.URL, Text: p.Text(), Title: m.Title, Authors: m.Authors, Site: m.Site,
		Lang: p.Lang, LangConfidence: round(p.LangConfidence), DeclaredLang: m.Lang,
		Date: m.Date, Modified: m.Modified, Fetched: m.Fetched, Canonical: m.Canonical, Description: m.Description,
		License: m.License, Optout: m.Optout, Translated: m.Translated, Categories: m.Categories, Tags: m.Tags, Image: m.Image, Type: m.Type, MIME: p.MIME, Charset: p.Charset,
		File: p.Source.File, Offset: p.Source.Offset, Record: p.Source.Record, RecordType: p.Source.Type,
		Confidence: round(p.Confidence), ConfidencePolicy: p.ConfidencePolicy, PageType: p.Type, PageTypeConfidence: round(p.TypeConfidence), Registers: p.Registers, Drop: p.Drop.String(), Cut: p.Cut.String(),
		BlocksAll: int64(t.Blocks), BlocksKept: int64(t.BlocksKept), Words: int64(t.Words), WordsKept: int64(t.WordsKept),
	}
	for _, l := range p.Langs {
		r.Langs = append(r.Langs, Lang{l.Lang, round(l.Share)})
	}
	r.Fields = ownFieldsJSON(p)
	if !annotate {
		return r
	}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		r.Blocks = append(r.Blocks, Block{
			Kind: b.Kind.String(), Level: int32(b.Level), Hidden: b.Hidden, Lang: b.Lang, LangConfidence: round(b.LangConfidence), Label: b.Label.String(), Role: b.Role.String(),
			Score: b.Score, By: b.By, Reason: b.Reason, Start: int64(b.Start), End: int64(b.End), Text: b.Text,
		})
	}
	return r
}

// ownFields is the name of the column of additional input fields.
const ownFields = "fields"

// ownFieldsJSON returns the fields of p as a JSON object, or "" if there are none.
func ownFieldsJSON(p *page.Page) string {
	if len(p.Fields) == 0 {
		return ""
	}
	return string(jsonl.AppendFields(nil, p.Fields))
}

// round rounds x to three decimals, which exceeds the precision of confidences and shares.
func round(x float64) float64 { return math.Round(x*1000) / 1000 }
