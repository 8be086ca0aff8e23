// Package panics turns panics into errors with [Catch], so that a fault in the processing of one
// document does not stop the processing of others. [Detail] returns the stack.
package panics

import (
	"errors"
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
)

// Panic is a panic as an error. Its message is short and contains the file and line; [Detail] adds
// the stack.
type Panic struct {
	Value any
	Stack []byte
	place string // file and line in this module
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

// caught returns a Panic for the recovered value v. A panic that was caught on another goroutine
// and raised again is returned unchanged.
func caught(v any) *Panic {
	if p, ok := v.(*Panic); ok {
		return p
	}
	return &Panic{Value: v, Stack: debug.Stack(), place: place()}
}

// ours is the prefix of the names of functions of this module.
const ours = "chaffinch/"

// place returns file and line of the innermost function of this module below the panic.
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

// Error returns the value and the place of the panic in one line.
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

// Detail returns the message of err and, if it wraps a panic, the stack, for developers.
func Detail(err error) string {
	var p *Panic
	if errors.As(err, &p) {
		return fmt.Sprintf("%v\n%s", err, p.Stack)
	}
	return err.Error()
}
