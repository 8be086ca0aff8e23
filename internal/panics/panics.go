// Package panics makes an error of a panic, so that a fault of ours that one
// document meets does not end the work on all others. Whoever works on foreign
// documents calls [Catch] for each.
package panics

import (
	"errors"
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
)

// Panic is a panic as an error. Its message is short and says where in the
// program; [Detail] adds the stack.
type Panic struct {
	Value any
	Stack []byte
	place string // file and line of ours where it happened
}

// Catch calls fn and returns its error, or its panic as a [*Panic].
func Catch(fn func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = caught(v)
		}
	}()
	return fn()
}

// caught describes the panic that is being recovered; one that was caught on
// another goroutine and raised again stays what it is.
func caught(v any) *Panic {
	if p, ok := v.(*Panic); ok {
		return p
	}
	return &Panic{Value: v, Stack: debug.Stack(), place: place()}
}

// ours is what the names of our functions begin with.
const ours = "chaffinch/"

// place returns file and line of the innermost function of ours below the panic.
func place() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	below := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			below = true
		case below && strings.HasPrefix(f.Function, ours):
			return fmt.Sprintf("%s:%d", path.Join(path.Base(path.Dir(f.File)), path.Base(f.File)), f.Line)
		}
		if !more {
			return ""
		}
	}
}

// Error tells in one line what happened and where.
func (p *Panic) Error() string {
	if p.place == "" {
		return fmt.Sprintf("fault of the program: %v", p.Value)
	}
	return fmt.Sprintf("fault of the program at %s: %v", p.place, p.Value)
}

// Unwrap returns the value of the panic if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Detail returns the message of err and, if a panic is behind it, the stack: for
// lists of errors that somebody reads who looks for the fault.
func Detail(err error) string {
	var p *Panic
	if errors.As(err, &p) {
		return fmt.Sprintf("%v\n%s", err, p.Stack)
	}
	return err.Error()
}
