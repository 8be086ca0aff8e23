//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"chaffinch/internal/disk"
)

// cost is what a process took.
type cost struct {
	cpu, wall time.Duration
	waited    time.Duration // by its threads, for a processor
	peak      int64         // bytes of memory
	disk      int64         // most bytes written that were there at a time
}

// line tells a cost in the units of a benchmark that read size bytes.
func (c cost) line(size int64) string {
	line := fmt.Sprintf("%.1f cpu-ms", ms(c.cpu))
	if size > 0 {
		line += fmt.Sprintf(" %.2f MB/cpu-s", float64(size)/1e6/c.cpu.Seconds())
	}
	line += fmt.Sprintf(" %.1f peak-MB %.1f disk-MB", float64(c.peak)/1e6, float64(c.disk)/1e6)
	if c.waited >= 0 {
		cores := (c.cpu + c.waited).Seconds() / c.wall.Seconds()
		line += fmt.Sprintf(" %.2f cores %.1f free-ms", cores, ms(c.cpu)/cores)
	}
	return line
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// spend runs a program on so many cores, and returns what it cost. What it writes,
// temporary files too, goes to a folder that is made for it. Exit code 1 says that some input
// could not be read, which is no error here.
func (in *inputs) spend(program string, args []string, stdin string, cores int) (cost, error) {
	out := in.path("out")
	if err := errors.Join(disk.RemoveAll(out), disk.MkdirAll(out)); err != nil {
		return cost{}, err
	}
	defer disk.RemoveAll(out)
	fill := strings.NewReplacer("{j}", strconv.Itoa(cores), "{out}", filepath.Join(out, "result"))
	cmd := exec.Command(program)
	for _, a := range args {
		cmd.Args = append(cmd.Args, fill.Replace(a))
	}
	cmd.Env = append(os.Environ(), fmt.Sprint("GOMAXPROCS=", cores), "TMPDIR="+out)
	if stdin != "" {
		f, err := os.Open(in.path(stdin))
		if err != nil {
			return cost{}, err
		}
		defer f.Close()
		cmd.Stdin = f
	}
	var msg bytes.Buffer
	cmd.Stderr = &msg
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return cost{}, err
	}
	seen, ended := make(chan cost), make(chan struct{})
	go func() { seen <- watch(cmd.Process.Pid, out, ended) }()
	err := cmd.Wait()
	wall := time.Since(began)
	close(ended)
	c := <-seen
	c.wall = wall
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return c, fmt.Errorf("%s: %w: %s", cmd, err, bytes.TrimSpace(msg.Bytes()))
	}
	c.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if c.peak == 0 { // no such file: ask for what may be the memory of this program
		c.peak = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	}
	return c, nil
}

// watch follows a process until it ends, and returns how long its threads waited for a
// processor, -1 where the system does not tell, the most memory that it had, and the most
// bytes that a folder held.
func watch(pid int, folder string, ended <-chan struct{}) (c cost) {
	waits := map[string]time.Duration{} // by thread
	dir := fmt.Sprintf("/proc/%d/task/", pid)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		if n%20 == 0 {
			c.disk = max(c.disk, sizeOf(folder))
		}
		c.peak = max(c.peak, peak(pid))
		threads, _ := os.ReadDir(dir)
		for _, t := range threads {
			b, _ := os.ReadFile(dir + t.Name() + "/schedstat") // ns of running, ns of waiting, turns
			if f := strings.Fields(string(b)); len(f) > 1 {
				ns, _ := strconv.ParseInt(f[1], 10, 64)
				waits[t.Name()] = time.Duration(ns)
			}
		}
		select {
		case <-ended:
			c.disk = max(c.disk, sizeOf(folder))
			if len(waits) == 0 {
				c.waited = -1
			}
			for _, w := range waits {
				c.waited += w
			}
			return c
		case <-tick.C:
		}
	}
}

// peak returns the most memory that a process has had, 0 where the system does not
// tell. What it tells at the end of a process counts that of its parent as well.
func peak(pid int) int64 {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(b), "VmHWM:")
	kilobytes, _, _ := strings.Cut(rest, "kB")
	n, _ := strconv.ParseInt(strings.TrimSpace(kilobytes), 10, 64)
	return n * 1024
}
