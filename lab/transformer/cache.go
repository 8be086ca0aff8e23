package transformer

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// groupLines is the number of lines of several documents that are encoded together, so that short
// documents share batches.
const groupLines = 512

// DocVectors returns the vectors of the lines of documents in order, and stores them in the folder
// cache unless it is "". Each document has a file of little-endian floats, named by the SHA-256 of
// the model, its settings and the lines. progress, which may be nil, is called with the number of
// finished lines.
func (e *Encoder) DocVectors(ctx context.Context, docs [][]string, cache string, progress func(lines int)) ([][]float32, error) {
	if cache != "" {
		if err := os.MkdirAll(cache, 0o777); err != nil {
			return nil, fmt.Errorf("cache of vectors: %w", err)
		}
	}
	out := make([][]float32, len(docs))
	done := 0
	var group []int
	size := 0
	flush := func() error {
		var lines []string
		for _, i := range group {
			lines = append(lines, docs[i]...)
		}
		v, err := e.Vectors(ctx, nil, lines)
		if err != nil {
			return err
		}
		for _, i := range group {
			n := len(docs[i]) * e.width
			out[i], v = v[:n:n], v[n:]
			if cache != "" {
				if err := writeVectors(e.cachePath(cache, docs[i]), out[i]); err != nil {
					return fmt.Errorf("cache of vectors: %w", err)
				}
			}
		}
		done += len(lines)
		if progress != nil {
			progress(done)
		}
		group, size = group[:0], 0
		return nil
	}
	for i, d := range docs {
		if cache != "" {
			v, err := readVectors(e.cachePath(cache, d), len(d)*e.width)
			if err != nil {
				return nil, fmt.Errorf("cache of vectors: %w", err)
			}
			if v != nil {
				out[i] = v
				done += len(d)
				continue
			}
		}
		group = append(group, i)
		if size += len(d); size >= groupLines {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	return out, flush()
}

// cachePath returns the path of the file of a document's vectors.
func (e *Encoder) cachePath(dir string, lines []string) string {
	h := sha256.New()
	fmt.Fprintf(h, "vectors/1\n%s\n%s\n%s\n%d\n%d\n", e.sum, e.output, e.cfg.Pooling, e.cfg.MaxLength, len(lines))
	for _, l := range lines {
		fmt.Fprintf(h, "%d\n%s", len(l), l)
	}
	return filepath.Join(dir, hex.EncodeToString(h.Sum(nil))+".vectors")
}

// readVectors reads n values. It returns nil if the file does not exist.
func readVectors(path string, n int) ([]float32, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(b) != 4*n {
		return nil, fmt.Errorf("%s: %d bytes, wanted %d: delete it", path, len(b), 4*n)
	}
	return floats(b), nil
}

// floats decodes little-endian numbers.
func floats(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

// appendFloats appends numbers as little-endian bytes.
func appendFloats(b []byte, v []float32) []byte {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// writeVectors writes a file atomically.
func writeVectors(path string, v []float32) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".vectors*")
	if err != nil {
		return err
	}
	_, err = f.Write(appendFloats(nil, v))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
