package extract

import (
	"bytes"
	"slices"
	"strings"

	"chaffinch/text/charset"
)

// format is the format in which a page is read.
type format uint8

const (
	formatOther format = iota
	formatHTML
	formatText
)

// mediaType returns a media type in lower case without parameters.
func mediaType(mime string) string {
	mime, _, _ = strings.Cut(mime, ";")
	return strings.ToLower(strings.Trim(mime, " \t\r\n\"'"))
}

// formatOf returns the format of a page with this [mediaType], "" if unknown, that begins with these
// bytes. HTML that a server sends as text/plain is read as HTML.
func formatOf(mime string, raw []byte) format {
	raw = raw[:min(len(raw), 1445)] // the most bytes that the MIME Sniffing standard reads
	if isBinary(raw) || IsList(raw) {
		return formatOther
	}
	if mime == "text/html" || isXHTMLType(mime) {
		return formatHTML
	}
	switch mime {
	case "", "text/plain", "application/octet-stream", "unknown/unknown", "application/unknown", "*/*",
		"text/xml", "application/xml", "httpd/unix-directory":
		if looksHTML(raw) {
			return formatHTML
		}
		if mime == "" || mime == "text/plain" {
			return formatText
		}
	case "text/markdown", "text/x-rst":
		return formatText
	}
	return formatOther
}

// isXHTML reports whether the [mediaType] or an XML declaration makes a page XHTML.
func isXHTML(mime, src string) bool {
	src = strings.TrimLeft(strings.TrimPrefix(src[:min(len(src), 1445)], "\uFEFF"), " \t\r\n\f")
	return isXHTMLType(mime) || hasFold(src, "<?xml") && len(src) > 5 && isSpace(src[5])
}

func isXHTMLType(mime string) bool {
	return mime == "application/xhtml+xml" || mime == "application/vnd.wap.xhtml+xml"
}

// binaryPrefixes holds the first bytes of formats that are not text.
var binaryPrefixes = []string{"%PDF-", "\x89PNG", "GIF8", "\xFF\xD8\xFF", "PK\x03\x04", "\x1f\x8b", "RIFF", "\x7fELF",
	"OggS", "ID3", "\x00\x00\x00\x18ftyp", "\x00\x00\x00\x20ftyp", "wOFF", "wOF2", "{\\rtf", "\xD0\xCF\x11\xE0", "BZh", "\x28\xB5\x2F\xFD", "\xFD7zXZ"}

// isBinary reports whether raw begins like a format that is not text.
func isBinary(raw []byte) bool {
	for _, m := range binaryPrefixes {
		if bytes.HasPrefix(raw, []byte(m)) {
			return true
		}
	}
	return false
}

// listRoots holds the outermost elements of feeds and sitemaps.
var listRoots = []string{"rss", "feed", "rdf", "urlset", "sitemapindex"}

// IsList reports whether a file begins like a feed or a sitemap, after white space, comments,
// declarations and processing instructions. Such a file is a list of pages rather than a page,
// regardless of its media type.
func IsList(raw []byte) bool {
	raw = narrowText(raw[:min(len(raw), 1445)])
	for {
		raw = bytes.TrimLeft(raw, " \t\r\n\f")
		end := ">"
		switch {
		case bytes.HasPrefix(raw, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(raw, []byte("<?")):
			end = "?>"
		case len(raw) > 14 && bytes.EqualFold(raw[:14], []byte("<!doctype html")):
			return false
		case bytes.HasPrefix(raw, []byte("<!")):
		default:
			name, isTag := bytes.CutPrefix(raw, []byte("<"))
			n := bytes.IndexAny(name, " \t\r\n\f/>")
			if !isTag || n < 0 {
				return false
			}
			name = name[:n]
			if _, local, prefixed := bytes.Cut(name, []byte(":")); prefixed {
				name = local
			}
			return slices.ContainsFunc(listRoots, func(s string) bool { return strings.EqualFold(s, string(name)) })
		}
		var ok bool
		if _, raw, ok = bytes.Cut(raw, []byte(end)); !ok {
			return false
		}
	}
}

// narrowText returns text without byte order mark. It drops the zero bytes of UTF-16 and UTF-32, so
// that their ASCII characters take one byte each.
func narrowText(raw []byte) []byte {
	raw = bytes.TrimPrefix(raw, []byte("\xEF\xBB\xBF"))
	if len(raw) > 1 && (raw[0] == 0 || raw[1] == 0 || raw[0] == 0xFF && raw[1] == 0xFE || raw[0] == 0xFE && raw[1] == 0xFF) {
		raw = bytes.ReplaceAll(raw, []byte{0}, nil) // UTF-16, UTF-32
		raw = bytes.TrimLeft(raw, "\xFE\xFF")
	}
	return raw
}

// looksHTML reports whether text begins like HTML: with a doctype or one of the common first tags,
// after white space and comments.
func looksHTML(raw []byte) bool {
	if charset.LooksEBCDIC(raw) {
		raw = charset.ASCIIOfEBCDIC(raw)
	}
	raw = narrowText(raw)
	for {
		raw = bytes.TrimLeft(raw, " \t\r\n\f")
		switch {
		case bytes.HasPrefix(raw, []byte("<!--")):
			_, rest, ok := bytes.Cut(raw, []byte("-->"))
			if !ok {
				return true
			}
			raw = rest
		case bytes.HasPrefix(raw, []byte("<?xml")):
			_, rest, ok := bytes.Cut(raw, []byte("?>"))
			if !ok {
				return false
			}
			raw = rest
		case len(raw) > 9 && bytes.EqualFold(raw[:9], []byte("<!doctype")):
			return bytes.EqualFold(bytes.TrimLeft(raw[9:], " \t\r\n")[:min(4, len(bytes.TrimLeft(raw[9:], " \t\r\n")))], []byte("html"))
		default:
			if len(raw) < 2 || raw[0] != '<' {
				return false
			}
			n := bytes.IndexAny(raw, " \t\r\n\f/>")
			if n < 2 {
				return false
			}
			t := lookup(string(raw[1:n]))
			return t != tagUnknown || bytes.EqualFold(raw[1:n], []byte("html"))
		}
	}
}
