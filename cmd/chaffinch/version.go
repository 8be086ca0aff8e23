package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"
)

// version is the release; model files and outputs name it.
const version = "0.3.0"

// releaseDate is the day of the release, as pages of the manual show it.
const releaseDate = "2026-12-01"

type versionCmd struct{}

// showVersion is the flag --version of all commands.
type showVersion bool

// BeforeReset prints the version and ends the program.
func (showVersion) BeforeReset(app *kong.Kong, con *console) error {
	if err := (versionCmd{}).Run(con); err != nil {
		return err
	}
	app.Exit(0)
	return nil
}

// Run prints the version and the build information.
func (versionCmd) Run(con *console) error {
	_, err := fmt.Fprintf(con.out, "chaffinch %s %s %s/%s\n", programVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// programVersion is the release, and the revision that the program was built from
// where that is known.
func programVersion() string {
	if bi, ok := debug.ReadBuildInfo(); ok {
		for _, s := range bi.Settings {
			if s.Key == "vcs.revision" {
				return version + " " + s.Value
			}
		}
	}
	return version
}
