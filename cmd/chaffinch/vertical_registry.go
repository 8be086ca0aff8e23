package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chaffinch/format/vertical"
)

type verticalRegistryCmd struct {
	verticalFlags
	Vertical string `arg:"" help:"The vertical, plain or compressed."`
	Columns  string `placeholder:"NAME,..." help:"Names of the columns, such as word,lemma,tag. Default: word, column2, ..."`
	Lang     string `short:"l" placeholder:"TAG" help:"Language of the corpus. Default: the language of most tokens, by the documents' attribute lang."`

	Name   string `placeholder:"TEXT" help:"Display name of the corpus. Default: the file name."`
	Info   string `placeholder:"TEXT" help:"Description of the corpus."`
	Path   string `placeholder:"DIR" help:"Folder of Manatee's index. Default: NAME.manatee beside the registry file."`
	Tagset string `placeholder:"URL" help:"Address of the tagset's documentation."`
	Dir    string `placeholder:"DIR" help:"Output folder for NAME (Manatee) and NAME.blf.yaml (BlackLab). Default: the folder of the vertical."`
	Force  bool   `help:"Overwrite files that were not written by this command."`
}

// Run reads the vertical and writes both files.
func (c *verticalRegistryCmd) Run(ctx context.Context, con *console) error {
	if c.Vertical == "-" {
		return errors.New("standard input: wanted a file, which the registry can name")
	}
	var columns []string
	if c.Columns != "" {
		columns = strings.Split(c.Columns, ",")
	}
	v, err := scanVertical(ctx, c.Vertical, c.config(c.Vertical, con), false, c.InputFormat, con)
	if err != nil {
		return err
	}
	if n := v.Repaired(); n > 0 {
		fmt.Fprintf(con.err, "chaffinch: %s: %s: repair the vertical before indexing it: chaffinch vertical repair\n", c.Vertical, v.ReaderReport.String())
	}
	written, err := v.WriteRegistry(c.Vertical, vertical.RegistryConfig{
		Name: c.Name, Path: c.Path, Columns: columns, Lang: c.Lang, Info: c.Info, Tagset: c.Tagset, Dir: c.Dir, Force: c.Force,
	})
	for _, path := range written {
		fmt.Fprintln(con.err, path)
	}
	if errors.Is(err, vertical.ErrNotOurs) {
		return fmt.Errorf("%w (--force, --dir)", err)
	}
	return err
}
