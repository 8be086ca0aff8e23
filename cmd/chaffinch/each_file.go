package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path"

	"chaffinch/internal/archive"
)

// eachFile calls fn for a file, for standard input (named "-"), or for each file of a folder or
// of an archive (tar, zip). Files and standard input may be packed (gzip, zstd, lz4).
func eachFile(ctx context.Context, name string, con *console, fn func(name string, in io.Reader) error) error {
	if name != "-" {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if info.IsDir() {
			return archive.Walk(name, func(file string, _ io.Reader) error {
				return eachMember(ctx, path.Join(name, file), anything, con, fn)
			})
		}
	}
	return eachMember(ctx, name, anything, con, fn)
}

// readUpTo reads at most so many bytes of a file of this name.
func readUpTo(name string, in io.Reader, most int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(in, most))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// eachPart calls fn for the text of a file of this name, in parts of at most so many bytes, which
// end at a line end if there is one, or else at a blank. The memory of a part is used again.
func eachPart(name string, in io.Reader, most int, fn func(part []byte) error) error {
	buf, n := make([]byte, min(most, 64<<10)), 0
	for {
		k, err := io.ReadFull(in, buf[n:])
		n += k
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			if n == 0 {
				return nil
			}
			return fn(buf[:n])
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		case len(buf) < most:
			buf = append(buf, make([]byte, min(most-len(buf), len(buf)))...)
			continue
		}
		end := cmp.Or(bytes.LastIndexByte(buf, '\n')+1, bytes.LastIndexByte(buf, ' ')+1, len(buf))
		if err := fn(buf[:end]); err != nil {
			return err
		}
		n = copy(buf, buf[end:])
	}
}
