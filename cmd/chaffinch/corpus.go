package main

// corpusCmd lists the commands that make and ask indexes of corpora.
type corpusCmd struct {
	Index        corpusIndexCmd        `cmd:"" help:"Build an index from verticals."`
	Info         corpusInfoCmd         `cmd:"" help:"Print the attributes, structures and sizes of an index."`
	Concordance  corpusConcordanceCmd  `cmd:"" aliases:"conc" help:"Print the hits of a query in context."`
	Words        corpusWordsCmd        `cmd:"" help:"List words or n-grams with their frequencies."`
	Freq         corpusFreqCmd         `cmd:"" help:"Count the hits of a query by attribute or by part of the corpus."`
	Collocations corpusCollocationsCmd `cmd:"" aliases:"colloc" help:"List the collocates of a query."`
	Sketches     corpusSketchesCmd     `cmd:"" help:"Compute the word sketches of a corpus."`
	Sketch       corpusSketchCmd       `cmd:"" help:"Print the word sketch of a word: its collocates by grammatical relation."`
	Sketchdiff   corpusSketchdiffCmd   `cmd:"" help:"Compare the word sketches of two words."`
	Thesaurus    corpusThesaurusCmd    `cmd:"" help:"List the words that share most contexts with a word."`
	Profile      corpusProfileCmd      `cmd:"" help:"Print a profile of a word: frequencies, sketch, collocations, thesaurus and examples."`
	Keywords     corpusKeywordsCmd     `cmd:"" help:"List the keywords of a corpus against a reference corpus."`
	Terms        corpusTermsCmd        `cmd:"" help:"List the terms of a corpus: typical nouns and noun phrases."`
	Align        corpusAlignCmd        `cmd:"" help:"Align the segments of two corpora that are translations."`
	Translations corpusTranslationsCmd `cmd:"" help:"List the translation candidates of a query in an aligned corpus."`
	Trends       corpusTrendsCmd       `cmd:"" help:"List words whose frequency rises or falls over time."`
	Compare      corpusCompareCmd      `cmd:"" help:"Compare a corpus before and after a cleaning step."`
	Forget       corpusForgetCmd       `cmd:"" help:"Remove the documents of a page or a site from an index."`
	Export       corpusExportCmd       `cmd:"" help:"Write an index for Manatee, BlackLab or CWB, or as TEI or CoNLL-U."`
}
