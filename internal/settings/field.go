package settings

import "strings"

// FieldError is an invalid setting. A caller with other names for settings, such as a command line,
// can replace the name: see [FieldError.In].
type FieldError struct {
	// Field is the name of the setting in snake_case.
	Field string
	Err   error
}

// Error returns the name and the cause.
func (e *FieldError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *FieldError) Unwrap() error { return e.Err }

// Flag returns the name of the setting as a command-line flag.
func (e *FieldError) Flag() string { return "--" + strings.ReplaceAll(e.Field, "_", "-") }

// In returns text, which contains the message of e, with another name for the setting.
func (e *FieldError) In(text, name string) string {
	return strings.Replace(text, e.Error(), name+": "+e.Err.Error(), 1)
}
