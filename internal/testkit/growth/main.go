//go:build linux

// Command growth measures the cost of a page. It cleans unusual pages of a size and of twice that
// size, each in a separate process, and prints the processor time in seconds, its growth, and the
// peak memory.
//
//	go run ./internal/testkit/growth --program ./chaffinch --size 2097152
//	go run ./internal/testkit/growth --program ./chaffinch --size 8388608 --only CR -- --method lines
//
// The arguments after -- are passed to the program's clean. The exit status is 1 if the growth,
// time or memory of a page exceeds the limits in the flags.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"chaffinch/internal/testkit/oddpages"
)

func main() {
	program := flag.String("program", "chaffinch", "the program that cleans")
	size := flag.Int("size", 1<<20, "bytes of the smaller page")
	only := flag.String("only", "", "part of the names of the generators to run")
	seconds := flag.Float64("seconds", 2, "most processor time of a page")
	growth := flag.Float64("growth", 2.3, "most growth of the time from one size to twice that")
	memory := flag.Int64("memory", 300<<20, "most memory of a run, in bytes")
	flag.Parse()
	dir, err := os.MkdirTemp("", "growth-")
	if err == nil {
		defer os.RemoveAll(dir)
		m := measurer{dir, *program, flag.Args()}
		err = m.all(*only, *size, limits{*seconds, *growth, *memory})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.RemoveAll(dir)
		os.Exit(1)
	}
}

type limits struct {
	seconds, growth float64
	memory          int64
}

// cost holds the resources used by a run.
type cost struct {
	seconds float64
	memory  int64
	fault   string
}

type measurer struct {
	dir, program string
	args         []string
}

// least is the time in seconds below which growth is noise.
const least = 0.15

// all measures the generators and prints a line for each.
func (m measurer) all(only string, size int, most limits) error {
	base, err := m.clean("empty.html", []byte("<p>It was a dark night."))
	if err != nil {
		return err
	}
	fmt.Printf("%-28s %9s %9s %7s %9s\n", "page", "seconds", "twice", "growth", "MB")
	bad := 0
	for _, g := range oddpages.All() {
		if !strings.Contains(g.Name, only) {
			continue
		}
		var costs [2]cost
		for i := range costs {
			c, err := m.clean("page"+g.Ext(), g.Write(size<<i))
			if err != nil {
				return err
			}
			c.seconds = max(c.seconds-base.seconds, 0)
			costs[i] = c
		}
		grown := costs[1].seconds / max(costs[0].seconds, least)
		note := cmp.Or(costs[0].fault, costs[1].fault)
		if grown > most.growth {
			note += " grows"
		}
		if costs[1].seconds > most.seconds {
			note += " slow"
		}
		if costs[1].memory > most.memory {
			note += " large"
		}
		if note != "" {
			bad++
		}
		fmt.Printf("%-28s %9.2f %9.2f %7.1f %9.0f  %s\n", g.Name, costs[0].seconds, costs[1].seconds, grown, float64(costs[1].memory)/1e6, strings.TrimSpace(note))
	}
	if bad > 0 {
		return fmt.Errorf("%d kinds of pages are beyond the limits", bad)
	}
	return nil
}

// runTime is the maximum time of a run.
const runTime = 2 * time.Minute

// clean runs the program over one page.
func (m measurer) clean(name string, page []byte) (cost, error) {
	file := filepath.Join(m.dir, name)
	if err := os.WriteFile(file, page, 0o666); err != nil {
		return cost{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), runTime)
	defer cancel()
	args := append([]string{"clean", file, "--force", "-o", filepath.Join(m.dir, "out.jsonl")}, m.args...)
	cmd := exec.CommandContext(ctx, m.program, args...)
	said, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return cost{}, err
	}
	use := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	c := cost{
		seconds: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
		memory:  use.Maxrss << 10,
	}
	for _, word := range []string{"panic", "too-slow"} {
		if strings.Contains(string(said), word) {
			c.fault += " " + word
		}
	}
	if err != nil && c.fault == "" && exit.ExitCode() != 1 { // 1: the page is not text
		c.fault = fmt.Sprintf("%v", err)
	}
	return c, nil
}
