package extsort

import (
	"bufio"
	"io"
	"iter"
	"slices"
	"strings"

	"chaffinch/internal/disk"
	"chaffinch/internal/sorts"
)

// Lines sorts lines of any length as bytes in bounded memory. Lines that do not fit into memory
// are written as sorted runs to one temporary file.
type Lines struct {
	dir    string
	memory int64

	lines []string
	bytes int64
	file  *disk.File
	size  int64
	runs  []lineRun
}

// lineRun is a section of the temporary file.
type lineRun struct{ offset, length int64 }

// lineCost is the memory of a line besides its bytes.
const lineCost = 32

// NewLines returns an empty sorter that holds at most memory bytes. dir is the folder of the
// temporary file; "" is the default folder for temporary files.
func NewLines(dir string, memory int64) *Lines { return &Lines{dir: dir, memory: memory} }

// Add adds a line without its line break.
func (l *Lines) Add(line string) error {
	l.lines = append(l.lines, line)
	l.bytes += int64(len(line)) + lineCost
	if l.bytes < l.memory {
		return nil
	}
	return l.spill()
}

// spill writes the lines in memory as a run.
func (l *Lines) spill() (err error) {
	if l.file == nil {
		if l.file, err = disk.Scratch(l.dir); err != nil {
			return err
		}
	}
	slices.Sort(l.lines)
	w := bufio.NewWriterSize(l.file, 256<<10)
	from := l.size
	for _, line := range l.lines {
		l.size += int64(len(line)) + 1
		w.WriteString(line)
		w.WriteByte('\n')
	}
	l.runs = append(l.runs, lineRun{from, l.size - from})
	clear(l.lines)
	l.lines, l.bytes = l.lines[:0], 0
	return w.Flush()
}

// All yields the lines in ascending order of their bytes. No line may be added afterwards.
func (l *Lines) All() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		slices.Sort(l.lines)
		rest := l.lines
		sources := []func() (string, bool, error){func() (line string, ok bool, err error) {
			if len(rest) == 0 {
				return "", false, nil
			}
			line, rest = rest[0], rest[1:]
			return line, true, nil
		}}
		for _, r := range l.runs {
			in := bufio.NewReaderSize(io.NewSectionReader(l.file, r.offset, r.length), 64<<10)
			sources = append(sources, func() (line string, ok bool, err error) {
				line, err = in.ReadString('\n')
				if err == io.EOF {
					return "", false, nil
				}
				return strings.TrimSuffix(line, "\n"), true, err
			})
		}
		sorts.Merge(strings.Compare, sources...)(yield)
	}
}

// Close removes the temporary file.
func (l *Lines) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
