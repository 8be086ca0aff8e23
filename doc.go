// Package chaffinch turns web pages into clean text. [New] makes a [Cleaner]; its Clean cuts
// a page in memory into blocks and labels each as text or boilerplate. For whole inputs,
// files and folders of any size, use [chaffinch/build/recipe.Make].
//
// Every package can be used by itself. Data flows down this list:
//
//	page       the model: Page, Block, Verdict, Reason
//	text       charset: bytes to UTF-8; langid: languages; token: sentences and words; lm: word n-gram models
//	format     a folder for each format: warc, jsonl, plain, vertical, parquet, markdown, tei
//	input      files, folders and streams to pages; records: collections of clean text
//	pipeline   stages at work: order, limits, checkpoints, reports
//	extract    HTML or text to blocks, with metadata
//	clean      Labeller; method: the table of methods
//	filter     rules of quality, models of non-text
//	dedup      duplicates and near-duplicates, on disk
//	plagiarism sources of documents, passages that two texts share
//	corpus     an index of a vertical; queries and statistics
//	build      a corpus from pages by one recipe
//	crawl      a polite crawler
//	lab        training and evaluation
//	serve      HTTP server, browser, MCP
//
// # Compatibility
//
// File formats keep working: what version 0.2 or a later one wrote is read, or rejected with
// an error that names the way to continue.
//
// From version 1.0 on, the exported names of this package, page, clean, clean/method,
// extract, format, text, filter, dedup, pipeline, build, build/recipe and build/stage keep
// their meaning within a major version. Until then a release may rename them, and its
// changelog says so. Packages whose documentation begins a paragraph with "Unstable" may
// change in any release; so may everything in internal, lab and cmd.
package chaffinch
