//go:build unix

package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// results holds the costs of a program: of all rounds, by command and number of cores.
type results map[string]map[int][]cost

// add adds the cost of a round.
func (r results) add(name string, cores int, c cost) {
	if r[name] == nil {
		r[name] = map[int][]cost{}
	}
	r[name][cores] = append(r[name][cores], c)
}

// least returns the cost of the round with the least processor time.
func (r results) least(name string, cores int) cost {
	list := r[name][cores]
	if len(list) == 0 {
		return cost{}
	}
	return slices.MinFunc(list, func(a, b cost) int { return cmp.Compare(a.cpu, b.cpu) })
}

// writeTable writes a table in Markdown of the last program, beside the first if there are two. Of
// each command the round with the least processor time counts.
func writeTable(w io.Writer, table []command, sizes map[string]int64, programs []results, cores []int) error {
	last := programs[len(programs)-1]
	head := []string{"row", "command", "ms", "MB/s"}
	if len(programs) > 1 {
		head = append(head, "MB/s before", "ratio")
	}
	head = append(head, "memory, MB", "disk, MB")
	for _, j := range cores[1:] {
		head = append(head, fmt.Sprintf("%d cores", j))
	}
	rows := [][]string{head, slices.Repeat([]string{"---"}, len(head))}
	for _, c := range table {
		one := last.least(c.name, cores[0])
		row := []string{c.name, "`" + c.args + "`", fmt.Sprintf("%.0f", ms(one.cpu)), speed(sizes[c.name], one.cpu)}
		if len(programs) > 1 {
			before := programs[0].least(c.name, cores[0])
			row = append(row, speed(sizes[c.name], before.cpu), fmt.Sprintf("%.2f", before.cpu.Seconds()/one.cpu.Seconds()))
		}
		var memory []string
		for _, j := range cores {
			memory = append(memory, fmt.Sprintf("%.0f", float64(last.least(c.name, j).peak)/1e6))
		}
		row = append(row, strings.Join(memory, ", "), fmt.Sprintf("%.0f", float64(one.disk)/1e6))
		for _, j := range cores[1:] {
			row = append(row, fmt.Sprintf("%.2f", one.free()/last.least(c.name, j).free()))
		}
		rows = append(rows, row)
	}
	for _, row := range rows {
		if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | ")); err != nil {
			return err
		}
	}
	return nil
}

// speed formats a number of MB per second of processor time, or "" for a command without input.
func speed(size int64, cpu time.Duration) string {
	if size == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", float64(size)/1e6/cpu.Seconds())
}
