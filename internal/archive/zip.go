package archive

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"

	"chaffinch/internal/packed"
	"chaffinch/internal/sorts"
)

// maxTable is the maximum size of the table of contents of a zip archive, which is held in memory.
const maxTable = 256 << 20

// maxZipWindow is the largest zstd window that is decompressed.
const maxZipWindow = 64 << 20

// IsZip reports whether head begins a zip archive.
func IsZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06")) || bytes.HasPrefix(head, []byte("PK\x07\x08PK\x03\x04"))
}

// zipFiles reads a zip archive.
type zipFiles struct {
	kind     Kind
	files    []*zip.File
	content  int // number of files, from the first, that are the content of a package
	maxRatio float64
	grace    int64
	n        int
	open     io.ReadCloser
}

var errOverlap = errors.New("its files lie over each other: a zip bomb")

// newZip returns a reader of the archive in of size bytes. A file may decompress to maxRatio bytes
// for each compressed byte, after the first grace bytes.
func newZip(in io.ReaderAt, size int64, maxRatio float64, grace int64) (*zipFiles, error) {
	if err := checkTable(in, size); err != nil {
		return nil, err
	}
	z, err := zip.NewReader(in, size)
	if err != nil {
		return nil, fmt.Errorf("zip archive: the table of contents cannot be read (%w): it was cut off or damaged: try zip -FF to recover files", err)
	}
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZipWindow)))
	if err := checkOverlap(z.File); err != nil {
		return nil, err
	}
	r := &zipFiles{maxRatio: maxRatio, grace: grace}
	r.kind, r.files, r.content = recognise(z.File)
	return r, nil
}

// checkTable rejects archives whose table of contents is larger than maxTable.
func checkTable(in io.ReaderAt, size int64) error {
	tail := make([]byte, min(size, 64<<10+22))
	if _, err := in.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return err
	}
	i := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if i < 0 || len(tail)-i < 22 {
		return fmt.Errorf("zip archive: no table of contents at its end: it was cut off: try zip -FF to recover files (%w)", io.ErrUnexpectedEOF)
	}
	table := int64(binary.LittleEndian.Uint32(tail[i+12:]))
	if table == 0xffffffff { // the actual size is in the 64-bit record
		if j := bytes.LastIndex(tail[:i], []byte("PK\x06\x06")); j >= 0 && i-j >= 56 {
			table = int64(binary.LittleEndian.Uint64(tail[j+40:]))
		}
	}
	if table < 0 || table > maxTable {
		return fmt.Errorf("a zip archive whose table has more than %d MB: unpack it and name the folder", maxTable>>20)
	}
	return nil
}

// checkOverlap rejects archives with overlapping files. With them a small archive could decompress to more
// than the limit of each file.
func checkOverlap(files []*zip.File) error {
	type span struct{ from, to int64 }
	spans := make([]span, 0, len(files))
	for _, f := range files {
		from, err := f.DataOffset()
		if err != nil {
			continue // reported when Next opens the file
		}
		spans = append(spans, span{from, from + int64(f.CompressedSize64)})
	}
	sorts.Func(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].to {
			return errOverlap
		}
	}
	return nil
}

// Next returns the next regular file.
func (r *zipFiles) Next() (*Member, error) {
	r.close()
	for r.n < len(r.files) {
		f := r.files[r.n]
		r.n++
		if !f.Mode().IsRegular() {
			continue
		}
		m := &Member{Name: strings.TrimPrefix(path.Clean(f.Name), "./"), Place: Place{Member: int64(r.n - 1)}, Extra: r.n > r.content}
		m.Offset, _ = f.DataOffset()
		if f.Flags&1 != 0 {
			return nil, &Error{Name: m.Name, Offset: m.Offset, Err: errors.New("encrypted: unpack it with its password first")}
		}
		in, err := f.Open()
		if err != nil {
			if errors.Is(err, zip.ErrAlgorithm) {
				err = fmt.Errorf("packed by method %d, which is not read (deflate, zstd and none are): unpack it first", f.Method)
			}
			return nil, &Error{Name: m.Name, Offset: m.Offset, Err: err}
		}
		r.open = in
		m.Reader = r.limit(f, in)
		return m, nil
	}
	return nil, io.EOF
}

// limit returns a reader of the file f, which in decompresses, that enforces the limits.
func (r *zipFiles) limit(f *zip.File, in io.Reader) io.Reader {
	return &ratioLimiter{r: in, most: max(r.grace, int64(r.maxRatio*float64(f.CompressedSize64))), from: int64(f.CompressedSize64), ratio: r.maxRatio}
}

// ratioLimiter reads a decompressed file and fails at the limit.
type ratioLimiter struct {
	r          io.Reader
	most, from int64
	ratio      float64
	n          int64
}

func (u *ratioLimiter) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if u.n += int64(n); u.n > u.most {
		return 0, fmt.Errorf("%w: %d bytes from %d packed ones (limit %g for one)", packed.ErrTooCompressed, u.n, u.from, u.ratio)
	}
	if errors.Is(err, zip.ErrChecksum) {
		err = errors.New("its checksum is wrong: the zip archive is damaged here")
	}
	return n, err
}

func (r *zipFiles) close() {
	if r.open != nil {
		r.open.Close()
		r.open = nil
	}
}

// Place returns the number of the next file in the table.
func (r *zipFiles) Place() Place { return Place{Member: int64(r.n)} }

// Seek moves to the place of a member, or to a result of Place.
func (r *zipFiles) Seek(p Place) error {
	if p.Member < 0 || p.Member > int64(len(r.files)) || p.Skip != 0 {
		return fmt.Errorf("file %d of an archive of %d: the archive has changed", p.Member, len(r.files))
	}
	r.close()
	r.n = int(p.Member)
	return nil
}
