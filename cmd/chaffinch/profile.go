package main

import (
	"errors"
	"io"
	"runtime/pprof"
	"runtime/trace"

	"github.com/alecthomas/kong"

	"chaffinch/internal/files"
)

// profileFlags are for developers, who see by them where a run spends its time. No
// help text has them; lab/results/speed.md tells of them.
type profileFlags struct {
	CPUProfile string `name:"cpuprofile" hidden:"" placeholder:"FILE" help:"Write a profile of the processor time to FILE, for go tool pprof."`
	Trace      string `name:"trace" hidden:"" placeholder:"FILE" help:"Write a trace of the run to FILE, for go tool trace."`
}

// runProfiled runs the command and writes the profiles that its flags ask for.
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

// watched runs do and writes what is seen meanwhile to a file, if it has a name.
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
