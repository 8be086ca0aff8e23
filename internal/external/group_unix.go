//go:build unix

package external

import (
	"os/exec"
	"syscall"
)

// setProcessGroup runs the command in a process group, so that its child processes are killed with it.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
