package input

import (
	"bytes"
	"io"

	"chaffinch/format/sniff"
	"chaffinch/format/warc"
	"chaffinch/internal/packed"
)

// The windows that are searched for a place to cut.
const (
	cutWindow = 1 << 20
	cutReach  = 64 << 20
)

// Cut returns the first place at or after near where a web archive of the given size can be
// cut: where a record begins, together with its compressed member. It returns size if there is
// no such place within 64 MiB, or if the file is not a WARC.
//
// A record found in this way may be part of another record. The reader of the preceding piece
// detects this ([ErrCut]).
func Cut(in io.ReaderAt, size, near int64) (int64, error) {
	head := make([]byte, min(size, sniff.Bytes))
	if _, err := in.ReadAt(head, 0); err != nil && err != io.EOF {
		return 0, err
	}
	begins := beginning(packed.KindOf(head))
	if begins == nil {
		return size, nil
	}
	p, err := packed.NewReader(io.NewSectionReader(in, 0, size), packed.Config{MaxRatio: Default.MaxRatio, Accept: warc.Looks})
	if err != nil {
		return 0, err
	}
	defer p.Close()
	if b, _ := p.Peek(sniff.Bytes); sniff.Of(b, "doc") != sniff.WARC {
		return size, nil
	}
	r, err := warc.NewReader(p, warc.Config{})
	if err != nil {
		return 0, err
	}
	window := make([]byte, cutWindow+len(begins))
	for from := max(near, 1); from < min(size, near+cutReach); from += cutWindow {
		n, err := in.ReadAt(window[:min(int64(len(window)), size-from)], from)
		if err != nil && err != io.EOF {
			return 0, err
		}
		for b, at := window[:n], from; ; {
			i := bytes.Index(b, begins)
			if i < 0 || at+int64(i) >= from+cutWindow {
				break
			}
			if place := at + int64(i); isRecord(r, place) {
				return place, nil
			}
			b, at = b[i+1:], at+int64(i)+1
		}
	}
	return size, nil
}

// beginning returns the first bytes of members of a compression format, or of records of a
// plain file. It returns nil if the format cannot be cut.
func beginning(kind packed.Kind) []byte {
	switch kind {
	case packed.Plain:
		return []byte("WARC/1.")
	case packed.Gzip:
		return []byte{0x1f, 0x8b, 8}
	case packed.Zstd:
		return []byte{0x28, 0xb5, 0x2f, 0xfd}
	}
	return nil
}

// isRecord reports whether a complete record begins at place and is followed by another record
// or the end. In a compressed archive the record must begin a member.
func isRecord(r *warc.Reader, place int64) bool {
	if r.Seek(warc.Pos{Offset: place}) != nil {
		return false
	}
	for i := range 2 {
		rec, err := r.Next()
		if err == io.EOF {
			return i > 0
		}
		if err != nil || i == 0 && (rec.Pos != warc.Pos{Offset: place}) || rec.Close() != nil {
			return false
		}
	}
	return true
}
