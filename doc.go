// Package chaffinch turns crawled web pages into clean text corpora.
//
// Here is the facade: [New] for single pages in memory, [Run] for whole inputs
// with a recipe. Everything behind it can be used by itself; data flow down
// this list:
//
//	page         the model: Page, Block, Verdict, Reason
//	model        model files and the small embedded ones
//	token        sentences and words
//	format       one folder for each format: warc, jsonl, plain, vertical, parquet, markdown, tei
//	input        files, folders, streams -> pages
//	langid       language of texts, pages, blocks
//	charset      bytes -> UTF-8
//	extract      HTML or text -> blocks
//	lm           word n-gram models
//	clean        Labeller; one folder below it for each method
//	collection   clean text in files: documents and paragraphs, read and given back edited
//	dedup        copies and near-duplicates, on disk; one folder below it for each method
//	plagiarism   sources of documents, passages in two texts
//	pipeline     stages at work: order, limits, checkpoints, reports
//	recipe       the tables of methods, stages and formats; recipes as data
//	corpus       an index of a vertical, queries and statistics over it
//	eval         scores against gold text
//	cmd          the command chaffinch
package chaffinch
