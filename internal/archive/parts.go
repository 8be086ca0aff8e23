package archive

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	"chaffinch/internal/packed"
)

// maxParts is the most files of a package in memory.
const maxParts = 1 << 16

// errNoPart means that a package has no file of a name.
var errNoPart = errors.New("no such file in the package")

// Parts are the files of a zip archive in memory, such as a DOCX or EPUB document.
type Parts struct {
	// Recovered reports whether the table of contents is missing, so that files were searched.
	Recovered bool

	raw  []byte
	file map[string]part
	fold map[string]string // names in lower case to names; nil before it is needed
	left int64             // bytes that files may still unpack to
}

// part is a file of the archive: one of its table of contents, or one that was searched.
type part struct {
	in             *zip.File
	method         uint16
	from, size     int64
	encryptedBytes bool
}

// OpenParts opens the zip archive raw. All files that are read may unpack to most bytes together.
// If the table of contents is damaged or missing, files are searched by their headers.
func OpenParts(raw []byte, most int64) (*Parts, error) {
	p := &Parts{raw: raw, file: map[string]part{}, left: most}
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err == nil && len(z.File) <= maxParts {
		for _, f := range z.File {
			p.add(f.Name, part{in: f, method: f.Method, size: int64(f.CompressedSize64), encryptedBytes: f.Flags&1 != 0})
		}
		return p, nil
	}
	p.Recovered = true
	p.search()
	if len(p.file) == 0 {
		return nil, errNone
	}
	return p, nil
}

// add adds a file. The first file of a name counts.
func (p *Parts) add(name string, f part) {
	name = strings.TrimPrefix(strings.ReplaceAll(name, "\\", "/"), "/")
	if _, ok := p.file[name]; !ok && len(p.file) < maxParts {
		p.file[name] = f
	}
}

// search adds the files whose headers are in the archive.
func (p *Parts) search() {
	mark := []byte("PK\x03\x04")
	for at := 0; ; {
		n := bytes.Index(p.raw[at:], mark)
		if n < 0 || at+n+30 > len(p.raw) {
			return
		}
		at += n
		h := p.raw[at:]
		name, extra := int(binary.LittleEndian.Uint16(h[26:])), int(binary.LittleEndian.Uint16(h[28:]))
		flags, method, size := binary.LittleEndian.Uint16(h[6:]), binary.LittleEndian.Uint16(h[8:]), int64(binary.LittleEndian.Uint32(h[18:]))
		if at+30+name+extra > len(p.raw) {
			return
		}
		from := at + 30 + name + extra
		if size == 0 || size > int64(len(p.raw)-from) {
			size = int64(len(p.raw) - from) // unknown or cut off: deflate has an end mark
			if flags&8 != 0 && method == zip.Store {
				if next := bytes.Index(p.raw[from:], []byte("PK\x07\x08")); next >= 0 {
					size = int64(next)
				}
			}
		}
		p.add(string(h[30:30+name]), part{method: method, from: int64(from), size: size, encryptedBytes: flags&1 != 0})
		at = from
	}
}

// Has reports whether the package has a file of this name.
func (p *Parts) Has(name string) bool {
	_, ok := p.file[name]
	return ok
}

// Names returns the names of the files, in no order.
func (p *Parts) Names() []string {
	return slices.Collect(maps.Keys(p.file))
}

// Find returns the name of the file that a path of another file means: without case, or
// percent-decoded.
func (p *Parts) Find(name string) (string, bool) {
	if p.Has(name) {
		return name, true
	}
	if u, err := url.PathUnescape(name); err == nil && p.Has(u) {
		return u, true
	}
	if p.fold == nil {
		p.fold = make(map[string]string, len(p.file))
		for have := range p.file {
			low := strings.ToLower(have)
			if other, ok := p.fold[low]; !ok || have < other {
				p.fold[low] = have
			}
		}
	}
	found, ok := p.fold[strings.ToLower(name)]
	return found, ok
}

// Read returns the content of a file. On an error of the data, the bytes before it are returned,
// too. [packed.ErrTooCompressed] means that the package unpacks to more than the limit or
// that the ratio of the file is above [packed.Default].
func (p *Parts) Read(name string) ([]byte, error) {
	f, ok := p.file[name]
	if !ok {
		return nil, errNoPart
	}
	if f.encryptedBytes {
		return nil, errEncrypted
	}
	in, err := p.open(f)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	most := min(p.left, max(packed.Default.GraceBytes, int64(packed.Default.MaxRatio*float64(f.size))))
	b, err := io.ReadAll(io.LimitReader(in, most+1))
	if int64(len(b)) > most {
		b, err = b[:most], packed.ErrTooCompressed
	}
	p.left -= int64(len(b))
	return b, err
}

var errEncrypted = errors.New("the file of the package is encrypted")

// open opens a file.
func (p *Parts) open(f part) (io.ReadCloser, error) {
	if f.in != nil {
		return f.in.Open()
	}
	r := bytes.NewReader(p.raw[f.from : f.from+f.size])
	switch f.method {
	case zip.Store:
		return io.NopCloser(r), nil
	case zip.Deflate:
		return flate.NewReader(r), nil
	}
	return nil, zip.ErrAlgorithm
}
