package files

import "syscall"

// unpolled is a flag to open regular files. It spares the system calls by which package os prepares
// a file for polling, which regular files do not support. It has no effect on reading.
const unpolled = syscall.O_NONBLOCK
