package robots

// Access is what the answer to a request for robots.txt means.
type Access uint8

// What an answer means (RFC 9309, section 2.3.1).
const (
	// Disallowed: nothing may be fetched until robots.txt was asked for again.
	// Rules of the last good answer may serve as long as they are not too old.
	Disallowed Access = iota
	// Stated: the body of the answer holds the rules.
	Stated
	// Unrestricted: there are no rules, all may be fetched.
	Unrestricted
	// Redirected: the answer names another place. At least five of these in a row
	// are to be followed, on other hosts too; the rules are then those of the
	// host that was asked first. If there are more, there are no rules.
	Redirected
	// Unchanged: the rules of the last good answer hold.
	Unchanged
)

var accesses = [...]string{Disallowed: "disallowed", Stated: "stated", Unrestricted: "unrestricted", Redirected: "redirected", Unchanged: "unchanged"}

// String returns the name of a, such as "disallowed".
func (a Access) String() string { return accesses[a] }

// Outcome tells what an answer to a request for robots.txt means, by its status or
// the error that stood in its place: no address, no connection, no answer in time,
// a body that ends early.
func Outcome(status int, err error) Access {
	switch {
	case err != nil:
		return Disallowed
	case status >= 200 && status < 300:
		return Stated
	case status == 304:
		return Unchanged
	case status >= 300 && status < 400:
		return Redirected
	case status >= 400 && status < 500 && status != 429: // not there, or not for us to read
		return Unrestricted
	}
	return Disallowed
}
