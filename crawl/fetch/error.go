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

// Reason is why nothing came from a server, as counted for its host.
type Reason uint8

// The reasons. Their order is part of no format: files hold the names.
const (
	Failed         Reason = iota // for another reason
	NoName                       // the name does not exist, or has no address
	NoResolver                   // the name could not be looked up
	PrivateAddress               // an address that is not of the public internet
	BadPort                      // a port of another service
	Refused                      // the server refused the connection
	Unreachable                  // no way to the server
	ConnectTimeout               // no connection in time
	BadTLS                       // the TLS handshake failed
	BadCertificate               // the server's certificate is not valid
	NoAnswer                     // no first byte, or no whole head, in time
	Closed                       // the connection ended before the head did
	BadHead                      // what came is no HTTP
	LongHead                     // the head is longer than the limit
	BadProxy                     // the proxy did not let us through
	Canceled                     // the caller ended it
)

var reasons = [...]string{"failed", "no-name", "no-resolver", "private-address", "bad-port", "refused", "unreachable", "connect-timeout",
	"bad-tls", "bad-certificate", "no-answer", "closed", "bad-head", "long-head", "bad-proxy", "canceled"}

// String returns the name of r, such as "no-name".
func (r Reason) String() string { return reasons[r] }

// Error says why nothing came from a server.
type Error struct {
	// URL is the address that was asked for; zero of a look-up.
	URL weburl.URL
	// Reason is why, in a word.
	Reason Reason
	// Err is what went wrong.
	Err error
}

// Error names the address, the reason and what went wrong.
func (e *Error) Error() string {
	if e.URL.IsZero() {
		return fmt.Sprintf("%s: %v", e.Reason, e.Err)
	}
	return fmt.Sprintf("%s: %s: %v", e.URL, e.Reason, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// blame makes an Error of err, whose reason is told by the caller's end, by an Error
// that it is already, or as that of another kind.
func (x *exchange) blame(err error) *Error {
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

// dialReason tells why a connection could not be opened.
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
