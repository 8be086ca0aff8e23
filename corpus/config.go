package corpus

// ConfigError says which field of a configuration cannot be used, and why.
type ConfigError struct {
	// Field is its name in the Config, such as Attr.
	Field string
	Err   error
}

// Error says why.
func (e *ConfigError) Error() string { return e.Err.Error() }

// Unwrap returns why.
func (e *ConfigError) Unwrap() error { return e.Err }

// inField blames a field of a configuration for an error, if there is one.
func inField(name string, err error) error {
	if err == nil {
		return nil
	}
	return &ConfigError{name, err}
}
