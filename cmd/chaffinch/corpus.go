package main

// corpusCmd lists the commands that make and ask indexes of corpora.
type corpusCmd struct {
	Index        corpusIndexCmd        `cmd:"" help:"Make an index from verticals."`
	Info         corpusInfoCmd         `cmd:"" help:"Print what is in an index."`
	Concordance  corpusConcordanceCmd  `cmd:"" aliases:"conc" help:"Print the matches of a query with their context."`
	Words        corpusWordsCmd        `cmd:"" help:"List words, or n-grams of them, with frequencies."`
	Freq         corpusFreqCmd         `cmd:"" help:"Count the matches of a query by attribute and by part of the corpus."`
	Collocations corpusCollocationsCmd `cmd:"" aliases:"colloc" help:"List the collocates of a query."`
	Keywords     corpusKeywordsCmd     `cmd:"" help:"List the keywords of a corpus against a reference corpus."`
	Compare      corpusCompareCmd      `cmd:"" help:"Show what a cleaning step has done to a corpus."`
}
