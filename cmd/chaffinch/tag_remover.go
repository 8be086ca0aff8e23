package main

import "context"

type tagRemoverCmd struct {
	Input []string `arg:"" optional:"" help:"Files and folders of pages, as for clean; - or nothing is standard input."`

	OutputDir string `short:"o" placeholder:"DIR" help:"Folder that gets one text file per page. Default: standard output."`
	pageFormatFlag
	Hidden   string `default:"drop" enum:"drop,keep" help:"Blocks hidden by the page's styles: drop or keep. Default: drop."`
	NWorkers int    `short:"j" placeholder:"N" help:"Pages processed in parallel. Default: one per processor."`
	Quiet    bool   `short:"q" help:"No progress, no summary; errors are still shown."`
}

// Help is the long text of --help.
func (tagRemoverCmd) Help() string {
	return `Writes all text of pages, one block per line: clean with --method keep.

Unlike the PyPlexity command of this name it separates blocks, decodes entities, and keeps letters beyond ASCII and text after scripts.`
}

// Run writes the text of the pages.
func (c *tagRemoverCmd) Run(ctx context.Context, con *console) error {
	do := cleanCmd{Input: c.Input, pageFormatFlag: c.pageFormatFlag, Out: folder(c.OutputDir), Method: "keep", TextField: "text", Hidden: c.Hidden, Jobs: c.NWorkers, Quiet: c.Quiet, Force: true}
	return do.Run(ctx, con)
}

// folder returns a path marked as a folder.
func folder(path string) string {
	if path == "" {
		return ""
	}
	return path + "/"
}
