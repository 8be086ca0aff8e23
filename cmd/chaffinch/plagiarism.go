package main

// plagiarismCmd lists the commands that find text of one collection in another.
type plagiarismCmd struct {
	Task plagiarismTaskCmd `cmd:"" help:"Find which original each plagiarism of a vertical was made from, and score that."`
}
