// Command rivals runs encoding detectors written in Go on files, like rivals.py for Python.
//
//	rivals --data DIR --out DIR [RIVAL ...]
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	gogs "github.com/gogs/chardet"
	saintfish "github.com/saintfish/chardet"
	wlynxg "github.com/wlynxg/chardet"
	xcharset "golang.org/x/net/html/charset"
)

var rivals = []struct {
	name   string
	detect func([]byte) string
}{
	{"gogs", func(b []byte) string {
		r, err := gogs.NewTextDetector().DetectBest(b)
		if err != nil {
			return ""
		}
		return r.Charset
	}},
	{"saintfish", func(b []byte) string {
		r, err := saintfish.NewTextDetector().DetectBest(b)
		if err != nil {
			return ""
		}
		return r.Charset
	}},
	{"wlynxg", func(b []byte) string { return wlynxg.Detect(b).Encoding }},
	{"x-net", func(b []byte) string {
		_, name, _ := xcharset.DetermineEncoding(b, "")
		return name
	}},
}

func main() {
	data := flag.String("data", "", "the unpacked charset/charset.tar.zst")
	out := flag.String("out", "", "folder for the answers")
	flag.Parse()
	if err := run(*data, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "rivals:", err)
		os.Exit(2)
	}
}

func run(data, out string, wanted []string) error {
	var paths []string
	var raw [][]byte
	err := filepath.WalkDir(data, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(data, p)
		if err != nil || d.IsDir() || !strings.Contains(rel, string(filepath.Separator)) || d.Name() == "index.tsv" {
			return err
		}
		b, err := os.ReadFile(p)
		paths, raw = append(paths, filepath.ToSlash(rel)), append(raw, b)
		return err
	})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	for _, r := range rivals {
		if len(wanted) > 0 && !slices.Contains(wanted, r.name) {
			continue
		}
		answers := make([]string, len(raw))
		start := cpu()
		for i, b := range raw {
			answers[i] = r.detect(b)
		}
		spent := cpu() - start
		f, err := os.Create(filepath.Join(out, r.name+".jsonl"))
		if err != nil {
			return err
		}
		enc := json.NewEncoder(f)
		for i, p := range paths {
			if err := enc.Encode(map[string]string{"path": p, "encoding": answers[i]}); err != nil {
				return err
			}
		}
		if err := f.Close(); err != nil {
			return err
		}
		fmt.Printf("{\"rival\": %q, \"files\": %d, \"cpu_s\": %.2f, \"files_per_cpu_s\": %.0f}\n", r.name, len(raw), spent.Seconds(), float64(len(raw))/spent.Seconds())
	}
	return nil
}

// cpu returns the processor time of the process.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // cannot fail for this process
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
