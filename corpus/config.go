package corpus

// ConfigError reports an invalid field of a configuration.
type ConfigError struct {
	// Field is the name of the field in the configuration, such as Attr.
	Field string
	Err   error
}

// Error returns the reason.
func (e *ConfigError) Error() string { return e.Err.Error() }

// Unwrap returns the underlying error.
func (e *ConfigError) Unwrap() error { return e.Err }

// inField wraps err, if not nil, in a ConfigError for the named field.
func inField(name string, err error) error {
	if err == nil {
		return nil
	}
	return &ConfigError{name, err}
}
