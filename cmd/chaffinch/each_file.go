package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path"

	"chaffinch/internal/archive"
)

// eachFile calls fn for a file, for standard input (named "-"), or for each
// file of a folder or of a tar archive. Files and standard input may be packed
// (gzip, zstd, lz4).
func eachFile(ctx context.Context, name string, con *console, fn func(name string, raw []byte) error) error {
	if name != "-" {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if info.IsDir() {
			return archive.Walk(name, func(file string, _ io.Reader) error {
				return oneFile(ctx, path.Join(name, file), con, fn)
			})
		}
	}
	return oneFile(ctx, name, con, fn)
}

// tarMark is how a tar archive is known: "ustar" at tarAt.
const (
	tarMark = "ustar"
	tarAt   = 257
)

// oneFile calls fn for a file, or for each file of a tar archive.
func oneFile(ctx context.Context, name string, con *console, fn func(name string, raw []byte) error) error {
	in, shut, err := openPlainOrPacked(name, con)
	if err != nil {
		return err
	}
	defer shut()
	r := bufio.NewReader(stopWith(ctx, in))
	if head, _ := r.Peek(tarAt + len(tarMark)); name != "-" && len(head) > tarAt && string(head[tarAt:]) == tarMark {
		return archive.Walk(name, func(file string, r io.Reader) error {
			raw, err := io.ReadAll(stopWith(ctx, r))
			if err != nil {
				return fmt.Errorf("%s: %w", path.Join(name, file), err)
			}
			return fn(path.Join(name, file), raw)
		})
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return fn(name, raw)
}
