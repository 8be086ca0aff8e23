package main

import (
	"fmt"

	"github.com/alecthomas/kong"

	"chaffinch/text/langid"
)

// langidFile is a model file of languages. It becomes the default of the process before the command
// runs.
type langidFile string

// useLanguageModel selects the model of the flag --langid, the embedded one without the flag.
func useLanguageModel(k *kong.Context) error {
	model := ""
	for _, f := range k.Flags() {
		if name, ok := f.Target.Interface().(langidFile); ok {
			model = string(name)
		}
	}
	if err := langid.UseModel(model); err != nil {
		return fmt.Errorf("--langid: %w", err)
	}
	return nil
}
