package main

// detectCmd tells what foreign bytes and text are.
type detectCmd struct {
	Charset detectCharsetCmd `cmd:"" help:"Tell the character set of files."`
	Lang    detectLangCmd    `cmd:"" help:"Tell the language of pages, blocks or lines."`
}
