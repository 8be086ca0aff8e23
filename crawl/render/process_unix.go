//go:build unix

package render

import (
	"os"
	"os/exec"
	"syscall"
)

// checkUser returns an error if the user must not start a browser with these settings.
func checkUser(cfg Config) error {
	if os.Geteuid() == 0 && !cfg.NoSandbox {
		return ErrRoot
	}
	return nil
}

// prepare makes the browser the leader of a process group.
func prepare(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends all processes of the group of cmd.
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
