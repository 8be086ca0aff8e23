//go:build linux

// Command peak measures the peak memory of each command for inputs far larger than its limit: a
// line of 1 GiB (plain, in JSON, in a zip archive, in a vertical), pages of 66 MB, and for crawl
// 200 servers with endless bodies.
//
//	go run ./internal/testkit/peak -programs ./before,./after
//	go run ./internal/testkit/peak -programs ./chaffinch -only dedup -size 268435456
//
// Commands run one after another. The program prints a table with one row for each command and
// program, in MB of resident memory. A number in parentheses is the exit status of a run if it is
// neither 0 nor 1. "killed" means that the run needed more than -most of address space or took
// longer than -time.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"chaffinch/internal/testkit/large"
)

func main() {
	programs := flag.String("programs", "chaffinch", "the programs to measure, with commas between")
	only := flag.String("only", "", "part of the names of the commands to run")
	size := flag.Int64("size", 1<<30, "bytes of a line")
	page := flag.Int64("page", 66_000_000, "bytes of a page")
	most := flag.Int64("most", 6<<30, "address space of a run, in bytes")
	limit := flag.Duration("time", 5*time.Minute, "time of a run")
	dir := flag.String("dir", "", "keep inputs in this folder")
	flag.Parse()
	m := measurer{programs: strings.Split(*programs, ","), most: *most, limit: *limit, size: *size, page: *page}
	if err := m.all(*dir, *only); err != nil {
		fmt.Fprintln(os.Stderr, "peak:", err)
		os.Exit(1)
	}
}

// columns lists the kinds of input and their files.
var columns = []struct {
	name  string
	files []string
}{
	{"line", []string{"line.txt"}},
	{"JSON line", []string{"line.jsonl"}},
	{"in zip", []string{"line.zip"}},
	{"in vertical", []string{"line.vert"}},
	{"vertical document", []string{"doc.vert"}},
	{"8 pages", []string{"pages/1/page.html", "pages/2/page.html", "pages/3/page.html", "pages/4/page.html", "pages/5/page.html", "pages/6/page.html", "pages/7/page.html", "pages/8/page.html"}},
	{"WARC record", []string{"page.warc"}},
}

// The letters of a command select its columns.
const (
	text     = "lzj"   // lines, zip archives, JSON
	verts    = "vd"    // verticals
	pages    = "pw"    // HTML, WARC
	anything = "lzjpw" // all inputs of clean
)

// letters holds the letter of each column.
const letters = "ljzvdpw"

// commands lists the measured commands. IN is the input, OUT a file or folder that does not exist,
// SMALL a text file of a few lines; < passes IN on standard input.
var commands = []struct{ args, takes string }{
	{"clean IN -q -f jsonl -o OUT", anything},
	{"explain IN -o OUT", anything},
	{"convert IN -q -f jsonl -o OUT", text + verts},
	{"filter IN -q --rules gopher_quality,gopher_repetition -o OUT", text + verts},
	{"filter sites IN -q --rules gopher_quality -o OUT", text + verts},
	{"dedup IN -q -m exact --memory 64MiB -o OUT", text + verts},
	{"dedup IN -q -m onion --memory 64MiB -o OUT", text + verts},
	{"dedup IN -q -m minhash --memory 64MiB -o OUT", text + verts},
	{"dedup IN -q -m decontaminate --against SMALL --memory 64MiB -o OUT", text + verts},
	{"dedup SMALL -q -m decontaminate --against IN --memory 64MiB -o OUT", text + verts},
	{"plagiarism index IN -q --memory 128MiB -o OUT", text + verts},
	{"plagiarism search IN -q --sources SMALL --memory 128MiB", text + verts},
	{"plagiarism search SMALL -q --sources IN --memory 128MiB", text + verts},
	{"detect charset IN", text + pages},
	{"detect lang IN", anything},
	{"detect lang --lines IN", "lz"},
	{"detect lang --blocks IN", anything},
	{"tokenize IN -o OUT", "lz"},
	{"tokenize -s IN -o OUT", "lz"},
	{"tokenize --wrapped IN -o OUT", "lz"},
	{"tokenize -d IN -o OUT", "lv"},
	{"perplexity <", "l"},
	{"perplexity --calibrate 0.95 IN", "lz"},
	{"bulk-perplexity IN -o OUT", anything},
	{"tag-remover IN -o OUT", anything},
	{"vertical check IN", verts},
	{"vertical repair IN -o OUT", verts},
	{"vertical tokenize IN -o OUT", "lv"},
	{"vertical tag IN --tagger cat --columns word -o OUT", verts},
	{"vertical text IN -o OUT", verts},
	{"corpus index IN -q --memory 64MiB -o OUT", verts},
	{"warc ls IN", "w"},
	{"warc check IN", "w"},
	{"warc index IN", "w"},
	{"warc extract IN 0 -o OUT", "w"},
	{"train words IN --memory 64MiB -o OUT", "lz"},
	{"train sentences IN --lang en -o OUT", "lz"},
	{"train langid IN=en -o OUT", "z"},
	{"train charset IN --lang en -o OUT", "lz"},
	{"train stopwords IN --lang en -o OUT", "lz"},
	{"train segmenter IN --lang th -o OUT", "l"},
	{"train nontext IN -o OUT", text},
	{"train filter-limits IN -o OUT", text},
	{"train lines IN -o OUT", "jz"},
	{"build linguist IN -o OUT", anything},
	{"crawl IN --contact peak@example.org -o OUT", "lzw"},
	{"crawl ENDLESS --allow-private --contact peak@example.org --max-pages 200 -o OUT", ""},
	{"crawl PACKED --allow-private --contact peak@example.org --max-pages 200 -o OUT", ""},
}

