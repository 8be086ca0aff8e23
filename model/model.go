// Package model reads and writes model files. [Open] opens a model file, and [Save] writes one.
//
// A model file is one container for all kinds of models. It has a header that describes the
// content and its training, named sections that can be mapped into memory, and a checksum. The
// format is described in docs/reference/formats/model.md.
//
// Unstable: this package may change in any release.
package model

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"chaffinch/internal/files"
	"chaffinch/internal/mapfile"
)

// Format versions.
//
//	1  header JSON, aligned sections, CRC-32C over all bytes before the table
const (
	Format         = 1
	oldestReadable = 1
)

const (
	magic    = "CHFMODEL" // a finished file
	unborn   = "CHFUNBRN" // a file under construction
	align    = 64         // alignment of sections in bytes
	trailLen = 8 + 8 + 4 + 8
)

// castagnoli is the CRC-32C table, which amd64 and arm64 compute in hardware.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Header describes the content of a model file and its training.
type Header struct {
	// Kind is the family of the model, such as "lm.word" or "ncleaner".
	Kind string `json:"kind"`
	// Behaviour is the version of the code that interprets the sections.
	Behaviour int `json:"behaviour"`
	// Name is a short name for lists, such as "en-bigram".
	Name string `json:"name,omitempty"`
	// Config is the training configuration.
	Config json.RawMessage `json:"config,omitempty"`
	// DataSHA256 is the SHA-256 of the training data in reading order.
	DataSHA256 string `json:"data_sha256,omitempty"`
	// Tool is the program and version that wrote the file.
	Tool string `json:"tool,omitempty"`
	// Card is the model card: data, licences verbatim, figures, limits.
	Card json.RawMessage `json:"card,omitempty"`
}

type section struct {
	Name   string `json:"name"`
	Offset int64  `json:"offset"`
	Size   int64  `json:"size"`
}

type table struct {
	Header   Header    `json:"header"`
	Sections []section `json:"sections"`
}

// File is an open model file. Sections are valid until Close.
type File struct {
	Header
	path     string // for errors
	data     []byte
	sections []section
	unmap    func() error
}

// DamageError is the error for a damaged or incomplete file.
type DamageError struct {
	Path string
	What string // the damaged or missing part
}

// Error names the damage and suggests to copy the file again.
func (e *DamageError) Error() string {
	return fmt.Sprintf("model %s: %s: copy it again", e.Path, e.What)
}

// Parse parses a model file in memory, such as an embedded one, and verifies its checksum. The
// sections share b. name is used in errors.
func Parse(name string, b []byte) (*File, error) {
	f, err := parse(name, b)
	if err != nil {
		return nil, err
	}
	if err := f.Verify(); err != nil {
		return nil, err
	}
	return f, nil
}

// parse parses the table of a model file without verifying the checksum.
func parse(name string, b []byte) (*File, error) {
	fail := func(format string, a ...any) (*File, error) {
		return nil, fmt.Errorf("model %s: %s", name, fmt.Sprintf(format, a...))
	}
	if len(b) < len(magic)+4 {
		return fail("%d bytes, a model file has at least %d: is it one?", len(b), len(magic)+4+trailLen)
	}
	switch string(b[:8]) {
	case magic:
	case unborn:
		return fail("the program that wrote it did not finish: train again")
	default:
		return fail("starts with %q, a model file with %q: is it one?", b[:8], magic)
	}
	if v := binary.LittleEndian.Uint32(b[8:]); v < oldestReadable || v > Format {
		return fail("format %d, this build reads %d to %d: retrain or upgrade chaffinch", v, oldestReadable, Format)
	}
	damaged := func(format string, a ...any) (*File, error) {
		return nil, &DamageError{name, fmt.Sprintf(format, a...)}
	}
	if len(b) < 12+trailLen {
		return damaged("%d bytes: the end is missing", len(b))
	}
	trail := b[len(b)-trailLen:]
	off := int64(binary.LittleEndian.Uint64(trail))
	size := int64(binary.LittleEndian.Uint64(trail[8:]))
	if string(trail[20:]) != magic || off < 12 || size < 0 || off > int64(len(b)) || size != int64(len(b)-trailLen)-off {
		return damaged("the table at the end is missing or damaged")
	}
	var t table
	if err := json.Unmarshal(b[off:off+size], &t); err != nil {
		return damaged("the table at byte %d is damaged: %v", off, err)
	}
	for _, s := range t.Sections {
		if s.Offset < 12 || s.Size < 0 || s.Offset > off || s.Size > off-s.Offset {
			return damaged("section %q reaches outside the file: the file is damaged", s.Name)
		}
	}
	return &File{Header: t.Header, path: name, data: b, sections: t.Sections}, nil
}

