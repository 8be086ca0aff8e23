package external

import "golang.org/x/sys/unix"

// limitMemory limits the address space of a process that has started. A process that has ended
// needs no limit.
func limitMemory(pid int, bytes int64) {
	_ = unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}, nil)
}
