package mail

import (
	"bytes"

	"chaffinch/internal/lazyregexp"
)

// separator matches the line before a message of an mbox file: an address and a date.
var separator = lazyregexp.New(`^From (?:\S.*)?\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? .*\d{1,2}:\d\d.*\d{4}|^From \S+@\S+ .*\d{1,2}:\d\d`)

// fieldName matches the beginning of a header field.
var fieldName = lazyregexp.New(`^>?[A-Za-z][A-Za-z0-9-]*:|^>From `)

// isSeparator reports whether line precedes a message of an mbox file.
func isSeparator(line []byte) bool {
	return len(line) < 500 && bytes.HasPrefix(line, []byte("From ")) && separator().Match(line)
}

// Begins reports whether b begins with the separator of an mbox file and a header field, or with
// the separator of a batch of news. The header distinguishes a separator from text.
func Begins(b []byte) bool {
	if bytes.HasPrefix(b, []byte("#! rnews ")) {
		return true
	}
	line, rest, ok := bytes.Cut(b, []byte("\n"))
	return ok && isSeparator(line) && fieldName().Match(rest)
}

// Message returns the message of a record of an mbox file or batch, without its separator. One ">"
// is removed from quoted From lines of the body.
func Message(record []byte) []byte {
	record = trimBatch(record)
	if line, rest, _ := bytes.Cut(record, []byte("\n")); isSeparator(line) {
		record = rest
	}
	if !bytes.Contains(record, []byte(">From ")) {
		return record
	}
	out := make([]byte, 0, len(record))
	for line := range bytes.Lines(record) {
		if line[0] == '>' && bytes.HasPrefix(bytes.TrimLeft(line, ">"), []byte("From ")) {
			line = line[1:]
		}
		out = append(out, line...)
	}
	return out
}

// trimBatch removes the separator of a batch of news.
func trimBatch(raw []byte) []byte {
	if bytes.HasPrefix(raw, []byte("#! rnews ")) {
		_, raw, _ = bytes.Cut(raw, []byte("\n"))
	}
	return raw
}

// ID returns the identifier of a message without angle brackets, "" if it has none.
func ID(message []byte) string {
	return string(bytes.Trim([]byte(parse(message, "").fields["message-id"]), "<> "))
}
