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

// errStream is returned for inputs that can be read only once.
var errStream = errors.New("an estimate reads the input before the command does: save it as a file and name that")

// maxDocument is the maximum size in bytes of the first document of a file.
const maxDocument = 64 << 20

// take writes a sample of about size uncompressed bytes to the folder dir: at least one document of each
// file, of fewer files if their documents are long. end is the line that ends a document; in files that
// do not begin with a tag, documents are lines.
func take(inputs []string, dir string, size int64, end string) (*Sample, error) {
	s := &Sample{}
	var list []files.File
	for _, f := range files.List(inputs) {
		switch {
		case f.Err != nil:
			return nil, fmt.Errorf("%s: %w", f.Name, f.Err)
		case f.Size < 0:
			return nil, fmt.Errorf("%s: %w", f.Name, errStream)
		case f.Size > 0:
			list = append(list, f)
			s.Input += f.Size
		}
	}
	s.Files = len(list)
	for n := min(len(list), maxFiles); n > 0; n /= 2 {
		written := int64(0)
		s.Paths, s.Read = nil, 0
		for i := 0; i < n && (written <= 2*size || n == 1); i++ {
			f := list[i*len(list)/n]
			_, name := packed.CutSuffix(filepath.Base(f.Name))
			path := filepath.Join(dir, fmt.Sprint(i), name)
			b, read, err := begin(f, size/int64(n), end)
			if err == nil {
				err = errors.Join(disk.MkdirAll(filepath.Dir(path)), files.WriteFile(path, b))
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			s.Paths, s.Read, written = append(s.Paths, path), s.Read+read, written+int64(len(b))
		}
		if written <= 2*size {
			break
		}
	}
	return s, nil
}

// begin returns about size bytes of the documents at the beginning of a file, at least one document, and
// the number of bytes of the file that hold them.
func begin(f files.File, size int64, end string) (b []byte, read int64, err error) {
	in, err := os.Open(f.Name)
	if err != nil {
		return nil, 0, files.Cause(err)
	}
	defer in.Close()
	p, err := packed.NewReader(in, packed.Default)
	if err != nil {
		return nil, 0, err
	}
	defer p.Close()
	for {
		more, err := io.ReadAll(io.LimitReader(p, size+1-int64(len(b))))
		if b = append(b, more...); err != nil {
			return nil, 0, err
		}
		if int64(len(b)) <= size { // the file ends there
			return b, f.Size, nil
		}
		n := documents(b, end)
		if n == 0 && size < maxDocument {
			size *= 2
			continue
		}
		if n == 0 {
			n = len(b)
		}
		read = int64(float64(p.PackedOffset()) * float64(n) / float64(len(b)))
		return b[:n], min(read, int64(n)), nil // the reader reads ahead
	}
}

// documents returns the length of the complete documents at the beginning of b.
func documents(b []byte, end string) int {
	last := "\n"
	if end != "" && bytes.HasPrefix(b, []byte("<")) {
		last += end + "\n"
	}
	if i := bytes.LastIndex(b, []byte(last)); i >= 0 {
		return i + len(last)
	}
	return 0
}
