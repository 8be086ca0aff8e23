//go:build !unix

package render

import (
	"errors"
	"os/exec"
)

// checkUser returns an error: Go passes no pipes to programs on this system.
func checkUser(Config) error {
	return errors.New("pages cannot be rendered on this system: wanted Linux or another Unix")
}

func prepare(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
