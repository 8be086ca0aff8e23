//go:build !unix

package external

import "os/exec"

// ownGroup does nothing here: only the shell itself is ended.
func ownGroup(*exec.Cmd) {}
