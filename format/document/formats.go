package document

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/packed"
	"chaffinch/internal/runes"
)

// format is a format of documents.
type format struct {
	name string
	// media are the media types that name the format, the registered one first.
	media []string
	// suffixes are the endings of file names, for formats that the first bytes may not identify.
	suffixes []string
	// packed reports whether documents are zip archives.
	packed bool
	// source reports whether documents are text with marks. They are legible as plain text, too.
	source bool
	// looks reports whether a file begins like the format; nil if its bytes are not distinctive.
	looks func(head []byte) bool
}

// formats lists the formats. Formats with distinctive bytes precede the others.
var formats = []format{
	{name: "pdf", media: []string{"application/pdf", "application/x-pdf"}, looks: isPDF},
	{name: "rtf", media: []string{"application/rtf", "text/rtf"}, looks: func(b []byte) bool { return bytes.HasPrefix(b, []byte(`{\rtf`)) }},
	{name: "epub", packed: true, suffixes: []string{".epub"}, media: []string{"application/epub+zip"}, looks: func(b []byte) bool { return packageType(b) == "application/epub+zip" }},
	{name: "odt", packed: true, suffixes: []string{".odt", ".ott"}, media: []string{"application/vnd.oasis.opendocument.text"}, looks: isODT},
	{name: "pptx", packed: true, suffixes: []string{".pptx", ".pptm", ".ppsx"}, media: []string{"application/vnd.openxmlformats-officedocument.presentationml.presentation"}, looks: func(b []byte) bool { return isOffice(b, "ppt/") }},
	{name: "docx", packed: true, suffixes: []string{".docx", ".docm", ".dotx"}, media: []string{"application/vnd.openxmlformats-officedocument.wordprocessingml.document"}, looks: func(b []byte) bool { return isOffice(b, "word/") }},
	{name: "fb2", media: []string{"application/x-fictionbook+xml", "application/fb2"}, looks: func(b []byte) bool { return hasRoot(b, "<FictionBook") }},
	{name: "vtt", media: []string{"text/vtt"}, looks: func(b []byte) bool { return bytes.HasPrefix(ascii(b), []byte("WEBVTT")) }},
	{name: "srt", media: []string{"application/x-subrip"}, looks: isSRT},
	{name: "eml", media: []string{"message/rfc822", "message/news"}, suffixes: []string{".eml"}, looks: isMessage},
	{name: "mediawiki", media: []string{"text/x-wiki"}, suffixes: []string{".wiki", ".mediawiki"}},
	{name: "markdown", source: true, media: []string{"text/markdown", "text/x-markdown"}, suffixes: []string{".md", ".markdown", ".mdown", ".mkd"}, looks: isMarkdown},
	{name: "latex", source: true, media: []string{"application/x-tex", "text/x-tex", "application/x-latex", "text/x-latex"}, suffixes: []string{".tex", ".latex", ".ltx"}, looks: isLaTeX},
	{name: "rst", source: true, media: []string{"text/x-rst", "text/prs.fallenstein.rst"}, suffixes: []string{".rst", ".rest"}, looks: isRST},
	{name: "asciidoc", source: true, media: []string{"text/asciidoc", "text/x-asciidoc"}, suffixes: []string{".adoc", ".asciidoc"}, looks: isAsciiDoc},
}

// Formats returns the names of the formats of documents.
func Formats() []string {
	names := make([]string, len(formats))
	for i := range formats {
		names[i] = formats[i].name
	}
	return names
}

// Of returns the name of the format of a document, "" if it has none of [Formats]. The bytes of
// the document decide, raw or their beginning; then the media type that its source states, and
// the endings of its names, the first first. All of them may be "". For [Source] formats, the media
// type and the name precede the bytes, and their files may begin with fields like mail.
func Of(raw []byte, media string, names ...string) string {
	head := bytes.TrimLeft(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")), " \t\r\n")
	media, _, _ = strings.Cut(strings.ToLower(media), ";")
	media = strings.TrimSpace(media)
	vague := slices.Contains([]string{"", "text/plain", "application/octet-stream", "application/zip"}, media)
	read := false // whether the marks of source formats were searched
	for k, name := range names {
		_, name = packed.CutSuffix(name)
		suffix := strings.ToLower(path.Ext(name))
		stated := statedFormat(head, media, suffix, vague)
		if k == 0 {
			if found := begun(head, func(f *format) bool { return !f.source && !(f.name == "eml" && Source(stated)) }); found != "" {
				return found
			}
		}
		if stated != "" || !vague {
			return stated
		}
		if !read && (suffix == "" || suffix == ".txt") {
			read = true
			if found := begun(head[:min(len(head), sourceBytes)], func(f *format) bool { return f.source }); found != "" {
				return found
			}
		}
	}
	return ""
}

// begun returns the name of the first format of a kind like which head begins, or "".
func begun(head []byte, kind func(*format) bool) string {
	for i := range formats {
		if f := &formats[i]; f.looks != nil && kind(f) && f.looks(head) {
			return f.name
		}
	}
	return ""
}

// statedFormat returns the name of the format by the media type, or if it is vague the ending of the name.
func statedFormat(head []byte, media, suffix string, vague bool) string {
	for i := range formats {
		f := &formats[i]
		if !slices.Contains(f.media, media) && !(vague && slices.Contains(f.suffixes, suffix)) {
			continue
		}
		if f.looks != nil && !f.source && !(f.packed && isPacked(head)) && !(f.name == "eml" && field().Match(head)) || f.source && isHTML(head) {
			continue
		}
		return f.name
	}
	return ""
}

// Source reports whether documents of a format are text with marks, such as Markdown. They are
// legible as plain text, too.
func Source(name string) bool {
	return slices.ContainsFunc(formats, func(f format) bool { return f.name == name && f.source })
}

// MediaType returns the media type of a format, "" if the format is unknown.
func MediaType(name string) string {
	for i := range formats {
		if formats[i].name == name {
			return formats[i].media[0]
		}
	}
	return ""
}

// isPDF reports whether the mark of PDF is among the first bytes, where readers accept it.
func isPDF(head []byte) bool {
	return !bytes.HasPrefix(head, []byte("<")) && bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-"))
}

// isPacked reports whether a document begins as a zip archive, or as an encrypted package.
func isPacked(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte(ole))
}

