package input

import (
	"bufio"
	"encoding/json"
	"io"

	"chaffinch/internal/archive"
)

// Limits on the titles that are kept of a WACZ file.
const (
	maxListLine   = 1 << 20 // longest line of a page list that is read
	maxTitleBytes = 16 << 20
)

// titles returns the titles of pages in the page lists of a WACZ file, by address. The first
// title of an address takes precedence. Unreadable parts of a list are skipped, because the
// pages themselves are in the archives.
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

// listLine returns the next line of br, nil for a line that is too long.
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
