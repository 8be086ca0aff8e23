package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"chaffinch/lab/annotate"
	"chaffinch/lab/gold"
)

type annotateRolesCmd struct {
	Dir    string `arg:"" help:"Folder of the sheets (DIR/sheets) and labels (DIR/labels)."`
	Out    string `short:"o" required:"" placeholder:"FILE" help:"Table of roles to write (lab/eval/roles/README.md): page, hash, byte spans and roles; no text of the pages."`
	Labels string `default:"labels" placeholder:"NAME" help:"Folder in DIR with the labels, such as the labels of a second reading. Default: ${default}."`
}

// Help is the long text of --help.
func (annotateRolesCmd) Help() string {
	return `Reads labels of the sheets of "chaffinch annotate sheet", and writes the table of roles that "chaffinch eval roles" and
"chaffinch train blocks" read. Every block must have one role: errors are reported with file and line, and nothing is
written. Sheets without labels are skipped and counted.

Examples:
  chaffinch annotate roles work -o roles.tsv
  chaffinch annotate roles work --labels second -o second.tsv`
}

// Run writes the table.
func (c *annotateRolesCmd) Run(_ context.Context, con *console) error {
	pages, unread, err := annotate.ReadRoleLabels(c.Dir, c.Labels)
	if err != nil {
		return err
	}
	if err := writeFile(c.Out, func(w io.Writer) error { return gold.WriteRolePages(w, pages) }); err != nil {
		return err
	}
	fmt.Fprintf(con.err, "%s in %s", count(int64(len(pages)), "page"), c.Out)
	if n := len(unread); n > 0 {
		fmt.Fprintf(con.err, "; %s in %s without labels, first %s", count(int64(n), "sheet"), filepath.Join(c.Dir, annotate.SheetFolder), unread[0])
	}
	fmt.Fprintln(con.err)
	return nil
}
