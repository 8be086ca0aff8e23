// Package parquet writes pages as Apache Parquet, one row per page: what dataset tools
// (datasets, DuckDB, Polars, Spark) read column by column without unpacking the rest.
// docs/formats/parquet.md [NewWriter] writes a file, [NewReader] reads one.
package parquet

import (
	"math"

	"chaffinch/format/jsonl"
	"chaffinch/page"
	"chaffinch/text/token"
)

// Row is one page. The tags are the schema of the file: a column that may be
// null is null where the page does not have the value; lists are never null,
// but for Blocks.
type Row struct {
	// ID names the page, URL is its address and Text the kept text as
	// [page.Page.Text] has it.
	ID    string `parquet:"id"`
	URL   string `parquet:"url,optional"`
	Text  string `parquet:"text"`
	Title string `parquet:"title,optional"`
	// Authors are the names of those who wrote the page.
	Authors []string `parquet:"authors,list"`
	Site    string   `parquet:"site,optional,dict"`
	// Lang is the language used as a BCP 47 tag, LangConfidence how sure it
	// is (0 to 1), DeclaredLang what the page states and Langs the languages
	// of its blocks.
	Lang           string  `parquet:"lang,optional,dict"`
	LangConfidence float64 `parquet:"lang_confidence,optional"`
	DeclaredLang   string  `parquet:"declared_lang,optional,dict"`
	Langs          []Lang  `parquet:"langs,list"`
	// Date, Modified and Fetched are RFC 3339 dates or date-times.
	Date     string `parquet:"date,optional"`
	Modified string `parquet:"modified,optional"`
	Fetched  string `parquet:"fetched,optional"`
	// Canonical is the address that the page calls its own.
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
	// File, Offset, Record and RecordType tell where the page came from: see
	// [page.Source].
	File       string `parquet:"file,optional,dict"`
	Offset     int64  `parquet:"offset"`
	Record     string `parquet:"record,optional"`
	RecordType string `parquet:"record_type,optional,dict"`
	// Confidence is how likely the page is labelled well: see [page.Page.Confidence].
	Confidence float64 `parquet:"confidence,optional"`
	// Drop is why the page is not in the corpus (annotated files only), Cut
	// why only a part of it was read: names of [page.Reason].
	Drop string `parquet:"drop,optional,dict"`
	Cut  string `parquet:"cut,optional,dict"`
	// BlocksAll and Words count what the page shows, BlocksKept and WordsKept
	// what was kept of it.
	BlocksAll  int64 `parquet:"blocks_all"`
	BlocksKept int64 `parquet:"blocks_kept"`
	Words      int64 `parquet:"words"`
	WordsKept  int64 `parquet:"words_kept"`
	// Blocks are all blocks of the page with what was decided; empty unless
	// annotated.
	Blocks []Block `parquet:"blocks,list"`
	// Fields is a JSON object of the fields that the page's record had beside those
	// of the other columns: see [page.Page.Fields].
	Fields string `parquet:"fields,optional"`
}

// Lang is the share of the characters of a page that are in one language.
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
	// LangConfidence is how sure Lang is, 0 to 1.
	LangConfidence float64 `parquet:"lang_confidence,optional"`
	Label          string  `parquet:"label,dict"`
	Role           string  `parquet:"role,optional,dict"`
	Score          float64 `parquet:"score"`
	By             string  `parquet:"by,optional,dict"`
	Why            string  `parquet:"why,optional"`
	// Start and End are the byte span in the decoded page.
	Start int64  `parquet:"start"`
	End   int64  `parquet:"end"`
	Text  string `parquet:"text"`
}

// rowOf returns the row of p, with all its blocks if annotate is set. It
// shares strings with p.
func rowOf(p *page.Page, annotate bool) Row {
	m, t := &p.Meta, token.CountPage(p)
	r := Row{
		ID: p.ID, URL: p.URL, Text: p.Text(), Title: m.Title, Authors: m.Authors, Site: m.Site,
		Lang: p.Lang, LangConfidence: round(p.LangConfidence), DeclaredLang: m.Lang,
		Date: m.Date, Modified: m.Modified, Fetched: m.Fetched, Canonical: m.Canonical, Description: m.Description,
		License: m.License, Optout: m.Optout, Translated: m.Translated, Categories: m.Categories, Tags: m.Tags, Image: m.Image, Type: m.Type, MIME: p.MIME, Charset: p.Charset,
		File: p.Source.File, Offset: p.Source.Offset, Record: p.Source.Record, RecordType: p.Source.Type,
		Confidence: round(p.Confidence), Drop: p.Drop.String(), Cut: p.Cut.String(),
		BlocksAll: int64(t.Blocks), BlocksKept: int64(t.BlocksKept), Words: int64(t.Words), WordsKept: int64(t.WordsKept),
	}
	for _, l := range p.Langs {
		r.Langs = append(r.Langs, Lang{l.Lang, round(l.Share)})
	}
	r.Fields = own(p)
	if !annotate {
		return r
	}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		r.Blocks = append(r.Blocks, Block{
			Kind: b.Kind.String(), Level: int32(b.Level), Hidden: b.Hidden, Lang: b.Lang, LangConfidence: round(b.LangConfidence), Label: b.Label.String(), Role: b.Role.String(),
			Score: b.Score, By: b.By, Why: b.Why, Start: int64(b.Start), End: int64(b.End), Text: b.Text,
		})
	}
	return r
}

// ownFields is the column of the fields that a page's record had.
const ownFields = "fields"

// own returns the fields of p as one JSON object, "" if there are none.
func own(p *page.Page) string {
	if len(p.Fields) == 0 {
		return ""
	}
	return string(jsonl.AppendFields(nil, p.Fields))
}

// round leaves three decimals, which is more than a confidence or a share of a
// language means.
func round(x float64) float64 { return math.Round(x*1000) / 1000 }
