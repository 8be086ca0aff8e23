package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"

	"chaffinch/page/weburl"
)

// Reason is the reason why there is no response, as counted per host.
type Reason uint8

// Reasons. Their order is not part of any format: files hold the names.
const (
	Failed         Reason = iota // other reasons
	NoName                       // the name does not exist, or has no address
	NoResolver                   // the name could not be resolved
	PrivateAddress               // the address is not on the public internet
	BadPort                      // the port belongs to another service
	Refused                      // the server refused the connection
	Unreachable                  // no route to the server
	ConnectTimeout               // no connection in time
	BadTLS                       // the TLS handshake failed
	BadCertificate               // the server's certificate is not valid
	NoAnswer                     // no first byte or no complete head in time
	Closed                       // the connection ended before the end of the head
	BadHead                      // the response is not HTTP
	LongHead                     // the head is longer than the limit
	BadProxy                     // the proxy refused the connection
	Canceled                     // the caller canceled the request
)

var reasons = [...]string{"failed", "no-name", "no-resolver", "private-address", "bad-port", "refused", "unreachable", "connect-timeout",
	"bad-tls", "bad-certificate", "no-answer", "closed", "bad-head", "long-head", "bad-proxy", "canceled"}

// String returns the name of r, such as "no-name".
func (r Reason) String() string { return reasons[r] }

// Error is the error of a request without a response.
type Error struct {
	// URL is the requested address; zero for a lookup.
	URL weburl.URL
	// Reason classifies the error.
	Reason Reason
	// Err is the cause.
	Err error
}

// Error returns the address, the reason and the cause.
func (e *Error) Error() string {
	if e.URL.IsZero() {
		return fmt.Sprintf("%s: %v", e.Reason, e.Err)
	}
	return fmt.Sprintf("%s: %s: %v", e.URL, e.Reason, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// asError returns err as an Error. It sets the reason if the caller canceled the request, or if err
// is a timeout.
func (x *exchange) asError(err error) *Error {
	e, ok := err.(*Error)
	if !ok {
		e = &Error{Reason: Failed, Err: err}
	}
	if errors.Is(context.Cause(x.ctx), context.Canceled) {
		e.Reason = Canceled
	} else if e.Reason == Failed && isTimeout(err) {
		e.Reason = NoAnswer
	}
	if x.res != nil {
		e.URL = x.res.URL
	}
	return e
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &n) && n.Timeout()
}

// dialReason returns the reason why a connection could not be opened.
func dialReason(err error) Reason {
	switch {
	case isTimeout(err):
		return ConnectTimeout
	case errors.Is(err, syscall.ECONNREFUSED):
		return Refused
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EADDRNOTAVAIL):
		return Unreachable
	case errors.Is(err, syscall.ECONNRESET):
		return Closed
	}
	return Failed
}
