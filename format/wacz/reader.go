package wacz

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/format/warc"
)

// Reader reads the archives of a file, of a folder or of one archive. It is safe for concurrent use.
type Reader struct {
	// Index finds the captures.
	Index *Index

	name     string
	file     *os.File             // of the ZIP file; nil: not a WACZ file
	files    map[string]*zip.File // of the ZIP file, by path
	archives map[string]string    // paths of archives, by name
}

// Open opens a WACZ file, a web archive (.warc.gz, .warc), or a folder with web archives, also in its folder
// warc. The index of a WACZ file is read in place; archives are read once to index them. Damaged records are
// passed to bad and skipped.
func Open(ctx context.Context, name string, bad func(error)) (*Reader, error) {
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	r := &Reader{name: name, archives: map[string]string{}}
	if !st.IsDir() && strings.HasSuffix(strings.ToLower(name), ".wacz") {
		err = r.openZip(ctx, st.Size())
	} else {
		err = r.scan(ctx, st.IsDir(), bad)
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// openZip opens a WACZ file.
func (r *Reader) openZip(ctx context.Context, size int64) (err error) {
	if r.file, err = os.Open(r.name); err != nil {
		return err
	}
	z, err := zip.NewReader(r.file, size)
	if err != nil {
		return fmt.Errorf("%s: %w: wanted a WACZ file", r.name, err)
	}
	r.files = map[string]*zip.File{}
	for _, f := range z.File {
		r.files[f.Name] = f
	}
	r.Index, err = readIndex(ctx, r)
	return err
}

// scan indexes one archive or the archives of a folder.
func (r *Reader) scan(ctx context.Context, folder bool, bad func(error)) (err error) {
	list := []string{r.name}
	if folder {
		list = nil
		for _, pattern := range []string{"*.warc.gz", "*.warc", "warc/*.warc.gz", "warc/*.warc"} {
			found, err := filepath.Glob(filepath.Join(escaped(r.name), filepath.FromSlash(pattern)))
			if err != nil {
				return err
			}
			list = append(list, found...)
		}
		slices.Sort(list)
	}
	if len(list) == 0 {
		return fmt.Errorf("%s: no archive: wanted the folder of a crawl, or files .warc.gz in it", r.name)
	}
	for _, path := range list {
		if other := r.archives[filepath.Base(path)]; other != "" {
			return fmt.Errorf("%s and %s: two archives of one name: wanted different names", other, path)
		}
		r.archives[filepath.Base(path)] = path
	}
	if r.Index, err = scan(ctx, list, bad); err == nil && len(r.Index.blocks) == 0 {
		err = fmt.Errorf("%s: no responses: wanted a web archive (.wacz, .warc.gz) or the folder of a crawl", r.name)
	}
	return err
}

// escaped returns a path whose characters are not special in patterns.
func escaped(path string) string {
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(path)
}

// Close closes the files.
func (r *Reader) Close() error {
	var errs []error
	if r.Index != nil {
		errs = append(errs, r.Index.Close())
	}
	if r.file != nil {
		errs = append(errs, r.file.Close())
	}
	return errors.Join(errs...)
}

// Section returns a file of a WACZ file that is stored without compression.
func (r *Reader) Section(name string) (io.ReaderAt, error) {
	f := r.files[name]
	if f == nil {
		return nil, fmt.Errorf("%s: no file %q", r.name, name)
	}
	if f.Method != zip.Store {
		return nil, fmt.Errorf("%s: %s: compressed in the ZIP file, wanted it stored", r.name, name)
	}
	at, err := f.DataOffset()
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(r.file, at, int64(f.UncompressedSize64)), nil
}

// Record calls fn with the record of a capture, which is valid during the call.
func (r *Reader) Record(c warc.CDX, fn func(*warc.Record) error) error {
	var offset, length int64
	if _, err := fmt.Sscan(c.Offset, &offset); err != nil || offset < 0 {
		return fmt.Errorf("index: offset %q of %s: the index is damaged", c.Offset, c.URL)
	}
	if _, err := fmt.Sscan(c.Length, &length); err != nil || length <= 0 {
		length = 1<<62 - offset
	}
	in, close, err := r.archive(c.Filename)
	if err != nil {
		return err
	}
	defer close()
	w, err := warc.NewReader(io.NewSectionReader(in, offset, length), warc.Default)
	if err != nil {
		return err
	}
	defer w.Close()
	rec, err := w.Next()
	if err == nil && rec.URI != c.URL {
		err = fmt.Errorf("byte %d is a record of %.200q, wanted %.200q: the index belongs to another archive", offset, rec.URI, c.URL)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Filename, err)
	}
	return fn(rec)
}

// archive opens an archive by its name in the index, which is never used as a path.
func (r *Reader) archive(name string) (io.ReaderAt, func() error, error) {
	if r.file != nil {
		in, err := r.Section("archive/" + name)
		return in, func() error { return nil }, err
	}
	path, ok := r.archives[name]
	if !ok {
		return nil, nil, fmt.Errorf("%s: no archive %q", r.name, name)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	return f, f.Close, nil
}
