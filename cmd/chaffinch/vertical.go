package main

import (
	"fmt"

	"chaffinch/format/vertical"
	"chaffinch/page"
)

// verticalCmd holds the commands on verticals.
type verticalCmd struct {
	Check    verticalCheckCmd    `cmd:"" help:"Print the structure and the errors of a vertical; exit code 1 if it has errors."`
	Repair   verticalRepairCmd   `cmd:"" help:"Write a vertical with its errors repaired."`
	Tokenize verticalTokenizeCmd `cmd:"" help:"Tokenize a prevertical to a vertical."`
	Tag      verticalTagCmd      `cmd:"" help:"Add columns, such as lemma and part of speech, by built-in taggers or an external one."`
	Conllu   verticalConlluCmd   `cmd:"" help:"Convert CoNLL-U to a vertical."`
	Parallel verticalParallelCmd `cmd:"" help:"Convert a parallel text (TMX, or aligned lines) to one vertical per language."`
	Text     verticalTextCmd     `cmd:"" help:"Convert a vertical to text."`
	Registry verticalRegistryCmd `cmd:"" help:"Write configuration files for Manatee (NoSketch Engine) and BlackLab."`
}

// verticalFlags holds the flags of commands that read a vertical.
type verticalFlags struct {
	verticalFormatFlag
	Strict       bool     `help:"Stop at the first error instead of repairing and counting it."`
	Doc          string   `placeholder:"NAME" default:"doc" help:"Structure of the documents. Default: ${default}."`
	MaxLineBytes byteSize `was:"max-line" placeholder:"SIZE" help:"Longest line, such as 64MiB. Default: 16MiB."`
}

// shownOfAKind is the number of repairs of each kind that are shown.
const shownOfAKind = 3

// config returns the configuration of a reader that shows the first repairs of
// each kind.
func (f *verticalFlags) config(name string, con *console) vertical.ReaderConfig {
	shown := map[vertical.Repair]int{}
	return vertical.ReaderConfig{Name: name, Strict: f.Strict, Doc: f.Doc, MaxLine: int(f.MaxLineBytes), OnRepair: func(k vertical.Repair, e *page.Error) {
		if shown[k]++; shown[k] <= shownOfAKind {
			fmt.Fprintf(con.err, "chaffinch: %v\n", e)
		} else if shown[k] == shownOfAKind+1 {
			fmt.Fprintf(con.err, "chaffinch: %s: further errors of this kind are only counted: %v\n", name, k)
		}
	}}
}

// printRepairs prints the repairs in a file.
func printRepairs(name string, rep vertical.ReaderReport, con *console) {
	if n := rep.Repaired(); n > 0 {
		fmt.Fprintf(con.err, "chaffinch: %s: repaired: %s\n", name, rep.String())
	}
}
