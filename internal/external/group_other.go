//go:build !unix

package external

import "os/exec"

// setProcessGroup does nothing: only the shell itself is killed.
func setProcessGroup(*exec.Cmd) {}
