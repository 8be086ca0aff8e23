package main

import (
	"context"
	"fmt"
	"io"

	"chaffinch/internal/forecast"
	"chaffinch/internal/report"
	"chaffinch/internal/table"
)

// planFlag is the flag of commands that predict their cost.
type planFlag struct {
	Plan bool `help:"Run on a sample of the input in a temporary folder, and print an estimate of time, output, work files and memory."`
}

// estimate prints the predicted cost of a command.
func estimate(ctx context.Context, con *console, name string, cfg forecast.Config) error {
	f, err := forecast.Run(ctx, cfg)
	if err != nil {
		return err
	}
	t := table.New("step", ">time", ">output", ">work files")
	t.Add(name, lasting(f.Seconds), report.Size(f.Output), report.Size(f.Disk-f.Output))
	if err := t.Write(con.out, ""); err != nil {
		return err
	}
	_, err = fmt.Fprintf(con.out, "\nestimated from a sample of %s of %s in %s\ntime: about %s; largest size of output and work files: about %s; memory: about %s\n",
		report.Size(f.Read), report.Size(f.Input), count(int64(f.Files), "file"), lasting(f.Seconds), report.Size(f.Disk), report.Size(f.Memory))
	return err
}

// silent returns a console for a run on a sample.
func silent() *console { return &console{in: nil, out: io.Discard, err: io.Discard} }
