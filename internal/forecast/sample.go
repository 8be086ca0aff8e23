// Package forecast predicts the time, memory and disk space of a command from a sample of its input.
package forecast

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/packed"
)

// Sample is a part of the input of a command: the beginnings of files that are spread over it.
type Sample struct {
	// Paths are the files of the sample, which are not compressed.
	Paths []string
	// Read is the number of bytes of the input files that the sample comes from. Input is the size of
	// all input files in bytes; Files is their number.
	Read, Input int64
	Files       int
}

// maxFiles is the maximum number of files of a sample.
const maxFiles = 400

// ErrStream is returned for inputs that can be read only once.
var ErrStream = errors.New("an estimate reads the input before the command does: save it as a file and name that")

// Take writes a sample of at most size uncompressed bytes to the folder dir. end is the line that ends
// a document; without it in the sample, documents are lines.
func Take(inputs []string, dir string, size int64, end string) (*Sample, error) {
	s := &Sample{}
	var list []files.File
	for _, f := range files.List(inputs) {
		switch {
		case f.Err != nil:
			return nil, fmt.Errorf("%s: %w", f.Name, f.Err)
		case f.Size < 0:
			return nil, fmt.Errorf("%s: %w", f.Name, ErrStream)
		case f.Size > 0:
			list = append(list, f)
			s.Input += f.Size
		}
	}
	s.Files = len(list)
	n := min(len(list), maxFiles)
	for i := range n {
		f := list[i*len(list)/n]
		_, name := packed.CutSuffix(filepath.Base(f.Name))
		path := filepath.Join(dir, fmt.Sprint(i), name)
		read, err := begin(f, path, size/int64(n), end)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		s.Paths, s.Read = append(s.Paths, path), s.Read+read
	}
	return s, nil
}

// begin copies about size bytes of the documents at the beginning of a file to path. It returns the
// number of bytes of the file that hold them.
func begin(f files.File, path string, size int64, end string) (read int64, err error) {
	in, err := os.Open(f.Name)
	if err != nil {
		return 0, files.Cause(err)
	}
	defer in.Close()
	p, err := packed.NewReader(in, packed.Default)
	if err != nil {
		return 0, err
	}
	defer p.Close()
	b, err := io.ReadAll(io.LimitReader(p, size+1))
	if err != nil {
		return 0, err
	}
	read = f.Size
	if int64(len(b)) > size { // else the file ends there
		all := len(b)
		if i := bytes.LastIndex(b, []byte("\n"+end+"\n")); end != "" && i >= 0 {
			b = b[:i+len(end)+2]
		} else if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
			b = b[:i+1]
		}
		read = int64(float64(p.PackedOffset()) * float64(len(b)) / float64(all))
	}
	if err := disk.MkdirAll(filepath.Dir(path)); err != nil {
		return 0, err
	}
	return read, files.WriteFile(path, b)
}
