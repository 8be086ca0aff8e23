package main

// annotateCmd lists the commands for labelling by hand.
type annotateCmd struct {
	Lines     annotateLinesCmd     `cmd:"" help:"Label the lines of documents as text or boilerplate in the terminal."`
	Agreement annotateAgreementCmd `cmd:"" help:"Measure how well two people agree who labelled the same documents."`
}
