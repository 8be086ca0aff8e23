package main

import (
	"errors"
	"fmt"
	"io"

	"chaffinch/internal/disk"
	"chaffinch/internal/panics"
)

// faults reports and counts items skipped because of an internal error. Only the first
// stack is printed, since errors of one cause are often numerous.
type faults struct {
	con *console
	n   int64
}

func (f *faults) report(err error) {
	if f.n++; f.n <= shownErrors {
		fmt.Fprintf(f.con.err, "chaffinch: %v\n", err)
	}
	if f.n == 1 {
		printFault(f.con.err, err)
	}
}

// judge is the error of a run that met faults, each on one thing such as a file.
func (f *faults) judge(thing, what string) error {
	if f.n == 0 {
		return nil
	}
	return errNo{fmt.Sprintf("%s caused an internal error%s; all others are done", count(f.n, thing), what)}
}

// printFault prints the file that holds the stack of an internal error.
func printFault(w io.Writer, err error) {
	if !errors.As(err, new(*panics.Panic)) {
		return
	}
	f, e := disk.CreateTemp("", "chaffinch-fault-*.txt")
	if e == nil {
		_, e = fmt.Fprintln(f, panics.Detail(err))
		e = errors.Join(e, f.Close())
	}
	if e == nil {
		fmt.Fprintf(w, "chaffinch: please report this with %s\n", f.Name())
	}
}
