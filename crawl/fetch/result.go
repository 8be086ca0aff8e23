package fetch

import (
	"bufio"
	"bytes"
	"errors"
	"net/netip"
	"time"

	"chaffinch/format/warc"
	"chaffinch/internal/budget"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

// Result is what a server sent.
type Result struct {
	// URL is the address that was asked for.
	URL weburl.URL
	// Request and Response are the bytes as they were sent. Of several responses it
	// is the last: those that only announce another are left out.
	Request, Response []byte
	// Head is the number of bytes before the body in Response.
	Head int
	// Status is the status, such as 200, and Header the fields of the head.
	Status int
	Header warc.Header
	// Body is the body without its codings. It may share the memory of Response.
	Body []byte
	// Truncated says why Response is not all that there was, as the field
	// WARC-Truncated has it: "length", "time" or "disconnect"; "" if it is all.
	Truncated string
	// Cut says why Body is not all that there was, None if it is, and Fault what was
	// wrong there.
	Cut   page.Reason
	Fault error
	// Location is where a redirect leads; zero if there is none, or no http address.
	Location weburl.URL
	// IP is the address that was asked, invalid if a proxy was.
	IP netip.Addr
	// TLS is nil for plain HTTP.
	TLS *TLS
	// Start is when the client began; Connected, FirstByte and Total are how long it
	// took to a connection with its TLS, to the first byte and to the end.
	Start                       time.Time
	Connected, FirstByte, Total time.Duration

	sent     *budget.Share // of Response; nil without Config.MaxFlight
	from     *budget.Budget
	unpacked int64 // that Body has of it
}

// Release gives back the bytes of the bodies, which must not be used afterwards, to other
// requests. It is needed with [Config.MaxFlight] only, and may be called again.
func (r *Result) Release() {
	if r.sent != nil {
		r.sent.Close()
		r.unpack(0)
	}
}

// unpack changes what Body has of the budget; more than nothing at first, then less.
func (r *Result) unpack(bytes int64) {
	switch {
	case r.from == nil:
		return
	case bytes > r.unpacked:
		r.from.Take(bytes-r.unpacked, r.unpacked)
	default:
		r.from.Give(r.unpacked - bytes)
	}
	r.unpacked = bytes
}

// TLS is what is known of an encrypted connection.
type TLS struct {
	// Version and Cipher are their names, such as "TLS 1.3".
	Version, Cipher string
	// Fault is what is wrong with the certificate, "" if it can be trusted.
	Fault string
}

// The values of the field WARC-Truncated.
const (
	cutLength     = "length"
	cutTime       = "time"
	cutDisconnect = "disconnect"
)

// cut takes what went wrong when the body was unpacked.
func (r *Result) cut(err error) {
	if err == nil {
		return
	}
	r.Fault = err
	switch {
	case errors.Is(err, warc.ErrTooLarge):
		r.Cut = page.TooLarge
	case errors.Is(err, warc.ErrTooDense):
		r.Cut = page.TooCompressed
	case r.Truncated != "": // by what cut the response
	default:
		r.Cut = page.BadEncoding
	}
}

// truncate notes that the response is not all that there was.
func (r *Result) truncate(why string, err error) {
	r.Truncated, r.Fault = why, err
	switch why {
	case cutLength:
		r.Cut = page.TooLarge
	case cutTime:
		r.Cut = page.TooSlow
	default:
		r.Cut = page.Truncated
	}
}

// reader returns a reader of b with a buffer of size bytes.
func reader(b []byte, size int) *bufio.Reader { return bufio.NewReaderSize(bytes.NewReader(b), size) }
