package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"chaffinch/corpus"
	"chaffinch/corpus/export"
	"chaffinch/format/vertical"
)

type corpusExportCmd struct {
	Index  string `arg:"" help:"Folder of an index."`
	Format string `short:"f" default:"vertical" enum:"${exportFormats}" placeholder:"NAME" help:"Format: ${exportNames}. Default: ${default}."`
	Out    string `short:"o" required:"" placeholder:"DIR" help:"Output folder."`
	Name   string `placeholder:"NAME" help:"Name of the corpus and of its files. Default: the name of the folder without suffix, or of the build that the index belongs to."`
	Force  bool   `help:"Overwrite registry and format files that were not written by this program."`
	Quiet  bool   `short:"q" help:"Do not print the names of the files."`
}

// exportFormats is the variable with the names of the formats.
func exportFormats() string { return strings.Join(export.Formats, ",") }

// Help is the long text of --help.
func (corpusExportCmd) Help() string {
	return `Writes an index as the input of other programs, and prints the commands that index it there.

  vertical   NAME.vert
  manatee    NAME.vert, the registry file, and a mapping file for each aligned corpus
  blacklab   NAME.vert and NAME.blf.yaml
  cwb        NAME.vrt, registry/NAME, and a file for cwb-align-encode for each aligned corpus
  tei        NAME.xml: words with lemma, part of speech and features
  conllu     NAME.conllu

Examples:
  chaffinch corpus export en.idx -f cwb -o cwb
  chaffinch corpus export en.idx -f manatee -o manatee`
}

// Run writes the files.
func (c *corpusExportCmd) Run(ctx context.Context, con *console) error {
	x, err := openIndex(c.Index)
	if err != nil {
		return err
	}
	defer x.Close()
	if c.Name == "" {
		if c.Name, err = corpusName(c.Index); err != nil {
			return err
		}
		c.Name = strings.TrimSuffix(c.Name, filepath.Ext(c.Name))
	}
	rep, err := export.Write(ctx, x, export.Config{Format: c.Format, Dir: c.Out, Name: c.Name, Force: c.Force})
	if bad := (*corpus.ConfigError)(nil); errors.As(err, &bad) && bad.Field == "Dir" {
		return fmt.Errorf("--out %w", err)
	}
	if errors.Is(err, vertical.ErrNotOurs) {
		return fmt.Errorf("%w (--force, --out)", err)
	}
	if err != nil {
		return err
	}
	if !c.Quiet {
		for _, f := range rep.Files {
			fmt.Fprintln(con.err, f)
		}
	}
	for _, cmd := range rep.Commands {
		fmt.Fprintln(con.out, cmd)
	}
	return nil
}
