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

// Result holds a response.
type Result struct {
	// URL is the requested URL.
	URL weburl.URL
	// Request and Response are the bytes as sent. Interim responses are left out.
	Request, Response []byte
	// Head is the number of bytes before the body in Response.
	Head int
	// Status is the status code, and Header holds the fields of the head.
	Status int
	Header warc.Header
	// Body is the body without codings. It may share memory with Response.
	Body []byte
	// Truncated is the reason why Response is incomplete, a value of the field WARC-Truncated:
	// "length", "time" or "disconnect". It is "" for a complete response.
	Truncated string
	// Cut is the reason why Body is incomplete, or None. Fault is the error that caused it.
	Cut   page.Reason
	Fault error
	// Location is the target of a redirect; zero if there is none or it is not http or https.
	Location weburl.URL
	// IP is the address of the server; invalid if a proxy was used.
	IP netip.Addr
	// TLS is nil for plain HTTP.
	TLS *TLS
	// Start is the time of the call. Connected, FirstByte and Total are the durations until the
	// connection was established with TLS, until the first byte, and until the end.
	Start                       time.Time
	Connected, FirstByte, Total time.Duration

	sentBudget   *budget.Share // budget of Response; nil without Config.MaxFlight
	unpackBudget *budget.Budget
	unpacked     int64 // bytes taken from that budget
}

// Release returns the memory of the bodies, which must not be used afterwards, to the budget. It is
// required only with [Config.MaxFlight], and may be called several times.
func (r *Result) Release() {
	if r.sentBudget != nil {
		r.sentBudget.Close()
		r.setUnpacked(0)
	}
}

// setUnpacked sets the bytes that Body takes from the budget.
func (r *Result) setUnpacked(bytes int64) {
	switch {
	case r.unpackBudget == nil:
		return
	case bytes > r.unpacked:
		r.unpackBudget.Take(bytes-r.unpacked, r.unpacked)
	default:
		r.unpackBudget.Give(r.unpacked - bytes)
	}
	r.unpacked = bytes
}

// TLS describes an encrypted connection.
type TLS struct {
	// Version and Cipher are names such as "TLS 1.3".
	Version, Cipher string
	// Fault is the error of the certificate; "" if it is valid.
	Fault string
}

// Values of the field WARC-Truncated.
const (
	cutLength     = "length"
	cutTime       = "time"
	cutDisconnect = "disconnect"
)

// cut records an error of decompression.
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
	case r.Truncated != "": // by the reason that truncated the response
	default:
		r.Cut = page.BadEncoding
	}
}

// truncate records that the response is incomplete.
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

// newReader returns a reader of b with a buffer of size bytes.
func newReader(b []byte, size int) *bufio.Reader {
	return bufio.NewReaderSize(bytes.NewReader(b), size)
}
