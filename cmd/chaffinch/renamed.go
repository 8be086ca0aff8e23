package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/internal/settings"
)

// newNames returns err, of a command that is gone one that names its successor, and of a flag that has another name now, by the tag
// was:"OLD" of its field, an error that says which.
func newNames(err *kong.ParseError) error {
	if err.Error() == "unexpected argument lines" && slices.Contains(err.Context.Args, "annotate") {
		return errors.New("lines are labelled in the browser now: chaffinch serve --annotate FOLDER --pages FILE")
	}
	old, ok := strings.CutPrefix(err.Error(), "unknown flag --")
	if !ok {
		return oneOf(err)
	}
	old, _, _ = strings.Cut(old, ",") // what may have been meant
	for _, flag := range err.Context.Flags() {
		if flag.Tag.Has("was") && flag.Tag.Get("was") == old {
			return fmt.Errorf("unknown flag --%s: it is called --%s now", old, flag.Name)
		}
	}
	return err
}

// oneOf returns err, and of a value that is none of those of its flag an error that
// names the nearest one. Among the values no value at all is none.
func oneOf(err error) error {
	flag, rest, _ := strings.Cut(err.Error(), " must be one of ")
	list, got, ok := strings.Cut(rest, " but got ")
	if !ok {
		return err
	}
	var values []string
	for v := range strings.SplitSeq(list, ",") {
		if v = strings.Trim(v, `"`); v != "" {
			values = append(values, v)
		}
	}
	near := settings.Nearest(strings.Trim(got, `"`), values)
	if near != "" {
		near = fmt.Sprintf(": did you mean %s?", near)
	}
	return fmt.Errorf("%s must be one of %s but got %s%s", flag, strings.Join(values, ", "), got, near)
}
