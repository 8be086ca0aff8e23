package extsort

import (
	"bufio"
	"container/heap"
	"io"
	"iter"
	"slices"
	"strings"

	"chaffinch/internal/disk"
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
		h := lineHeap{{next: func() (string, error) {
			if len(rest) == 0 {
				return "", io.EOF
			}
			line := rest[0]
			rest = rest[1:]
			return line, nil
		}}}
		for _, r := range l.runs {
			in := bufio.NewReaderSize(io.NewSectionReader(l.file, r.offset, r.length), 64<<10)
			h = append(h, &lineSource{next: func() (string, error) {
				line, err := in.ReadString('\n')
				return strings.TrimSuffix(line, "\n"), err
			}})
		}
		live := h[:0]
		for _, s := range h {
			switch err := s.advance(); {
			case err == nil:
				live = append(live, s)
			case err != io.EOF:
				yield("", err)
				return
			}
		}
		h = live
		for heap.Init(&h); len(h) > 0; {
			if !yield(h[0].line, nil) {
				return
			}
			switch err := h[0].advance(); {
			case err == nil:
				heap.Fix(&h, 0)
			case err == io.EOF:
				heap.Pop(&h)
			default:
				yield("", err)
				return
			}
		}
	}
}

// Close removes the temporary file.
func (l *Lines) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// lineSource is a sorted sequence of lines with its current line.
type lineSource struct {
	line string
	next func() (string, error)
}

func (s *lineSource) advance() (err error) {
	s.line, err = s.next()
	return err
}

// lineHeap is a heap of sources by their current lines.
type lineHeap []*lineSource

func (h lineHeap) Len() int           { return len(h) }
func (h lineHeap) Less(i, j int) bool { return h[i].line < h[j].line }
func (h lineHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *lineHeap) Push(x any)        { *h = append(*h, x.(*lineSource)) }
func (h *lineHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