// Open maps the model file at path into memory and verifies its checksum.
func Open(path string) (*File, error) {
	f, err := OpenUnverified(path)
	if err != nil {
		return nil, err
	}
	if err := f.Verify(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// OpenUnverified maps the model file at path into memory without reading all of it. The content
// is not verified until Verify is called.
func OpenUnverified(path string) (*File, error) {
	b, unmap, err := mapfile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	f, err := parse(path, b)
	if err != nil {
		return nil, errors.Join(err, unmap())
	}
	f.unmap = unmap
	return f, nil
}

// Size returns the length of the file in bytes.
func (f *File) Size() int64 { return int64(len(f.data)) }

// Checksum returns the checksum stored in the file. It identifies the model.
func (f *File) Checksum() uint32 {
	return binary.LittleEndian.Uint32(f.data[len(f.data)-trailLen+16:])
}

// Verify compares the content of the file with its checksum.
func (f *File) Verify() error {
	end := len(f.data) - trailLen
	want := f.Checksum()
	if got := crc32.Checksum(f.data[:end], castagnoli); got != want {
		return &DamageError{f.path, fmt.Sprintf("checksum %08x, wanted %08x: the file is damaged", got, want)}
	}
	return nil
}

// Close unmaps the file. The sections must not be used afterwards.
func (f *File) Close() error {
	if f.unmap == nil {
		return nil
	}
	u := f.unmap
	f.unmap, f.data = nil, nil
	return u()
}

// Release drops the pages of the file from the memory of the process until they are read again.
// It has no effect on a file that is not mapped.
func (f *File) Release() error {
	if f.unmap == nil {
		return nil
	}
	return mapfile.Release(f.data)
}

// Section returns the bytes of a section and reports whether it exists.
func (f *File) Section(name string) (b []byte, ok bool) {
	for _, s := range f.sections {
		if s.Name == name {
			return f.data[s.Offset : s.Offset+s.Size : s.Offset+s.Size], true
		}
	}
	return nil, false
}

// Sections returns the names of the sections in the order of the file.
func (f *File) Sections() []string {
	names := make([]string, len(f.sections))
	for i, s := range f.sections {
		names[i] = s.Name
	}
	return names
}

// Want returns an error unless f holds a model of the given kind with a supported behaviour
// version.
func (f *File) Want(kind string, oldest, newest int) error {
	if f.Kind != kind {
		return fmt.Errorf("model %s: kind %q, wanted %q", cmp.Or(f.Name, f.path), f.Kind, kind)
	}
	if f.Behaviour < oldest || f.Behaviour > newest {
		writer := cmp.Or(f.Tool, "another program")
		if f.Behaviour > newest {
			return fmt.Errorf("model %s: version %d of %s, written by %s; this program reads %d to %d: use a newer chaffinch", f.Name, f.Behaviour, kind, writer, oldest, newest)
		}
		return fmt.Errorf("model %s: version %d of %s, written by %s; this program reads %d to %d: make the file again with this program, or use the one that wrote it", f.Name, f.Behaviour, kind, writer, oldest, newest)
	}
	return nil
}

// Writer writes a model file section by section. Nothing appears at the destination before
// Close.
type Writer struct {
	path string
	file *files.Output // nil in memory
	out  *bufio.Writer // of file
	mem  *bytes.Buffer // nil on disk
	sum  uint32
	n    int64
	t    table
	err  error
}

// Create starts a model file that Close moves to path.
func Create(path string, h Header) (*Writer, error) {
	file, err := files.Create(path)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	w := &Writer{path: path, file: file, out: bufio.NewWriterSize(file, writeBuffer), t: table{Header: h}}
	head := binary.LittleEndian.AppendUint32([]byte(magic), Format)
	w.sum = crc32.Update(0, castagnoli, head)
	w.n = int64(len(head))
	_, w.err = file.Write(binary.LittleEndian.AppendUint32([]byte(unborn), Format)) // an interrupted file is recognised
	return w, nil
}

// writeBuffer is the size of the buffer for small writes to a file.
const writeBuffer = 1 << 16

// Memory starts a model file in memory. Call Bytes to finish it.
func Memory(h Header) *Writer {
	w := &Writer{path: h.Name, mem: new(bytes.Buffer), t: table{Header: h}}
	w.write(binary.LittleEndian.AppendUint32([]byte(magic), Format))
	return w
}

// Grow reserves space for n more bytes of a model file in memory.
func (w *Writer) Grow(n int) { w.mem.Grow(n) }

// Bytes finishes a model file in memory and returns it.
func (w *Writer) Bytes() ([]byte, error) {
	if err := w.finish(); err != nil {
		return nil, fmt.Errorf("model %s: %w", w.path, err)
	}
	return w.mem.Bytes(), nil
}

// Header returns the header. It may be changed before Close, for example to add figures that
// are known only at the end.
func (w *Writer) Header() *Header { return &w.t.Header }

// Section starts a section. Bytes written until the next call belong to it.
func (w *Writer) Section(name string) {
	if pad := -w.n & (align - 1); pad > 0 {
		w.write(make([]byte, pad))
	}
	w.t.Sections = append(w.t.Sections, section{Name: name, Offset: w.n})
}

// Write appends to the current section.
func (w *Writer) Write(b []byte) (int, error) {
	if len(w.t.Sections) == 0 {
		return 0, errors.New("model: Write before Section")
	}
	w.write(b)
	if w.err != nil {
		return 0, w.err
	}
	w.t.Sections[len(w.t.Sections)-1].Size += int64(len(b))
	return len(b), nil
}

func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	w.sum = crc32.Update(w.sum, castagnoli, b)
	w.n += int64(len(b))
	if w.mem != nil {
		w.mem.Write(b)
		return
	}
	_, w.err = w.out.Write(b)
}

// finish writes the table and the trailer.
func (w *Writer) finish() error {
	off := w.n
	t, err := json.Marshal(w.t)
	if err != nil {
		return err
	}
	w.write(t)
	trail := binary.LittleEndian.AppendUint64(nil, uint64(off))
	trail = binary.LittleEndian.AppendUint64(trail, uint64(len(t)))
	trail = binary.LittleEndian.AppendUint32(trail, w.sum)
	w.write(append(trail, magic...))
	return w.err
}

// Close finishes the file and moves it to its path. After an error no file remains.
func (w *Writer) Close() error {
	err := w.finish()
	if err == nil {
		err = w.out.Flush()
	}
	if err == nil {
		_, err = w.file.WriteAt([]byte(magic), 0)
	}
	if err == nil {
		err = w.file.Commit()
	}
	if err != nil {
		w.file.Discard()
		return fmt.Errorf("model %s: %w", w.path, err)
	}
	return nil
}

// Abort discards the file.
func (w *Writer) Abort() {
	w.file.Discard()
}

var _ io.Writer = (*Writer)(nil)

// Is reports whether b starts like a model file.
func Is(b []byte) bool { return bytes.HasPrefix(b, []byte(magic)) }
