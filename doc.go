// Package chaffinch turns crawled web pages into clean text corpora.
//
// Here is the facade: [New] makes a [Cleaner] for single pages in memory, by the
// default methods or by a Labeller of your own. Whole inputs, files and folders
// of any size, are for [chaffinch/build/recipe.Make]. Every package can be used by itself;
// data flow down this list:
//
//	page         the model: Page, Block, Verdict, Reason
//	model        model files; model/data holds the embedded ones
//	token        sentences and words
//	format       one folder for each format: warc, jsonl, plain, vertical, parquet, markdown, tei
//	input        files, folders and streams -> pages
//	langid       language of texts, of pages and their blocks; lab/train/langid makes the models
//	charset      bytes -> UTF-8; lab/train/charset makes the models
//	extract      HTML or text -> blocks; extract/metadata: what a page says of itself
//	lm           word n-gram models; lab/train/words makes them
//	gold         pages with what people say should be kept of them
//	clean        Labeller; one folder below it for each method, clean/method the table of them
//	collection   clean text in files: documents and paragraphs, read and written back edited
//	dedup        duplicates and near-duplicates, on disk; one folder below it for each method
//	plagiarism   sources of documents, passages that two texts share
//	pipeline     stages at work: order, limits, checkpoints, reports
//	stage        the table of stages, and the standard way of a page
//	recipe       a corpus from its inputs: formats, resumable runs; recipes as data
//	corpus       an index of a vertical; queries and statistics over it
//	explain      one page and what every method says of it, as one HTML file
//	eval         scores against gold annotations; one folder below it for each task
//	cmd          the command chaffinch
package chaffinch