type measurer struct {
	programs   []string
	dir        string
	most       int64
	limit      time.Duration
	size, page int64
}

// all measures the commands and prints a table.
func (m *measurer) all(dir, only string) error {
	m.dir = dir
	if dir == "" {
		tmp, err := os.MkdirTemp("", "peak-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		m.dir = tmp
	}
	if err := os.MkdirAll(m.dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(m.dir, "small.txt"), []byte("It was a dark night, and the ferry did not come to the island.\n\nThe harbour lay empty in the winter wind.\n"), 0o666); err != nil {
		return err
	}
	fmt.Print("| command | program |")
	for _, c := range columns {
		fmt.Printf(" %s |", c.name)
	}
	fmt.Print("\n|---|---|" + strings.Repeat("---:|", len(columns)) + "\n")
	for _, c := range commands {
		if !strings.Contains(c.args, only) {
			continue
		}
		for i, program := range m.programs {
			name := "`" + c.args + "`"
			if i > 0 {
				name = ""
			}
			fmt.Printf("| %s | %s |", name, filepath.Base(filepath.Dir(program))+"/"+filepath.Base(program))
			for k := range columns {
				cell := ""
				if strings.IndexByte(c.takes, letters[k]) >= 0 || c.takes == "" && k == 0 {
					var err error
					if cell, err = m.run(program, c.args, k); err != nil {
						return err
					}
				}
				fmt.Printf(" %s |", cell)
			}
			fmt.Println()
		}
	}
	return nil
}

// input returns the path of the files of a column and creates them if they are missing.
func (m *measurer) input(k int) (string, error) {
	c := columns[k]
	for _, f := range c.files {
		path := filepath.Join(m.dir, f)
		if _, err := os.Stat(path); err == nil {
			continue
		}
		size := m.size
		if strings.HasPrefix(f, "pages/") {
			size = m.page
		}
		if _, err := large.Write(m.dir, f, size); err != nil {
			return "", err
		}
	}
	if len(c.files) > 1 {
		return filepath.Join(m.dir, "pages"), nil
	}
	return filepath.Join(m.dir, c.files[0]), nil
}

// run runs a command once and returns its cell of the table.
func (m *measurer) run(program, line string, k int) (string, error) {
	work, err := os.MkdirTemp(m.dir, "out-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	out := filepath.Join(work, "out")
	in := ""
	for _, kind := range []string{"ENDLESS", "PACKED"} {
		if strings.Contains(line, kind) {
			l, err := large.Serve()
			if err != nil {
				return "", err
			}
			defer l.Close()
			if in, err = seeds(m.dir, l.Addr().String(), map[string]string{"ENDLESS": "", "PACKED": "packed"}[kind]); err != nil {
				return "", err
			}
			line = strings.Replace(line, kind, "IN", 1)
		}
	}
	if in == "" {
		if in, err = m.input(k); err != nil {
			return "", err
		}
	}
	replace := strings.NewReplacer("IN", in, "OUT", out, "SMALL", filepath.Join(m.dir, "small.txt"))
	args := []string{"-c", "ulimit -v " + strconv.FormatInt(m.most>>10, 10) + `; exec "$0" "$@"`, program}
	ctx, cancel := context.WithTimeout(context.Background(), m.limit)
	defer cancel()
	stdin := ""
	for _, a := range strings.Fields(line) {
		if a == "<" {
			stdin = in
			continue
		}
		args = append(args, replace.Replace(a))
	}
	cmd := exec.CommandContext(ctx, "sh", args...)
	if stdin != "" {
		f, err := os.Open(stdin)
		if err != nil {
			return "", err
		}
		defer f.Close()
		cmd.Stdin = f
	}
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return "", err
	}
	use := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	cell := strconv.FormatInt(use.Maxrss<<10/1_000_000, 10)
	switch code := cmd.ProcessState.ExitCode(); {
	case ctx.Err() != nil:
		cell += " killed"
	case code > 1 || code < 0:
		cell += fmt.Sprintf(" (%d)", code)
	}
	return cell, nil
}

// seeds writes a list of 200 hosts, each with a different address, and returns its path.
func seeds(dir, addr, path string) (string, error) {
	_, port, _ := strings.Cut(addr, ":")
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "http://127.1.%d.%d:%s/%s\n", i/100, 1+i%100, port, path)
	}
	name := filepath.Join(dir, "seeds.txt")
	return name, os.WriteFile(name, []byte(b.String()), 0o666)
}
