package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"chaffinch/dedup"
	"chaffinch/internal/report"
	"chaffinch/pipeline"
)

type dedupIndexCmd struct {
	Info   dedupIndexInfoCmd   `cmd:"" help:"Show the contents and sizes of an index."`
	Forget dedupIndexForgetCmd `cmd:"" help:"Remove documents from an index."`
	Merge  dedupIndexMergeCmd  `cmd:"" help:"Compact an index: one file per table, without removed documents."`
}

type dedupIndexInfoCmd struct {
	Dir  string `arg:"" help:"Folder of the index, written by dedup --index --update."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Run prints the contents and sizes of the index.
func (c *dedupIndexInfoCmd) Run(con *console) error {
	x, err := dedup.OpenIndex(c.Dir)
	if err != nil {
		return err
	}
	info := x.Info()
	if c.JSON {
		e := json.NewEncoder(con.out)
		e.SetIndent("", "  ")
		return e.Encode(info)
	}
	fmt.Fprintf(con.out, "method     %s %s\ndocuments  %s, and %s removed\n", info.Method, info.Config, number(info.Docs), number(info.Forgotten))
	for _, t := range info.Tables {
		fmt.Fprintf(con.out, "table      %s: %s in %s, %s\n", t.Name, count(t.Records, "record"), count(int64(t.Runs), "file"), report.Size(int64(t.Bytes)))
	}
	return nil
}

type dedupIndexForgetCmd struct {
	Dir string `arg:"" help:"The index."`
	IDs string `name:"ids" required:"" placeholder:"FILE" help:"Ids of the documents, one per line; - is standard input. Use merge to free their disk space."`
}

// Run forgets documents.
func (c *dedupIndexForgetCmd) Run(con *console) error {
	x, err := dedup.OpenIndex(c.Dir)
	if err != nil {
		return err
	}
	var in io.Reader = con.in
	if c.IDs != "-" {
		f, err := os.Open(c.IDs)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	docs, unknown, err := x.Forget(in)
	if err != nil {
		return err
	}
	fmt.Fprintf(con.out, "%s: %s removed\n", c.Dir, count(docs, "document"))
	if unknown > 0 {
		return errNo{fmt.Sprintf("%s: %s not in the index", c.Dir, count(unknown, "id"))}
	}
	return nil
}

type dedupIndexMergeCmd struct {
	Dir    string `arg:"" help:"The index."`
	Memory string `placeholder:"SIZE" help:"Memory limit, such as 1GiB. Default: a quarter of the machine's memory, at least 256MiB."`
}

// Run merges.
func (c *dedupIndexMergeCmd) Run() (err error) {
	memory, err := memoryLimit(c.Memory, pipeline.DefaultMemory())
	if err != nil {
		return err
	}
	x, err := dedup.OpenIndex(c.Dir)
	if err != nil {
		return err
	}
	return x.Merge(max(memory, dedup.MinMemory))
}
