package main

import (
	"fmt"

	"chaffinch/text/langid"
)

// langidFile is a model file of languages. It becomes the default of the process before the command
// runs.
type langidFile string

// AfterApply opens the model.
func (f langidFile) AfterApply() error {
	if f == "" {
		return nil
	}
	if err := langid.UseModel(string(f)); err != nil {
		return fmt.Errorf("--langid: %w", err)
	}
	return nil
}
