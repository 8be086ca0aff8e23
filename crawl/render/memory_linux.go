package render

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// groupMemory returns the memory in bytes of the processes of a group: their proportional set sizes,
// or anonymous and shared pages of processes whose sizes the system does not show.
func groupMemory(group int) (n int64) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		stat, err := os.ReadFile(dir + "/stat")
		if err != nil || processGroup(stat) != group {
			continue
		}
		if b, err := os.ReadFile(dir + "/smaps_rollup"); err == nil {
			n += kilobytes(b, "\nPss:")
			continue
		}
		if b, err := os.ReadFile(dir + "/status"); err == nil {
			n += kilobytes(b, "\nRssAnon:") + kilobytes(b, "\nRssShmem:")
		}
	}
	return n
}

// processGroup returns the group of a process in a file stat: the third field after the name, which
// may contain spaces.
func processGroup(stat []byte) int {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 3 {
		return 0
	}
	n, _ := strconv.Atoi(string(fields[2]))
	return n
}

// kilobytes returns the value of a field in kB, in bytes.
func kilobytes(b []byte, name string) int64 {
	_, rest, _ := bytes.Cut(b, []byte(name))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	fields := bytes.Fields(line)
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.ParseInt(string(fields[0]), 10, 64)
	return n << 10
}
