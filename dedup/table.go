package dedup

import (
	"bufio"
	"bytes"
	"container/heap"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"path/filepath"
	"sort"
)

// tableState is a table as the manifest knows it.
type tableState struct {
	Table
	Runs []runFile
}

// runFile is a sorted part of a table.
type runFile struct {
	Name    string
	Records int64
	Sum     uint32 // CRC-32C of the file
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// buffer holds records that are not on disk yet.
type buffer struct {
	Table
	data []byte
	max  int
}

func newBuffer(t Table, memory int64) *buffer {
	return &buffer{Table: t, max: max(int(memory)/t.Record, 256) * t.Record}
}

func (b *buffer) full() bool { return len(b.data)+b.Record > b.max }

func (b *buffer) add() []byte {
	n := len(b.data)
	if n+b.Record > cap(b.data) {
		b.data = append(make([]byte, 0, min(max(2*cap(b.data), 256*b.Record), max(b.max, n+b.Record))), b.data...)
	}
	b.data = b.data[:n+b.Record]
	return b.data[n : n+b.Record]
}

// Len, Less and Swap sort.
func (b *buffer) Len() int { return len(b.data) / b.Record }
func (b *buffer) Less(i, j int) bool {
	return bytes.Compare(b.data[i*b.Record:(i+1)*b.Record], b.data[j*b.Record:(j+1)*b.Record]) < 0
}
func (b *buffer) Swap(i, j int) {
	var t [256]byte
	x, y := b.data[i*b.Record:(i+1)*b.Record], b.data[j*b.Record:(j+1)*b.Record]
	copy(t[:], x)
	copy(x, y)
	copy(y, t[:])
}

// write sorts b, writes it as a run and empties it. It returns nil for an empty
// buffer.
func (r *run) write(b *buffer) (*runFile, error) {
	if len(b.data) == 0 {
		return nil, nil
	}
	sort.Sort(b)
	out := runFile{
		Name: fmt.Sprintf("%s.%d.run", b.Name, r.serial.Add(1)), Records: int64(b.Len()),
		Sum: crc32.Checksum(b.data, castagnoli),
	}
	f, err := os.Create(filepath.Join(r.dir, out.Name))
	if err != nil {
		return nil, err
	}
	_, err = f.Write(b.data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	b.data = b.data[:0]
	return &out, nil
}

type cursor struct {
	in  *bufio.Reader
	rec []byte
	f   *os.File
}

type merge []*cursor

func (m merge) Len() int           { return len(m) }
func (m merge) Less(i, j int) bool { return bytes.Compare(m[i].rec, m[j].rec) < 0 }
func (m merge) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }
func (m *merge) Push(x any)        { *m = append(*m, x.(*cursor)) }
func (m *merge) Pop() any {
	x := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return x
}

// scan reads the records from the first not below from to the last below to,
// nil meaning no border.
func (r *run) scan(table string, from, to []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		t := r.m.Tables[table]
		if t == nil {
			yield(nil, fmt.Errorf("dedup: no table %q", table))
			return
		}
		var m merge
		defer func() {
			for _, c := range m {
				c.f.Close()
			}
		}()
		for _, x := range t.Runs {
			f, err := os.Open(filepath.Join(r.dir, x.Name))
			if err != nil {
				yield(nil, err)
				return
			}
			at, err := lower(f, x.Records, t.Record, from)
			if err != nil {
				f.Close()
				yield(nil, err)
				return
			}
			c := &cursor{f: f, rec: make([]byte, t.Record)}
			c.in = bufio.NewReaderSize(io.NewSectionReader(f, at*int64(t.Record), (x.Records-at)*int64(t.Record)), 1<<16)
			if _, err := io.ReadFull(c.in, c.rec); err != nil {
				f.Close()
				if err != io.EOF {
					yield(nil, err)
					return
				}
				continue
			}
			m = append(m, c)
		}
		heap.Init(&m)
		for len(m) > 0 {
			c := m[0]
			if to != nil && bytes.Compare(c.rec, to) >= 0 || !yield(c.rec, nil) {
				return
			}
			switch _, err := io.ReadFull(c.in, c.rec); {
			case err == io.EOF:
				c.f.Close()
				heap.Pop(&m)
			case err != nil:
				yield(nil, err)
				return
			default:
				heap.Fix(&m, 0)
			}
		}
	}
}

// lower returns the number of records below key.
func lower(f *os.File, n int64, record int, key []byte) (int64, error) {
	if key == nil {
		return 0, nil
	}
	var failed error
	rec := make([]byte, record)
	at := sort.Search(int(n), func(i int) bool {
		if _, err := f.ReadAt(rec, int64(i)*int64(record)); err != nil {
			failed = err
		}
		return bytes.Compare(rec, key) >= 0
	})
	return int64(at), failed
}

// cuts returns keys that cut the table into at most n parts.
func (r *run) cuts(table string, n int) ([][]byte, error) {
	t := r.m.Tables[table]
	if t == nil {
		return nil, fmt.Errorf("dedup: no table %q", table)
	}
	var largest runFile
	for _, x := range t.Runs {
		if x.Records > largest.Records {
			largest = x
		}
	}
	if largest.Records < 1<<12 {
		return nil, nil
	}
	f, err := os.Open(filepath.Join(r.dir, largest.Name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var cuts [][]byte
	for i := 1; i < n; i++ {
		key := make([]byte, t.Key)
		if _, err := f.ReadAt(key, largest.Records*int64(i)/int64(n)*int64(t.Record)); err != nil {
			return nil, err
		}
		if len(cuts) == 0 || bytes.Compare(cuts[len(cuts)-1], key) < 0 {
			cuts = append(cuts, key)
		}
	}
	return cuts, nil
}

// spill holds the rest of a group that is too large for memory.
type spill struct {
	f *os.File
	w *bufio.Writer
}

func (r *Records) toDisk(dir string, rec []byte) error {
	if r.spill == nil {
		f, err := os.CreateTemp(dir, "group-*")
		if err != nil {
			return err
		}
		r.spill = &spill{f, bufio.NewWriterSize(f, 1<<16)}
	}
	_, err := r.spill.w.Write(rec)
	return err
}

func (s *spill) all(record int, yield func([]byte, error) bool) {
	if err := s.w.Flush(); err != nil {
		yield(nil, err)
		return
	}
	in := bufio.NewReaderSize(io.NewSectionReader(s.f, 0, 1<<62), 1<<16)
	rec := make([]byte, record)
	for {
		_, err := io.ReadFull(in, rec)
		if err == io.EOF {
			return
		}
		if !yield(rec, err) || err != nil {
			return
		}
	}
}

func (s *spill) close() error { return errors.Join(s.f.Close(), os.Remove(s.f.Name())) }
