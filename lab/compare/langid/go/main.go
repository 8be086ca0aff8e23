// Command rivals runs language identifiers written in Go over pieces of text.
//
//	rivals --pieces DIR --out DIR [RIVAL ...]
//	rivals --list
//
// DIR/<by>/<code>.txt contains the pieces, one per line. A line for each is written to
// OUT/<rival>/<by>/<code>.txt, and the name, version, languages and speed to
// OUT/<rival>/system.json, in the format of rivals.py.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
)

func main() {
	pieces := flag.String("pieces", "", "folder with <by>/<code>.txt")
	out := flag.String("out", "", "folder for the answers")
	list := flag.Bool("list", false, "print the names of the rivals")
	flag.Parse()
	if *list {
		fmt.Println(strings.Join(names(), " "))
		return
	}
	if err := run(*pieces, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "rivals:", err)
		os.Exit(2)
	}
}

func run(pieces, out string, wanted []string) error {
	if pieces == "" || out == "" {
		return fmt.Errorf("usage: rivals --pieces DIR --out DIR [RIVAL ...]")
	}
	if len(wanted) == 0 {
		wanted = names()
	}
	for _, name := range wanted {
		i := slices.IndexFunc(rivals, func(r rival) bool { return r.name == name })
		if i < 0 {
			return fmt.Errorf("no rival %q: take of %s", name, strings.Join(names(), " "))
		}
		if err := measure(rivals[i], pieces, out); err != nil {
			return err
		}
	}
	return nil
}

// speed holds the work on the pieces of one cut.
type speed struct {
	Bytes   int64   `json:"bytes"`
	Seconds float64 `json:"cpu_s"`
}

// measure runs a rival over all pieces.
func measure(r rival, pieces, out string) error {
	detect, langs := r.load()
	detect("A first sentence, so that what is loaded late is loaded.")
	out = filepath.Join(out, r.name)
	speeds := map[string]speed{}
	files, err := filepath.Glob(filepath.Join(pieces, "*", "*.txt"))
	if err != nil {
		return err
	}
	for _, file := range files {
		by := filepath.Base(filepath.Dir(file))
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		texts := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
		said := make([]string, len(texts))
		s := speeds[by]
		start := processorTime()
		for i, t := range texts {
			said[i] = detect(t)
			s.Bytes += int64(len(t))
		}
		s.Seconds += processorTime() - start
		speeds[by] = s
		if err := os.MkdirAll(filepath.Join(out, by), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, by, filepath.Base(file)), []byte(strings.Join(said, "\n")+"\n"), 0o666); err != nil {
			return err
		}
	}
	for by, s := range speeds {
		fmt.Printf("%s %s: %.1f MB in %.1f s, %.2f MB/s\n", r.name, by, float64(s.Bytes)/1e6, s.Seconds, float64(s.Bytes)/1e6/s.Seconds)
	}
	system, err := json.MarshalIndent(map[string]any{"name": r.name, "version": version(r.module), "langs": langs, "speed": speeds}, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "system.json"), append(system, '\n'), 0o666)
}

// version returns the version of a module in the program.
func version(module string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == module {
				return strings.TrimPrefix(d.Version, "v")
			}
		}
	}
	return "unknown"
}

// processorTime returns the processor time of this process in seconds.
func processorTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