// ole is the mark of compound files. Encrypted Office documents are such files.
const ole = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"

// member returns the name of the first file of a zip archive, and the bytes after it.
func member(head []byte) (name string, rest []byte) {
	if !bytes.HasPrefix(head, []byte("PK\x03\x04")) || len(head) < 30 {
		return "", nil
	}
	n, extra := int(head[26])|int(head[27])<<8, int(head[28])|int(head[29])<<8
	if len(head) < 30+n+extra {
		return "", nil
	}
	return string(head[30 : 30+n]), head[30+n+extra:]
}

// packageType returns the media type that the first file of a package states, as in EPUB and ODF.
func packageType(head []byte) string {
	name, rest := member(head)
	if name != "mimetype" {
		return ""
	}
	rest, _, _ = bytes.Cut(rest[:min(len(rest), 100)], []byte("PK"))
	return strings.TrimSpace(string(rest))
}

func isODT(head []byte) bool {
	t := packageType(head)
	return strings.HasPrefix(t, "application/vnd.oasis.opendocument.text") ||
		hasRoot(head, "<office:document") && bytes.Contains(head[:min(len(head), 4096)], []byte("opendocument.text"))
}

// isOffice reports whether raw is a package of Office Open XML whose files include the folder.
func isOffice(raw []byte, folder string) bool {
	first, _ := member(raw)
	switch top, _, _ := strings.Cut(first, "/"); top {
	case "[Content_Types].xml", "_rels", "docProps", "word", "ppt", "customXml":
		return bytes.Contains(raw, []byte(folder))
	}
	return false
}

// hasRoot reports whether XML begins with the tag.
func hasRoot(head []byte, tag string) bool {
	if !bytes.HasPrefix(head, []byte("<")) {
		return false
	}
	found := false
	for head = head[:min(len(head), 4096)]; ; head = head[1:] {
		i := bytes.IndexByte(head, '<')
		if i < 0 {
			return found
		}
		head = head[i:]
		if bytes.HasPrefix(head, []byte("<html")) {
			return false
		}
		found = found || bytes.HasPrefix(head, []byte(tag))
	}
}

// ascii returns the ASCII characters of the first lines of head, if it is UTF-16 with a byte-order
// mark; else head.
func ascii(head []byte) []byte {
	if !runes.HasUTF16Mark(head) {
		return head
	}
	return bytes.ReplaceAll(head[2:min(len(head), 200)], []byte{0}, nil)
}

// isSRT reports whether head begins with a number and a line of two times.
func isSRT(head []byte) bool {
	head = ascii(head)
	head = bytes.ReplaceAll(head[:min(len(head), 100)], []byte("\r"), []byte("\n"))
	number, rest, _ := bytes.Cut(head, []byte("\n"))
	number = bytes.TrimSpace(number)
	if len(number) == 0 || len(number) > 8 || len(bytes.Trim(number, "0123456789")) > 0 {
		return false
	}
	from, to, ok := bytes.Cut(bytes.TrimSpace(rest), []byte(" --> "))
	isTime := func(b []byte) bool { return len(b) >= 8 && len(bytes.Trim(b[:8], "0123456789:,.")) == 0 }
	return ok && isTime(from) && isTime(to)
}

// fields are header fields that messages have; two of them, or one that only mail has, make a
// message.
var fields = []string{"from", "date", "subject", "message-id", "newsgroups", "received", "return-path", "mime-version", "path", "delivered-to", "to"}

// field matches a line that may be a header field.
var field = lazyregexp.New(`^[A-Za-z][\w-]*:`)

// isMessage reports whether head begins with lines of header fields as mail and news have.
func isMessage(head []byte) bool {
	found := 0
	for line := range bytes.Lines(head[:min(len(head), 4096)]) {
		if line[0] == ' ' || line[0] == '\t' {
			continue
		}
		name, _, ok := bytes.Cut(line, []byte(":"))
		if !ok || len(name) == 0 || bytes.ContainsAny(name, " \t<>\"") {
			break
		}
		if slices.Contains(fields, strings.ToLower(string(name))) {
			found++
		}
	}
	return found >= 3
}
