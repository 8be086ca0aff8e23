package budget

import (
	"os"
	"path"
	"strconv"
	"strings"
)

// Machine returns the memory in bytes that the program may use: the memory of the machine or the
// limit of its control groups, as in a container. It is 0 if neither is known.
func Machine() int64 { return machine(os.ReadFile) }

func machine(read func(name string) ([]byte, error)) int64 {
	least := int64(0)
	take := func(n int64) {
		if n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	info, _ := read("/proc/meminfo")
	for line := range strings.Lines(string(info)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" {
			kb, _ := strconv.ParseInt(f[1], 10, 64)
			take(kb << 10)
		}
	}
	groups, _ := read("/proc/self/cgroup")
	for line := range strings.Lines(string(groups)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, controllers, path
		if len(f) < 3 {
			continue
		}
		root, file := "/sys/fs/cgroup", "memory.max"
		if f[1] == "memory" { // version 1
			root, file = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
		} else if f[1] != "" {
			continue
		}
		// A limit applies to all groups below it. In a container the path may lead outside the
		// mount; its root is then the group.
		for dir := path.Clean("/" + f[2]); ; dir = path.Dir(dir) {
			b, _ := read(path.Join(root, dir, file))
			n, _ := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64) // "max" is no limit
			take(n)
			if dir == "/" {
				break
			}
		}
	}
	return least
}
