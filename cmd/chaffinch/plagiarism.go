package main

// plagiarismCmd lists the commands that find text of one collection in another.
type plagiarismCmd struct {
	Index  plagiarismIndexCmd  `cmd:"" help:"Make an index of source documents."`
	Search plagiarismSearchCmd `cmd:"" help:"Find passages of documents in sources, with their places on both sides."`
	Task   plagiarismTaskCmd   `cmd:"" help:"Find the original of each plagiarism in a vertical, and score the result."`
}
