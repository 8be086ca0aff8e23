//go:build unix

// Command bench measures the cost of the commands of chaffinch: processor time, memory and
// parallelism. It runs each command as a process, on one core or on several numbers of cores in
// turn. For each run it prints a line in the format of Go's benchmarks, for benchstat:
//
//	BenchmarkClean/html/j=2 1 1180.5 cpu-ms 60.94 MB/cpu-s 81.2 peak-MB 5.8 disk-MB 1.92 cores 613.7 free-ms
//
// cpu-ms is the processor time of the process. disk-MB is the peak size of its output and temporary
// files. cores is the mean number of threads that ran or waited for a processor, and free-ms is the
// wall time without such waiting: the time of a run on an idle machine. Both come from the
// scheduler, on Linux only. run.sh compares with saved figures; lab/results/speed.md has them.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"chaffinch/internal/disk"
)

// units defines for benchstat which direction is better.
const units = `Unit MB/cpu-s better=higher
Unit cores better=higher
`

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench: ")
	programs := flag.String("programs", "chaffinch", "programs to measure in turn, separated by commas; results go to FILE.N for the N-th if there are several")
	data := flag.String("data", "../shared/data", "folder of the data sets")
	work := flag.String("work", "", "folder for the inputs that are made once, kept for the next run (default: a temporary one)")
	rounds := flag.Int("rounds", 5, "how often each command runs")
	cores := flag.String("cores", "1", "numbers of cores to run each command on, separated by commas")
	out := flag.String("o", "-", "write the lines to FILE")
	match := flag.String("run", "", "only the commands whose name this regular expression finds")
	grow := flag.Bool("growth", false, "instead of these commands, some at 1, 10 and 50 times the size")
	tableFile := flag.String("table", "", "also write a table in Markdown to FILE")
	list := flag.Bool("list", false, "print the names and command lines, and run nothing")
	flag.Parse()
	want, err := regexp.Compile(*match)
	if err != nil {
		log.Fatal(err)
	}
	counts, err := numbers(*cores)
	if err != nil {
		log.Fatalf("-cores %s: %v", *cores, err)
	}
	table := commands
	if *grow {
		table = growth()
	}
	table = slices.DeleteFunc(table, func(c command) bool { return !want.MatchString(c.name) })
	if *list {
		for _, c := range table {
			line := "chaffinch " + c.args
			if c.in != "" {
				line += " <{" + c.in + "}"
			}
			fmt.Printf("%s\t%s\n", c.name, line)
		}
		return
	}
	in := &inputs{data: *data, dir: *work}
	if in.dir == "" {
		if in.dir, err = disk.MkdirTemp("", "bench"); err != nil {
			log.Fatal(err)
		}
	}
	err = measure(strings.Split(*programs, ","), in, table, *rounds, counts, *out, *tableFile)
	if *work == "" {
		err = errors.Join(err, disk.RemoveAll(in.dir))
	}
	if err != nil {
		log.Fatal(err)
	}
}

// numbers parses numbers of cores, separated by commas.
func numbers(list string) (counts []int, err error) {
	for w := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is no number of cores", w)
		}
		counts = append(counts, n)
	}
	return counts, nil
}

// measure runs the commands on each number of cores, alternating between programs, and writes a
// file of lines for each program, and a table to the file tableFile unless it is "".
func measure(programs []string, in *inputs, table []command, rounds int, cores []int, out, tableFile string) (err error) {
	in.program = programs[len(programs)-1]
	to := make([]io.Writer, len(programs))
	for i := range to {
		to[i] = os.Stdout
		if out != "-" {
			name := out
			if len(programs) > 1 {
				name = fmt.Sprintf("%s.%d", out, i+1)
			}
			f, err := disk.Create(name)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, f.Close()) }()
			to[i] = f
		}
		fmt.Fprint(to[i], units)
	}
	sizes, all := map[string]int64{}, make([]results, len(programs))
	for i := range all {
		all[i] = results{}
	}
	for _, c := range table {
		size, args, err := in.prepare(c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		sizes[c.name] = size
		for range rounds {
			for i, p := range programs {
				for _, j := range cores {
					cost, err := in.measureProcess(p, args, c.in, j)
					if err != nil {
						return fmt.Errorf("%s: %w", c.name, err)
					}
					fmt.Fprintf(to[i], "Benchmark%s/j=%d 1 %s\n", c.name, j, cost.line(size))
					all[i].add(c.name, j, cost)
				}
			}
		}
	}
	if tableFile == "" {
		return nil
	}
	f, err := disk.Create(tableFile)
	if err != nil {
		return err
	}
	return errors.Join(writeTable(f, table, sizes, all, cores), f.Close())
}
