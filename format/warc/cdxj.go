package warc

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// CDX is a line of an index, with the location of a capture.
type CDX struct {
	Key       string `json:"-"` // see [SURT]
	Timestamp string `json:"-"` // 14 digits, UTC
	URL       string `json:"url"`
	MIME      string `json:"mime,omitempty"`
	Status    string `json:"status,omitempty"`
	Digest    string `json:"digest,omitempty"`
	Length    string `json:"length"` // bytes in the file
	Offset    string `json:"offset"`
	Filename  string `json:"filename"`
}

// String returns the line in CDXJ form: key, time, JSON.
func (c CDX) String() string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(c) // strings only: cannot fail
	return c.Key + " " + c.Timestamp + " " + strings.TrimSpace(b.String())
}

// ErrShared is the error for a record that shares a compressed member with other records and
// cannot be indexed.
var ErrShared = errors.New("shares a compressed member with other records: compress each record separately to index it")

// Index calls emit for the response, resource and revisit records of r, in order. It calls
// bad for errors of single records and continues.
func Index(r *Reader, filename string, emit func(CDX) error, bad func(error)) error {
	var last Pos
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			bad(err)
			continue
		}
		var c CDX
		take := rec.Type == "response" || rec.Type == "resource" || rec.Type == "revisit"
		if take {
			c = describe(rec)
		}
		if err := rec.Close(); err != nil {
			bad(err)
		}
		if rec.Pos.Skip > 0 {
			if last.Offset != rec.Pos.Offset || last.Skip == 0 {
				bad(&Error{rec.Pos, rec.ID, ErrShared})
			}
			last = rec.Pos
			continue
		}
		last = rec.Pos
		if !take {
			continue
		}
		c.Offset, c.Filename = strconv.FormatInt(rec.Pos.Offset, 10), filename
		c.Length = strconv.FormatInt(r.EndOffset(rec)-rec.Pos.Offset, 10)
		if err := emit(c); err != nil {
			return err
		}
	}
}

// EndOffset returns the file offset of the end of a closed record.
func (r *Reader) EndOffset(rec *Record) int64 {
	if rec.End.Skip == 0 && rec.End.Offset > rec.Pos.Offset {
		return rec.End.Offset
	}
	return r.in.MemberEnd()
}

// describe returns the CDX fields from the header of the record.
func describe(rec *Record) CDX {
	c := CDX{Key: SURT(rec.URI), URL: rec.URI, Timestamp: timestamp(rec.Date), Digest: rec.Header.Get("WARC-Payload-Digest")}
	s := Summarise(rec)
	c.MIME, c.Status = s.MIME, s.Status
	if rec.Type == "revisit" {
		c.MIME = "warc/revisit"
	}
	return c
}

// timestamp returns the 14 digits of an RFC 3339 date.
func timestamp(date string) string {
	b := make([]byte, 0, 14)
	for i := 0; i < len(date) && len(b) < 14; i++ {
		if isDigit(date[i]) {
			b = append(b, date[i])
		}
	}
	return string(b)
}
