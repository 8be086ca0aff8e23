package page

import (
	"errors"
	"fmt"
	"testing"
)

// TestError: a message has the known parts of the place, and errors.Is finds the cause.
func TestError(t *testing.T) {
	cause := errors.New("cut off")
	for want, e := range map[string]*Error{
		"cut off":                  {Offset: -1, Err: cause},
		"a.jsonl: cut off":         {File: "a.jsonl", Offset: -1, Err: cause},
		"a.jsonl: byte 0: cut off": {File: "a.jsonl", Err: cause},
		"a.vert: line 7: byte 30: document x: cut off": {File: "a.vert", Line: 7, Offset: 30, Document: "x", Err: cause},
		"a.warc: record <urn:1>: byte 99: cut off":     {File: "a.warc", Record: "<urn:1>", Offset: 99, Err: cause},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if !errors.Is(e, cause) || AsError(e) != e {
			t.Errorf("%v: the cause or the error itself is lost", e)
		}
	}
	wrapped := fmt.Errorf("set: %w", &Error{File: "a", Offset: -1, Err: cause})
	if got := AsError(wrapped).Error(); got != "set: a: cut off" {
		t.Errorf("an error around one with a place says %q", got)
	}
}
