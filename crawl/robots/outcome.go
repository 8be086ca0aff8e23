package robots

// Access is the meaning of a response to a request for robots.txt.
type Access uint8

// Meanings of a response (RFC 9309, section 2.3.1).
const (
	// Disallowed means that nothing may be fetched until robots.txt is requested again. The rules
	// of the last successful response may be used unless they are too old.
	Disallowed Access = iota
	// Stated means that the body holds the rules.
	Stated
	// Unrestricted means that there are no rules: everything may be fetched.
	Unrestricted
	// Redirected means that the rules are at another URL. At least five redirects in a row must be
	// followed, also to other hosts; the rules apply to the original host. After more redirects
	// there are no rules.
	Redirected
	// Unchanged means that the rules of the last successful response apply.
	Unchanged
)

var accesses = [...]string{Disallowed: "disallowed", Stated: "stated", Unrestricted: "unrestricted", Redirected: "redirected", Unchanged: "unchanged"}

// String returns the name of a, such as "disallowed".
func (a Access) String() string { return accesses[a] }

// Outcome returns the meaning of a response to a request for robots.txt, by its status or, if there
// is no complete response, the error.
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
	case status >= 400 && status < 500 && status != 429: // missing, or access is denied
		return Unrestricted
	}
	return Disallowed
}
