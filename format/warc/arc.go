package warc

import (
	"bytes"
	"fmt"
	"io"
	"net/netip"
	"strings"
)

// The ARC format precedes WARC. It has one line of fields before each block (B. Burner and
// B. Kahle, "Arc File Format", 1996). Version 1 has five fields, version 2 ten.

const arcMagic = "filedesc://"

// arcLine holds the fields of a line.
type arcLine struct {
	uri, ip, date, mime string
	length              int64
}

// parseARC parses the line before a record. Addresses may contain blanks, so fields are
// parsed from the right. It reports whether the line belongs to an ARC record. The length is
// -1 if it is not a number.
func parseARC(line string) (l arcLine, ok bool) {
	line = strings.TrimRight(line, "\r\n")
	f := strings.Split(line, " ")
	scheme, _, has := strings.Cut(f[0], ":")
	if !has || scheme == "" || len(f) < 5 || strings.ContainsAny(scheme, "<>\"'=/") {
		return l, false
	}
	fields := func(n int) { // after the address
		k := len(f) - n
		l = arcLine{strings.Join(f[:k], " "), f[k], f[k+1], f[k+2], parseLength(f[len(f)-1])}
	}
	for _, n := range [...]int{4, 9} { // version 1, version 2
		if len(f) <= n {
			break
		}
		if fields(n); isDigits(l.date) && len(l.date) >= 8 && len(l.date) <= 20 {
			return l, true
		}
	}
	for n := 5; n < min(len(f), 9); n++ { // a media type with blanks, such as "text/html; charset=utf-8"
		if fields(n); isDigits(l.date) && len(l.date) == 14 && isIP(l.ip) {
			l.mime = strings.Join(f[len(f)-n+2:len(f)-1], " ")
			return l, true
		}
	}
	if fields(4); strings.HasPrefix(l.uri, arcMagic) && len(f) == 5 { // a version block with unusual fields
		return l, true
	}
	return l, false
}

func isIP(s string) bool { _, err := netip.ParseAddr(s); return err == nil }

func isDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// findARC returns the index of the first line of b, not at 0, that begins an ARC record, or
// -1.
func findARC(b []byte) int {
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], '\n')
		if i < 0 {
			return -1
		}
		at += i + 1
		line, _, whole := bytes.Cut(b[at:], []byte("\n"))
		if _, ok := parseARC(string(line)); ok && whole && len(line) < maxLine {
			return at
		}
	}
}

// headARC reads the line before a record.
func (r *Reader) headARC(rec *Record) error {
	b, err := r.in.Peek(maxLine)
	if len(b) == 0 {
		return err
	}
	line, _, whole := bytes.Cut(b, []byte("\n"))
	l, ok := parseARC(string(line))
	if !ok {
		return fmt.Errorf("%w: found %q, wanted an ARC line: address, IP, date, type, length", ErrHeader, line[:min(len(line), 60)])
	}
	rec.Version, rec.Type = "ARC/1", "response"
	rec.URI, rec.Length, rec.Date = l.uri, l.length, arcDate(l.date)
	if strings.HasPrefix(l.uri, arcMagic) {
		rec.Type = "warcinfo"
	}
	rec.Header = Header{{"WARC-Type", rec.Type}, {"WARC-Target-URI", l.uri}, {"WARC-IP-Address", l.ip},
		{"WARC-Date", rec.Date}, {"Content-Type", l.mime}, {"Content-Length", string(line[bytes.LastIndexByte(line, ' ')+1:])}}
	n := int64(len(line))
	if whole {
		n++
	}
	r.in.Discard(n)
	return nil
}

// arcDate converts 20140216050221 to 2014-02-16T05:02:21Z. Missing parts of the time become
// zero. Other forms are returned unchanged.
func arcDate(s string) string {
	if !isDigits(s) || len(s) < 8 {
		return s
	}
	s += "000000"[:max(0, 14-len(s))]
	return s[:4] + "-" + s[4:6] + "-" + s[6:8] + "T" + s[8:10] + ":" + s[10:12] + ":" + s[12:14] + "Z"
}

// afterARC checks that an ARC line or the end of the file follows the block.
func (r *Reader) afterARC(rec *Record) error {
	b, err := r.in.Peek(maxLine)
	if len(b) == 0 && err == io.EOF {
		if rec.Length >= 0 {
			return nil
		}
	} else if line, _, _ := bytes.Cut(b, []byte("\n")); rec.Length >= 0 {
		if _, ok := parseARC(string(line)); ok || r.in.AtMember() {
			return nil
		}
	} else if _, ok := parseARC(string(line)); !ok {
		r.scan(0)
	}
	e := &Error{Pos: rec.Pos, Record: rec.ID}
	if rec.Length < 0 {
		e.Err = fmt.Errorf("%w: %q of %s", ErrLength, rec.Header.Get("Content-Length"), rec.URI)
		return e
	}
	off := r.in.Offset()
	r.scan(0)
	e.Err = fmt.Errorf("%w: %d bytes, then no ARC line; %d bytes passed", ErrLength, rec.Length, r.in.Offset()-off)
	return e
}
