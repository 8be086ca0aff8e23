package testkit

import (
	"bytes"
	"fmt"
	"os"
)

// ResidentMemory returns the resident memory of a process in bytes and its maximum so far; 0 if they are
// unknown. The usage that wait returns would include the memory of the parent between fork and exec.
func ResidentMemory(pid int) (now, peak int64) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	value := func(name string) (kb int64) {
		_, rest, _ := bytes.Cut(status, []byte(name))
		fmt.Sscan(string(rest), &kb) // stays 0 without the field
		return kb << 10
	}
	return value("VmRSS:"), value("VmHWM:")
}
