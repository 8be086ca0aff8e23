// Package chaffinch extracts clean text from web pages. [New] returns a [Cleaner]; its method
// Clean splits a page in memory into blocks and labels each block as text or boilerplate. For
// files and folders of any size, use [chaffinch/build/recipe.Make].
//
// Every package can be used separately. Data flows down this list:
//
//	page       data model: Page, Block, Verdict, Reason
//	text       charset: bytes to UTF-8; langid: languages; token: sentences and words; lm: word n-gram models
//	format     one folder per format: warc, jsonl, plain, vertical, parquet, markdown, tei
//	input      files, folders and streams to pages; records: collections of clean text
//	pipeline   execution of stages: order, limits, checkpoints, reports
//	extract    HTML or text to blocks, with metadata
//	clean      Labeller; method: the table of methods
//	filter     quality rules, models of non-text
//	dedup      duplicates and near-duplicates, on disk
//	plagiarism sources of documents, passages that two texts share
//	corpus     index of a vertical file; queries and statistics
//	build      corpus from pages by one recipe
//	crawl      polite crawler
//	lab        training and evaluation
//	serve      HTTP server, browser pages, MCP
//
// # Models
//
// A program embeds the models of the default cleaning. Larger ones are opt-in:
//
//	import _ "chaffinch/model/data/languages"  // detection of languages; otherwise pages declare them
//	import _ "chaffinch/model/data/words"      // methods perplexity and all
//	import _ "chaffinch/model/data/segmenters" // filters; words of scripts without spaces
//	import _ "chaffinch/model/data/nontext"    // filter rules "nontext"
//	import _ "chaffinch/model/data/fineweb2"   // filter profile "fineweb2"
//
// So are the readers of documents, such as PDF and Markdown:
//
//	import _ "chaffinch/extract/documents/readers"
//
// # Compatibility
//
// File formats are stable. Files written by version 0.2 or later are read, or rejected with an
// error that names the way to continue.
//
// From version 1.0 on, exported names keep their meaning within a major version. This applies to
// this package, page, clean, clean/method, extract, format, text, filter, dedup, pipeline, build,
// build/recipe and build/stage. Before version 1.0 a release may rename exported names; its
// changelog lists the changes. Packages whose documentation has a paragraph that begins with
// "Unstable" may change in any release, as may all packages in internal, lab and cmd.
package chaffinch
