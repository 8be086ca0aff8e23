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
	"chaffinch/internal/files"
)

// cost holds the resources used by a process.
type cost struct {
	cpu, wall time.Duration
	waited    time.Duration // time for which its threads waited for a processor
	peak      int64         // of memory in bytes
	disk      int64         // peak size of written files in bytes
}

// line formats a cost in the units of a benchmark that read size bytes.
func (c cost) line(size int64) string {
	line := fmt.Sprintf("%.1f cpu-ms", ms(c.cpu))
	if size > 0 {
		line += fmt.Sprintf(" %.2f MB/cpu-s", float64(size)/1e6/c.cpu.Seconds())
	}
	line += fmt.Sprintf(" %.1f peak-MB %.1f disk-MB", float64(c.peak)/1e6, float64(c.disk)/1e6)
	if c.waited >= 0 {
		line += fmt.Sprintf(" %.2f cores %.1f free-ms", (c.cpu+c.waited).Seconds()/c.wall.Seconds(), c.free())
	}
	return line
}

// free returns the wall time in ms without waiting for a processor.
func (c cost) free() float64 {
	return ms(c.cpu) * c.wall.Seconds() / (c.cpu + max(c.waited, 0)).Seconds()
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// measureProcess runs a program on the given number of cores and returns its cost. Its output and temporary
// files are written to a new folder. Exit status 1, some inputs could not be read, is not an error
// here.
func (in *inputs) measureProcess(program string, args []string, stdin string, cores int) (cost, error) {
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
	if c.peak == 0 { // no such file: use the resource usage, which may be that of this program
		c.peak = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	}
	return c, nil
}

// watch observes a process until it ends. It returns the time for which its threads waited for a
// processor, -1 if unknown, its peak memory, and the peak size of a folder.
func watch(pid int, folder string, ended <-chan struct{}) (c cost) {
	waits := map[string]time.Duration{} // by thread
	dir := fmt.Sprintf("/proc/%d/task/", pid)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		if n%20 == 0 {
			c.disk = max(c.disk, files.Bytes(folder))
		}
		c.peak = max(c.peak, peak(pid))
		threads, _ := os.ReadDir(dir)
		for _, t := range threads {
			b, _ := os.ReadFile(dir + t.Name() + "/schedstat") // ns of running, ns of waiting, time slices
			if f := strings.Fields(string(b)); len(f) > 1 {
				ns, _ := strconv.ParseInt(f[1], 10, 64)
				waits[t.Name()] = time.Duration(ns)
			}
		}
		select {
		case <-ended:
			c.disk = max(c.disk, files.Bytes(folder))
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

// peak returns the peak memory of a process, 0 if unknown. The resource usage at the end of a
// process includes its parent.
func peak(pid int) int64 {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(b), "VmHWM:")
	kilobytes, _, _ := strings.Cut(rest, "kB")
	n, _ := strconv.ParseInt(strings.TrimSpace(kilobytes), 10, 64)
	return n * 1024
}
