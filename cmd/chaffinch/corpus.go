package main

// corpusCmd lists the commands that make and ask indexes of corpora.
type corpusCmd struct {
	Index       corpusIndexCmd       `cmd:"" help:"Make an index from verticals."`
	Info        corpusInfoCmd        `cmd:"" help:"Print what is in an index."`
	Concordance corpusConcordanceCmd `cmd:"" aliases:"conc" help:"Print the matches of a query with their context."`
}
