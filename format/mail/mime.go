package mail

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"strings"
	"unicode/utf8"

	"chaffinch/text/charset"
)

// Limits on the parts of a message.
const (
	maxDepth  = 20
	maxParts  = 1000
	maxFields = 1 << 16 // bytes of header fields
)

// part is a message or a part of one. Names of fields are in lower case.
type part struct {
	fields map[string]string
	body   []byte
	media  string
	params map[string]string
}

// parse reads the header of a part. Folded fields are joined. Of repeated fields, the first counts.
func parse(raw []byte, fallback string) *part {
	p := &part{fields: map[string]string{}}
	name, size := "", 0
	for len(raw) > 0 {
		line, rest, _ := bytes.Cut(raw, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 {
			raw = rest
			break
		}
		if line[0] == ' ' || line[0] == '\t' {
			if size += len(line); name != "" && size < maxFields {
				p.fields[name] += " " + string(bytes.TrimSpace(line))
			}
			raw = rest
			continue
		}
		key, value, ok := bytes.Cut(line, []byte(":"))
		if !ok || bytes.ContainsAny(key, " \t") {
			if bytes.HasPrefix(line, []byte(">From ")) || name == "" && isSeparator(line) {
				raw = rest
				continue
			}
			break // text without an empty line before it
		}
		name = strings.ToLower(string(key))
		if _, again := p.fields[name]; again || size > maxFields {
			name = ""
		} else {
			p.fields[name] = string(bytes.TrimSpace(value))
			size += len(line)
		}
		raw = rest
	}
	p.body = raw
	p.media, p.params = mediaType(p.fields["content-type"])
	if p.media == "" {
		p.media = fallback
	}
	return p
}

// mediaType parses a field with a value and parameters. Damaged parameters are left out.
func mediaType(field string) (value string, params map[string]string) {
	value, params, err := mime.ParseMediaType(field)
	if err == nil {
		return value, params
	}
	pieces := strings.Split(field, ";")
	params = map[string]string{}
	for _, p := range pieces[1:] {
		name, v, _ := strings.Cut(p, "=")
		params[strings.ToLower(strings.TrimSpace(name))] = strings.Trim(strings.TrimSpace(v), `"`)
	}
	return strings.ToLower(strings.TrimSpace(pieces[0])), params
}

// parts splits the body of a multipart message at its boundaries. ended reports whether the last
// boundary was found.
func (p *part) parts() (list [][]byte, ended bool) {
	boundary := []byte("--" + p.params["boundary"])
	if len(boundary) == 2 {
		return nil, false
	}
	start := -1
	at := 0
	for line := range bytes.Lines(p.body) {
		from := at
		at += len(line)
		if !bytes.HasPrefix(line, boundary) {
			continue
		}
		rest := bytes.TrimRight(line[len(boundary):], " \t\r\n")
		if len(rest) > 0 && string(rest) != "--" {
			continue // a longer boundary
		}
		if start >= 0 {
			list = append(list, bytes.TrimSuffix(bytes.TrimSuffix(p.body[start:from], []byte("\n")), []byte("\r")))
		}
		if start = at; len(rest) > 0 {
			return list, true
		}
		if len(list) >= maxParts {
			return list, false
		}
	}
	if start >= 0 {
		list = append(list, p.body[start:])
	}
	return list, false
}

// isAttachment reports whether a part is a file that the message carries.
func (p *part) isAttachment() bool {
	disposition, params := mediaType(p.fields["content-disposition"])
	return disposition == "attachment" || params["filename"] != "" && p.media != "text/html" ||
		p.params["name"] != "" && p.media != "text/plain" && p.media != "text/html"
}

// bytes returns the body without its transfer encoding.
func (p *part) bytes() []byte {
	switch encoding, _, _ := strings.Cut(strings.ToLower(p.fields["content-transfer-encoding"]), ";"); strings.TrimSpace(encoding) {
	case "base64":
		return fromBase64(p.body)
	case "quoted-printable":
		return fromQuotedPrintable(p.body)
	case "x-uuencode", "uuencode", "x-uue":
		return nil
	}
	return p.body
}

// text returns the body as UTF-8 with line feeds.
func (p *part) text() string {
	text := charset.Decode(p.bytes(), p.params["charset"]).Text
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// fromBase64 decodes b. Text may follow padding, if each line or part of it was encoded separately. Other
// bytes are ignored, and lines after padding that are not base64, as mailing lists add them, too.
func fromBase64(b []byte) []byte {
	out := make([]byte, 0, len(b)/4*3+3)
	clean := make([]byte, 0, len(b))
	flush := func() {
		if len(clean)%4 == 1 {
			clean = clean[:len(clean)-1]
		}
		out, _ = base64.RawStdEncoding.AppendDecode(out, clean)
		clean = clean[:0]
	}
	padded := false
	for line := range bytes.Lines(b) {
		line = bytes.TrimSpace(line)
		if padded && len(line) > 0 && (len(line)%4 > 0 || bytes.IndexFunc(bytes.TrimRight(line, "="), isNotBase64) >= 0) {
			break
		}
		text, _, padding := bytes.Cut(line, []byte("="))
		for _, c := range text {
			if !isNotBase64(rune(c)) {
				clean = append(clean, c)
			}
		}
		if padding {
			flush()
			padded = true
		}
	}
	flush()
	return out
}

func isNotBase64(r rune) bool {
	return !(r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '+' || r == '/')
}

// fromQuotedPrintable decodes quoted-printable. Damaged escapes remain unchanged.
func fromQuotedPrintable(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for line := range bytes.Lines(b) {
		end := bytes.HasSuffix(line, []byte("\n"))
		line = bytes.TrimRight(line, " \t\r\n")
		soft := bytes.HasSuffix(line, []byte("="))
		if soft {
			line = line[:len(line)-1]
		}
		for i := 0; i < len(line); i++ {
			if line[i] == '=' && i+2 < len(line) && hex(line[i+1]) >= 0 && hex(line[i+2]) >= 0 {
				out = append(out, byte(hex(line[i+1])<<4|hex(line[i+2])))
				i += 2
				continue
			}
			out = append(out, line[i])
		}
		if end && !soft {
			out = append(out, '\n')
		}
	}
	return out
}

func hex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

var words = mime.WordDecoder{CharsetReader: func(label string, in io.Reader) (io.Reader, error) {
	b, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	return strings.NewReader(charset.Decode(b, label).Text), nil
}}

// field returns the text of a header field with its encoded words decoded (RFC 2047).
func (p *part) field(name string) string {
	value := p.fields[name]
	if !utf8.ValidString(value) {
		value = charset.Decode([]byte(value), p.params["charset"]).Text
	}
	if decoded, err := words.DecodeHeader(value); err == nil {
		value = decoded
	}
	return strings.Join(strings.Fields(value), " ")
}
