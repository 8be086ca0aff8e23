package main

// detectCmd tells what foreign bytes and text are.
type detectCmd struct {
	Charset detectCharsetCmd `cmd:"" help:"Tell the character set of files."`
}
