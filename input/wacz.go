package input

import (
	"bufio"
	"encoding/json"
	"io"

	"chaffinch/internal/archive"
)

// Limits of the titles that are kept of a WACZ file.
const (
	maxListLine   = 1 << 20 // longest line of a list of pages that is read
	maxTitleBytes = 16 << 20
)

// titles returns the titles of the pages that the lists of a WACZ file name, by their
// address; the first one of an address counts. What cannot be read of a list is skipped,
// since the pages themselves are in the archives.
func titles(pack archive.Package) map[string]string {
	found, size := map[string]string{}, 0
	pack.Lists(func(r io.Reader) {
		br := bufio.NewReaderSize(r, 64<<10)
		for size < maxTitleBytes {
			line, err := listLine(br)
			var p struct{ URL, Title string }
			if json.Unmarshal(line, &p) == nil && p.URL != "" && p.Title != "" && found[p.URL] == "" {
				found[p.URL] = p.Title
				size += len(p.URL) + len(p.Title)
			}
			if err != nil {
				return
			}
		}
	})
	return found
}

// listLine returns the next line of br, nil for one that is too long.
func listLine(br *bufio.Reader) (line []byte, err error) {
	long := false
	for {
		part, err := br.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxListLine; !long {
			line = append(line, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if long {
			line = nil
		}
		return line, err
	}
}
