package main

// plagiarismCmd lists the commands that find text of one collection in another.
type plagiarismCmd struct {
	Index  plagiarismIndexCmd  `cmd:"" help:"Build an index of source documents."`
	Search plagiarismSearchCmd `cmd:"" help:"Find reused passages, with their positions in both documents."`
	Task   plagiarismTaskCmd   `cmd:"" help:"Find the source of each plagiarized document in a vertical, and score the result."`
}
