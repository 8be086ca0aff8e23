package main

import (
	"errors"
	"fmt"
	"io"

	"chaffinch/internal/disk"
	"chaffinch/internal/guard"
)

// tellFault tells where the stack is, which a fault of the program leaves in a
// file: it is for those who mend it, not for the screen.
func tellFault(w io.Writer, err error) {
	if !errors.As(err, new(*guard.Panic)) {
		return
	}
	f, e := disk.CreateTemp("", "chaffinch-fault-*.txt")
	if e == nil {
		_, e = fmt.Fprintln(f, guard.Detail(err))
		e = errors.Join(e, f.Close())
	}
	if e == nil {
		fmt.Fprintf(w, "chaffinch: please report this with %s\n", f.Name())
	}
}
