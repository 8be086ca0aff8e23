package settings

import "strings"

// FieldError is what is wrong with one setting. Whoever takes settings under
// other names, such as a command line, says it with those: see [FieldError.In].
type FieldError struct {
	// Field is the name of the setting in snake_case.
	Field string
	Err   error
}

// Error returns the name and what is wrong.
func (e *FieldError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *FieldError) Unwrap() error { return e.Err }

// Flag returns the name of the setting as that of a flag.
func (e *FieldError) Flag() string { return "--" + strings.ReplaceAll(e.Field, "_", "-") }

// In returns text, which holds the message of e, with another name for the
// setting.
func (e *FieldError) In(text, name string) string {
	return strings.Replace(text, e.Error(), name+": "+e.Err.Error(), 1)
}
