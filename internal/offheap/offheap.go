// Package offheap holds tables of records outside of the Go heap. The garbage collector neither scans
// them nor reserves memory in proportion to them. Records beyond a limit are in a mapped file, which
// the system reads and writes as needed.
package offheap

import (
	"fmt"
	"math/bits"
	"reflect"
	"unsafe"

	"chaffinch/internal/disk"
	"chaffinch/internal/mapfile"
)

const (
	// regionBytes is the size of a mapping in memory. Only pages that were written to take memory.
	regionBytes = 4 << 20
	// fileBytes is the size of a mapping of the file.
	fileBytes = 16 << 20
)

// Memory is the memory of tables. It is not safe for concurrent use.
type Memory struct {
	dir     string
	limit   int64
	regions [][]byte // in memory
	mapped  [][]byte // regions of the file
	file    *disk.File
	free    []byte // unused end of the last region
	used    int64
	noFile  bool // the file cannot be used
}

// New returns memory without tables. Beyond limit bytes, tables are in a temporary file in the folder
// dir. A limit of 0 is no limit.
func New(dir string, limit int64) *Memory { return &Memory{dir: dir, limit: limit} }

// Close frees the memory. Records must not be used afterwards.
func (m *Memory) Close() (err error) {
	for _, list := range [][][]byte{m.regions, m.mapped} {
		for _, b := range list {
			mapfile.Unmap(b) // succeeds for whole mappings
		}
	}
	if m.file != nil {
		err = m.file.Close()
	}
	*m = Memory{dir: m.dir, limit: m.limit}
	return err
}

// Spilled reports whether some records are in the file.
func (m *Memory) Spilled() bool { return len(m.mapped) > 0 }

// Used returns the bytes of all tables.
func (m *Memory) Used() int64 { return m.used }

// Release removes the records in the file from the memory of the process. They are mapped again when
// they are used.
func (m *Memory) Release() {
	for _, b := range m.mapped {
		mapfile.Release(b) // only an optimisation
	}
}

// take returns n zeros, aligned to 64 bytes.
func (m *Memory) take(n int) []byte {
	n = (n + 63) &^ 63
	if n > regionBytes {
		panic(fmt.Sprintf("offheap: %d bytes, at most %d", n, regionBytes))
	}
	if len(m.free) < n {
		m.free = m.region()
	}
	m.used += int64(n)
	b := m.free[:n:n]
	m.free = m.free[n:]
	return b
}

// region returns a new region: in memory up to the limit, then in the file. If the file cannot be
// written, the limit is exceeded.
func (m *Memory) region() []byte {
	if m.limit > 0 && int64(len(m.regions)+1)*regionBytes > m.limit && !m.noFile {
		b, err := m.mapRegion()
		if err == nil {
			m.mapped = append(m.mapped, b)
			return b
		}
		m.noFile = true
	}
	b, err := mapfile.Anonymous(regionBytes)
	if err != nil {
		panic(fmt.Sprintf("offheap: out of memory: %v", err))
	}
	m.regions = append(m.regions, b)
	return b
}

// mapRegion appends a region to the file. It writes the zeros, since a page without space on the disk
// would end the program when it is used.
func (m *Memory) mapRegion() ([]byte, error) {
	if m.file == nil {
		f, err := disk.Scratch(m.dir)
		if err != nil {
			return nil, err
		}
		m.file = f
	}
	at := int64(len(m.mapped)) * fileBytes
	zeros := make([]byte, 1<<20)
	for i := int64(0); i < fileBytes; i += int64(len(zeros)) {
		if _, err := m.file.WriteAt(zeros, at+i); err != nil {
			return nil, err
		}
	}
	return mapfile.Shared(m.file.File, at, fileBytes)
}

// Table is a list of records of fixed size. Records never move, so that pointers to them are valid
// until Close. The garbage collector does not see their fields: pointers may only lead to records of
// tables of the same Memory, and the caller keeps the bytes of strings elsewhere.
type Table[T any] struct {
	memory *Memory
	chunks [][]T
	shift  int
	length int
}

// chunkBytes is the greatest size of a chunk of a table with more than one record per chunk.
const chunkBytes = 64 << 10

// NewTable returns an empty table. T must not contain slices, maps, interfaces, functions or channels.
func NewTable[T any](m *Memory) *Table[T] {
	checkType(reflect.TypeFor[T]())
	var zero T
	return &Table[T]{memory: m, shift: bits.Len(uint(max(chunkBytes/int(unsafe.Sizeof(zero)), 1))) - 1}
}

// checkType panics if a type has fields that the garbage collector must see.
func checkType(t reflect.Type) {
	switch t.Kind() {
	case reflect.Struct:
		for f := range t.Fields() {
			checkType(f.Type)
		}
	case reflect.Array:
		checkType(t.Elem())
	case reflect.Slice, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		panic(fmt.Sprintf("offheap: a record contains %v", t))
	}
}

// Len returns the number of records.
func (t *Table[T]) Len() int { return t.length }

// At returns record i.
func (t *Table[T]) At(i int) *T { return &t.chunks[i>>t.shift][i&(1<<t.shift-1)] }

// Add appends a zero record and returns it.
func (t *Table[T]) Add() *T {
	if t.length == len(t.chunks)<<t.shift {
		var zero T
		b := t.memory.take(int(unsafe.Sizeof(zero)) << t.shift)
		t.chunks = append(t.chunks, unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), 1<<t.shift))
	}
	t.length++
	return t.At(t.length - 1)
}
