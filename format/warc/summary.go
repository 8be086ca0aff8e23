package warc

import (
	"bufio"
	"strconv"
)

// Summary describes a record in a list.
type Summary struct {
	MIME   string // of the payload
	Status string // HTTP status, "" if the record has none
}

// Summarise returns the summary from the HTTP head of a response or the type of another
// record. It consumes bytes of the block.
func Summarise(rec *Record) Summary {
	ct := rec.Header.Get("Content-Type")
	var s Summary
	if rec.Type == "response" || rec.Type == "revisit" {
		if rec.r.heads == nil {
			rec.r.heads = bufio.NewReaderSize(nil, 64<<10)
		}
		rec.r.heads.Reset(rec)
		if h, err := ReadHTTP(rec.r.heads); err == nil {
			ct = h.Header.Get("Content-Type")
			if h.Status > 0 {
				s.Status = strconv.Itoa(h.Status)
			}
		} else if rec.HasHTTP() {
			ct = ""
		}
	}
	s.MIME, _ = MediaType(ct)
	return s
}
