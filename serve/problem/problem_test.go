package problem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

// TestOf: the status of each kind of error. A full disk is no fault of the program, and the client does
// not see where it is.
func TestOf(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "/srv/store/a", Err: syscall.ENOSPC}
	for want, err := range map[int]error{
		422: fmt.Errorf("in a step: %w", New(422, "wrong")), 504: context.DeadlineExceeded, 499: context.Canceled, 500: errors.New("a fault"),
		507: fmt.Errorf("the label could not be saved: %w", full),
	} {
		if p := Of(err); p.Status != want || strings.Contains(p.Detail, "/srv") || p.Title == "" && want != StatusLeft {
			t.Errorf("%v: %+v, wanted status %d", err, p, want)
		}
	}
	if p := Of(&fs.PathError{Op: "write", Path: "/srv/store/a", Err: syscall.EDQUOT}); p.Status != 507 || !strings.HasPrefix(p.Detail, "write a: ") {
		t.Errorf("%+v", p)
	}
}
