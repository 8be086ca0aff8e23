package main

// evalCmd scores what the other commands do against gold annotations.
type evalCmd struct {
	Clean    evalCleanCmd    `cmd:"" help:"Score the cleaning of pages against gold text."`
	Dedup    evalDedupCmd    `cmd:"" help:"Score the finding of duplicates on planted ones, beside other programs."`
	Charset  evalCharsetCmd  `cmd:"" help:"Score the reading of files whose encoding is known."`
	Langid   evalLangidCmd   `cmd:"" help:"Score language identification on texts of known language, beside other programs."`
	Lines    evalLinesCmd    `cmd:"" help:"Score the labelling of lines of plain text, beside other systems."`
	Metadata evalMetadataCmd `cmd:"" help:"Score titles, authors, dates and licences of pages."`
	Token    evalTokenCmd    `cmd:"" help:"Score tokens and sentences against gold annotations."`

	Plagiarism evalPlagiarismCmd `cmd:"" help:"Score the search for copied passages against known cases, by the measures of PAN."`
}
