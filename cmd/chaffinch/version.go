package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is the release; model files and outputs name it.
const version = "0.1.0"

type versionCmd struct{}

// Run prints the version and what the program was built from.
func (versionCmd) Run(con *console) error {
	rev := ""
	if bi, ok := debug.ReadBuildInfo(); ok {
		for _, s := range bi.Settings {
			if s.Key == "vcs.revision" {
				rev = " " + s.Value
			}
		}
	}
	_, err := fmt.Fprintf(con.out, "chaffinch %s%s %s %s/%s\n", version, rev, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
