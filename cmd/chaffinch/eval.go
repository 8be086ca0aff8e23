package main

// evalCmd scores what the other commands do against gold annotations.
type evalCmd struct {
	Clean    evalCleanCmd    `cmd:"" help:"Evaluate the cleaning of pages against gold text."`
	Dedup    evalDedupCmd    `cmd:"" help:"Evaluate deduplication on planted duplicates, next to other programs."`
	Charset  evalCharsetCmd  `cmd:"" help:"Evaluate the detection of encodings on files whose encoding is known."`
	Classify evalClassifyCmd `cmd:"" help:"Evaluate what cleaning does to the classification of pages and texts."`
	IR       evalIRCmd       `cmd:"" name:"ir" help:"Evaluate search: collections with judged topics, and what cleaning does to it."`
	Langid   evalLangidCmd   `cmd:"" help:"Evaluate language identification on texts of known language, next to other programs."`
	Lines    evalLinesCmd    `cmd:"" help:"Evaluate the labelling of lines of plain text, next to other systems."`
	LM       evalLMCmd       `cmd:"" name:"lm" help:"Evaluate cleaning as training data: a small language model of what each method leaves."`
	Metadata evalMetadataCmd `cmd:"" help:"Evaluate titles, authors, dates and licences of pages."`
	Nontext  evalNontextCmd  `cmd:"" help:"Evaluate models of non-text: good text lost, bad text found, by kind."`
	Report   evalReportCmd   `cmd:"" help:"Put saved results of evaluations into one HTML report."`
	Roles    evalRolesCmd    `cmd:"" help:"Evaluate the roles of blocks (title, by-line, body, comment, ...) against gold annotations."`
	Token    evalTokenCmd    `cmd:"" help:"Evaluate tokens and sentences against gold annotations."`

	Plagiarism evalPlagiarismCmd `cmd:"" help:"Evaluate the search for copied passages on known cases, by the measures of PAN."`
}
