package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// newNames returns err, and of a flag that has another name now, by the tag
// was:"OLD" of its field, an error that says which.
func newNames(err *kong.ParseError) error {
	old, ok := strings.CutPrefix(err.Error(), "unknown flag --")
	if !ok {
		return err
	}
	old, _, _ = strings.Cut(old, ",") // what may have been meant
	for _, flag := range err.Context.Flags() {
		if flag.Tag.Has("was") && flag.Tag.Get("was") == old {
			return fmt.Errorf("unknown flag --%s: it is called --%s now", old, flag.Name)
		}
	}
	return err
}
