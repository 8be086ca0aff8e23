package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"

	"chaffinch/internal/archive"
)

// eachFile calls fn with at most so many bytes for a file, for standard input (named "-"), or for each
// file of a folder or of an archive (tar, zip). Files and standard input may be packed
// (gzip, zstd, lz4).
func eachFile(ctx context.Context, name string, most int64, con *console, fn func(name string, raw []byte) error) error {
	if name != "-" {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if info.IsDir() {
			return archive.Walk(name, func(file string, _ io.Reader) error {
				return oneFile(ctx, path.Join(name, file), most, con, fn)
			})
		}
	}
	return oneFile(ctx, name, most, con, fn)
}

// oneFile calls fn for a file, or for each file of an archive.
func oneFile(ctx context.Context, name string, most int64, con *console, fn func(name string, raw []byte) error) error {
	return eachMember(ctx, name, anything, con, func(name string, in io.Reader) error {
		raw, err := io.ReadAll(io.LimitReader(in, most))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return fn(name, raw)
	})
}
