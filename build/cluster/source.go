package cluster

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/build/store"
	"chaffinch/input"
	"chaffinch/internal/disk"
	"chaffinch/internal/packed"
)

// sum copies in to out and returns the length and the SHA-256 hash.
func sum(in io.Reader, out io.Writer) (int64, string, error) {
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(h, out), in)
	return n, hex.EncodeToString(h.Sum(nil)), err
}

// open returns the store and the object name of an address.
func (w *Work) open(address string) (store.Store, string, error) {
	if w.Open == nil {
		return nil, "", fmt.Errorf("%s: this program was built without remote stores", address)
	}
	return w.Open(address)
}

// maxList bounds the decompressed bytes of a list of paths.
const maxList = 256 << 20

// listAddress returns the files of an address. If the address ends in a slash, these are the
// objects with that prefix. If it is a list of paths (warc.paths.gz), these are the listed
// files. Otherwise it is the address itself.
func (w *Work) listAddress(ctx context.Context, address string) (list []Piece, err error) {
	s, name, err := w.open(address)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(address, "/") {
		base := strings.TrimSuffix(address, name)
		for o, err := range s.List(ctx, name) {
			if err != nil {
				return nil, err
			}
			if o.Size > 0 && !strings.HasPrefix(filepath.Base(o.Name), ".") {
				list = append(list, Piece{input.Piece{Name: base + o.Name, Size: o.Size}, o.Tag})
			}
		}
		if list == nil {
			return nil, fmt.Errorf("input %s: nothing there", address)
		}
		return list, nil
	}
	names := []string{address}
	if isPaths(name) {
		if names, err = readPaths(ctx, s, name, address); err != nil {
			return nil, err
		}
	}
	for _, n := range names {
		s, name, err := w.open(n)
		if err != nil {
			return nil, err
		}
		o, err := s.Stat(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("input %w", err)
		}
		list = append(list, Piece{input.Piece{Name: n, Size: o.Size, Named: true}, o.Tag})
	}
	return list, nil
}

// isPaths reports whether name is a list of paths in the form of Common Crawl.
func isPaths(name string) bool {
	_, name = packed.CutSuffix(name)
	return strings.HasSuffix(name, ".paths")
}

// readPaths reads a list of paths. The paths are relative to the root of the store of the
// list.
func readPaths(ctx context.Context, s store.Store, name, address string) (list []string, err error) {
	b, err := store.Read(ctx, s, name, maxList)
	if err != nil {
		return nil, fmt.Errorf("input %w", err)
	}
	in, err := packed.NewReader(bytes.NewReader(b), packed.Default)
	if err != nil {
		return nil, fmt.Errorf("input %s: %w", address, err)
	}
	defer in.Close()
	root, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(io.LimitReader(in, maxList))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		switch {
		case line == "":
		case store.IsAddress(line):
			list = append(list, line)
		default:
			list = append(list, root.Scheme+"://"+root.Host+"/"+strings.TrimPrefix(line, "/"))
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("input %s: %w", address, err)
	}
	if list == nil {
		return nil, fmt.Errorf("input %s: no path in it", address)
	}
	return list, nil
}

// bring prepares the pieces of a shard for reading. It begins to fetch remote objects. The caller
// must end the fetch.
func (w *Work) bring(ctx context.Context, pieces []Piece, dir string) ([]input.Piece, *fetching, error) {
	if err := w.unchanged(ctx, pieces); err != nil {
		return nil, nil, err
	}
	list, f := []input.Piece{}, &fetching{}
	for i, p := range pieces {
		if store.IsAddress(p.Name) {
			s, name, err := w.open(p.Name)
			if err != nil {
				return nil, nil, err
			}
			p.At = filepath.Join(dir, fmt.Sprint(i), filepath.Base(name))
			if err := f.add(s, name, &p); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", p.Name, err)
			}
		}
		list = append(list, p.Piece)
	}
	f.start(ctx)
	return list, f, nil
}

// fetch writes n bytes of an object, starting at offset from, to the same offset of a file.
func fetch(ctx context.Context, s store.Store, name, file string, from, n int64) (err error) {
	if err := disk.MkdirAll(filepath.Dir(file)); err != nil {
		return err
	}
	out, err := disk.OpenFile(file, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if n == 0 {
		return nil
	}
	in, err := s.Open(ctx, name, from, n)
	if err != nil {
		return err
	}
	defer in.Close()
	if _, err := out.Seek(from, io.SeekStart); err != nil {
		return err
	}
	got, err := io.Copy(out, in)
	if err == nil && got != n {
		err = fmt.Errorf("%d bytes from byte %d on, wanted %d", got, from, n)
	}
	return err
}

// unchanged returns an error if a piece has changed since the plan was made.
func (w *Work) unchanged(ctx context.Context, pieces []Piece) error {
	last := ""
	for _, p := range pieces {
		if p.Name == last {
			continue
		}
		last = p.Name
		var o store.Object
		var err error
		if store.IsAddress(p.Name) {
			var s store.Store
			var name string
			if s, name, err = w.open(p.Name); err == nil {
				o, err = s.Stat(ctx, name)
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		} else {
			o, err = store.StatFile(p.Name)
		}
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w: %w", p.Name, err, ErrInput)
		case o.Size != p.Size:
			return fmt.Errorf("%s: %d bytes, wanted %d: %w", p.Name, o.Size, p.Size, ErrInput)
		case o.Tag != p.Tag:
			return fmt.Errorf("%s: replaced: %w", p.Name, ErrInput)
		}
	}
	return nil
}

// window implements [io.ReaderAt] for an object, with large requests.
type window struct {
	ctx  context.Context
	s    store.Store
	name string
	size int64

	at  int64
	buf []byte
}

// windowBytes is the size of a request.
const windowBytes = 1 << 20

// ReadAt implements [io.ReaderAt].
func (w *window) ReadAt(b []byte, at int64) (n int, err error) {
	for n < len(b) {
		if at+int64(n) >= w.size {
			return n, io.EOF
		}
		off := at + int64(n) - w.at
		if off < 0 || off >= int64(len(w.buf)) {
			if err := w.fetch(at + int64(n)); err != nil {
				return n, err
			}
			continue
		}
		n += copy(b[n:], w.buf[off:])
	}
	return n, nil
}

func (w *window) fetch(at int64) error {
	in, err := w.s.Open(w.ctx, w.name, at, min(windowBytes, w.size-at))
	if err != nil {
		return err
	}
	defer in.Close()
	w.at = at
	w.buf, err = io.ReadAll(in)
	if err == nil && len(w.buf) == 0 {
		err = io.ErrUnexpectedEOF
	}
	return err
}
