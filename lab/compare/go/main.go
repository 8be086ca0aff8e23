// Command rivals runs extractors written in Go over the pages of a data set.
//
//	rivals --set DIR --out DIR [RIVAL ...]
//	rivals --list
//
// DIR/html/<id>.html are the pages. For each rival the text of every page is written to
// OUT/<rival>/<id>.txt (an empty file if the rival finds none, fails, or takes longer than 30 s). A
// line of figures is written to standard output and to OUT/<rival>.json: pages per second of wall
// and of processor time, including reading and writing, without the first page.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	set := flag.String("set", "", "folder with html/<id>.html")
	out := flag.String("out", "", "folder for the texts")
	list := flag.Bool("list", false, "print the names of the rivals")
	flag.Parse()
	if *list {
		fmt.Println(strings.Join(names(), " "))
		return
	}
	if err := run(*set, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "rivals:", err)
		os.Exit(2)
	}
}

func run(set, out string, wanted []string) error {
	if set == "" || out == "" {
		return fmt.Errorf("usage: rivals --set DIR --out DIR [RIVAL ...]")
	}
	if len(wanted) == 0 {
		wanted = names()
	}
	for _, name := range wanted {
		i := slices.IndexFunc(rivals, func(r rival) bool { return r.name == name })
		if i < 0 {
			return fmt.Errorf("no rival %q: take of %s", name, strings.Join(names(), " "))
		}
		if err := measure(rivals[i], set, out); err != nil {
			return err
		}
	}
	return nil
}

// measure runs a rival over the set and prints its figures.
func measure(r rival, set, out string) error {
	pages, err := filepath.Glob(filepath.Join(set, "html", "*"))
	if err != nil {
		return err
	}
	if len(pages) == 0 {
		return fmt.Errorf("%s: no html/<id>.html in it", set)
	}
	folder := filepath.Join(out, r.name)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	first := "<html><body><p>" + strings.Repeat("A first page, so that what is loaded late is loaded. ", 8) + "</p></body></html>"
	if _, err := r.extract([]byte(first)); err != nil {
		return fmt.Errorf("%s: a plain page fails: %w", r.name, err)
	}

	wall, cpu := time.Now(), processorTime()
	done, err := watched(r.extract, pages, folder)
	if err != nil {
		return err
	}
	w, c, n := time.Since(wall).Seconds(), processorTime()-cpu, float64(len(pages))
	figures := fmt.Sprintf(`{"rival": %q, "version": %q, "set": %q, "pages": %d, "failed": %d, "bytes": %d, "wall_s": %.2f, "cpu_s": %.2f, "pages_per_s": %.1f, "pages_per_cpu_s": %.1f}`+"\n",
		r.name, version(r.module), filepath.Base(set), len(pages), done.failed, done.bytes, w, c, n/w, n/c)
	fmt.Print(figures)
	return os.WriteFile(filepath.Join(out, r.name+".json"), []byte(figures), 0o666)
}

// version returns the version of a module in the program.
func version(module string) string {
	info, ok := debug.ReadBuildInfo()
	if ok {
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
