package crawl

import (
	"fmt"
	"strings"

	"chaffinch/crawl/fetch"
	"chaffinch/extract/documents"
	_ "chaffinch/extract/documents/readers"
	"chaffinch/format/document"
	"chaffinch/format/warc"
	"chaffinch/internal/settings"
)

// Type is a format of pages that a crawl reads.
type Type struct {
	// Format is [documents.HTML], for web pages and plain text, or one of [document.Formats].
	Format string `json:"format"`
	// MaxBytes is the most bytes of a page.
	MaxBytes int64 `json:"max_bytes"`
}

// DocumentBytes is the default of [Type.MaxBytes] for documents. It is also the maximum.
const DocumentBytes = 32 << 20

// DefaultTypes lists the types that a crawl reads by default.
var DefaultTypes = []Type{{documents.HTML, fetch.Default.MaxBytes}}

// ParseTypes parses types such as "html" and "pdf:20MB".
func ParseTypes(list []string) ([]Type, error) {
	types := make([]Type, 0, len(list))
	for _, s := range list {
		name, size, limited := strings.Cut(s, ":")
		t := Type{name, DocumentBytes}
		if name == documents.HTML {
			t.MaxBytes = fetch.Default.MaxBytes
		}
		if limited {
			n, err := settings.ParseSize(size)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s, err)
			}
			if n < 1 || n > DocumentBytes {
				return nil, fmt.Errorf("%s: wanted a size from 1 to %d MiB, as in %s:20MB", s, DocumentBytes>>20, name)
			}
			t.MaxBytes = n
		}
		types = append(types, t)
	}
	_, err := documents.New(documents.Config{Formats: formatsOf(types)})
	return types, err
}

// formatsOf returns the formats of types.
func formatsOf(types []Type) (names []string) {
	for _, t := range types {
		names = append(names, t.Format)
	}
	return names
}

// MaxBytesOf returns the limits of types by media type, as [fetch.Config] wants them.
func MaxBytesOf(types []Type) map[string]int64 {
	limits := map[string]int64{}
	for _, t := range types {
		if t.Format == documents.HTML {
			limits["text/html"], limits["application/xhtml+xml"], limits["text/plain"] = t.MaxBytes, t.MaxBytes, t.MaxBytes
		} else {
			limits[document.MediaType(t.Format)] = t.MaxBytes
		}
	}
	return limits
}

// pageLimits applies the limits of fetched pages to archived pages.
var pageLimits = warc.Limits{MaxBytes: DocumentBytes, MaxRatio: fetch.Default.MaxRatio, GraceBytes: 1 << 20}
