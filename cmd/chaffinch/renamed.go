package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/internal/settings"
)

// newNames returns err, or a better error: for a removed command one that names its successor,
// for a renamed flag, whose field has the tag was:"OLD", one that names the new flag.
func newNames(err *kong.ParseError) error {
	if err.Error() == "unexpected argument lines" && slices.Contains(err.Context.Args, "annotate") {
		return errors.New("lines are now labelled in the browser: chaffinch serve --annotate FOLDER --pages FILE")
	}
	if name, ok := strings.CutPrefix(err.Error(), "unexpected argument "); ok {
		name, _, _ = strings.Cut(name, ",") // what may have been meant
		return noCommand(err, name)
	}
	old, ok := strings.CutPrefix(err.Error(), "unknown flag --")
	if !ok {
		return oneOf(err)
	}
	old, _, _ = strings.Cut(old, ",") // what may have been meant
	for _, flag := range err.Context.Flags() {
		if flag.Tag.Has("was") && flag.Tag.Get("was") == old {
			return fmt.Errorf("unknown flag --%s: renamed to --%s", old, flag.Name)
		}
	}
	return err
}

// noCommand returns an error for an unknown command that names the nearest command of the same
// group, else the commands of that name in other groups, else all commands of the group. If the
// argument is not in the place of a command, it returns err.
func noCommand(err *kong.ParseError, name string) error {
	at := err.Context.Model.Node
	for _, p := range err.Context.Path {
		if n := p.Node(); n != nil && n.Type != kong.ArgumentNode {
			at = n
		}
	}
	var here, elsewhere []string
	for _, n := range at.Children {
		if !n.Hidden {
			here = append(here, n.Name)
		}
	}
	if len(here) == 0 {
		return err
	}
	for _, n := range err.Context.Model.Leaves(true) {
		if n.Name == name {
			elsewhere = append(elsewhere, n.Path())
		}
	}
	in := strings.TrimSpace(strings.TrimPrefix(at.Path(), err.Context.Model.Name))
	if in != "" {
		in = " of " + in
	}
	switch near := settings.Nearest(name, here); {
	case near != "":
		return fmt.Errorf("no command %s%s: did you mean %s?", name, in, near)
	case len(elsewhere) > 0:
		return fmt.Errorf("no command %s%s: did you mean %s?", name, in, strings.Join(elsewhere, " or "))
	default:
		return fmt.Errorf("no command %s%s: wanted one of %s", name, in, strings.Join(here, ", "))
	}
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
