package main

import (
	"fmt"

	"github.com/alecthomas/kong"

	"chaffinch/text/langid"
)

// langidFile is a model file of languages. It becomes the default of the process before the command
// runs.
type langidFile string

// useLanguageModel opens the model of the flag --langid.
func useLanguageModel(k *kong.Context) error {
	for _, f := range k.Flags() {
		name, ok := f.Target.Interface().(langidFile)
		if !ok || name == "" {
			continue
		}
		if err := langid.UseModel(string(name)); err != nil {
			return fmt.Errorf("--%s: %w", f.Name, err)
		}
	}
	return nil
}
