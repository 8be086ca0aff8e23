package main

// plagiarismCmd lists the commands that find text of one collection in another.
type plagiarismCmd struct {
	Index  plagiarismIndexCmd  `cmd:"" help:"Make an index of source documents."`
	Search plagiarismSearchCmd `cmd:"" help:"Find passages of documents in sources, with their places on both sides."`
	Task   plagiarismTaskCmd   `cmd:"" help:"Find which original each plagiarism of a vertical was made from, and score that."`
}
