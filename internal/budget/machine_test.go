package budget

import (
	"io/fs"
	"testing"
)

func TestMachine(t *testing.T) {
	const info = "MemTotal:        8000 kB\nMemFree:  10 kB\n"
	for _, c := range []struct {
		about string
		files map[string]string
		want  int64
	}{
		{"nothing known", nil, 0},
		{"no control groups", map[string]string{"/proc/meminfo": info}, 8000 << 10},
		{"version 2", map[string]string{
			"/proc/meminfo": info, "/proc/self/cgroup": "0::/a/b\n",
			"/sys/fs/cgroup/a/b/memory.max": "max\n", "/sys/fs/cgroup/a/memory.max": "4096\n",
		}, 4096},
		{"version 2 in a container", map[string]string{
			"/proc/meminfo": info, "/proc/self/cgroup": "0::/../../x\n", "/sys/fs/cgroup/memory.max": "5000\n",
		}, 5000},
		{"version 1", map[string]string{
			"/proc/meminfo": info, "/proc/self/cgroup": "5:cpu,cpuacct:/\n4:memory:/job\n0::/\n",
			"/sys/fs/cgroup/memory/job/memory.limit_in_bytes": "6000\n", "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, 6000},
		{"a limit above the machine", map[string]string{
			"/proc/meminfo": info, "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "99999999999\n",
		}, 8000 << 10},
	} {
		got := machine(func(name string) ([]byte, error) {
			if s, ok := c.files[name]; ok {
				return []byte(s), nil
			}
			return nil, fs.ErrNotExist
		})
		if got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.about, got, c.want)
		}
	}
}
