package main

import (
	"errors"
	"io"
	"runtime/pprof"
	"runtime/trace"

	"github.com/alecthomas/kong"

	"chaffinch/internal/files"
)

// profileFlags holds hidden flags for developers, documented in lab/results/speed.md.
type profileFlags struct {
	CPUProfile string `name:"cpuprofile" hidden:"" placeholder:"FILE" help:"Write a profile of the processor time to FILE, for go tool pprof."`
	Trace      string `name:"trace" hidden:"" placeholder:"FILE" help:"Write a trace of the run to FILE, for go tool trace."`
}

// runProfiled runs the command and writes the profiles requested by its flags.
func runProfiled(k *kong.Context) error {
	var f profileFlags
	for _, flag := range k.Flags() {
		switch flag.Name {
		case "cpuprofile":
			f.CPUProfile = flag.Target.String()
		case "trace":
			f.Trace = flag.Target.String()
		}
	}
	return watched(f.CPUProfile, pprof.StartCPUProfile, pprof.StopCPUProfile, func() error {
		return watched(f.Trace, trace.Start, trace.Stop, func() error { return k.Run() })
	})
}

// watched runs do between start and stop, which write a profile to the named file, if any.
func watched(name string, start func(io.Writer) error, stop func(), do func() error) error {
	if name == "" {
		return do()
	}
	out, err := files.Create(name)
	if err != nil {
		return err
	}
	defer out.Discard()
	if err := start(out); err != nil {
		return err
	}
	err = do()
	stop()
	return errors.Join(err, out.Commit())
}
