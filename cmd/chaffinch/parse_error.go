package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/settings"
)

// explainParse returns err, or a better error: for an unknown command or value one that
// suggests the nearest one, for a removed command its successor, for a renamed flag, whose
// field has the tag was:"OLD", its new name, for a missing value its kind, for a wrong duration
// its units, for a wrong number its range.
func explainParse(err *kong.ParseError) error {
	if err.Error() == "unexpected argument lines" && slices.Contains(err.Context.Args, "annotate") {
		return errors.New("lines are now labelled in the browser: chaffinch serve --annotate FOLDER --pages FILE")
	}
	if name, ok := strings.CutPrefix(err.Error(), "unexpected argument "); ok {
		name, _, _ = strings.Cut(name, ",") // without kong's suggestion
		return noCommand(err, name)
	}
	if name, ok := strings.CutPrefix(err.Error(), "unknown flag "); ok {
		name, _, _ = strings.Cut(name, ",")
		return unknownFlag(err, name)
	}
	if flag, got, ok := strings.Cut(err.Error(), " value but got "); ok {
		flag, _, _ = strings.Cut(flag, ":")
		return noValue(err, flag, got)
	}
	if flag, got, ok := strings.Cut(err.Error(), " duration but got "); ok {
		flag, _, _ = strings.Cut(flag, ":")
		got, _, _ = strings.Cut(got, ": time: ")
		return fmt.Errorf("%s: %s is not a duration: wanted a number with a unit, such as 100ms, 5s or 10m", flag, got)
	}
	if m := badNumber().FindStringSubmatch(err.Error()); m != nil {
		return noNumber(err, m[1], m[2], m[3])
	}
	return oneOf(err)
}

// badNumber matches kong's error for a flag whose value is not a number.
var badNumber = lazyregexp.New(`^--(\S+): \w+ a (valid \d+ bit u?int|float) but got ("[^"]*")`)

// noNumber returns an error for a flag whose value is not a number of kong's type.
func noNumber(err *kong.ParseError, flag, kind, got string) error {
	wanted := "a whole number"
	if kind == "float" {
		wanted = "a number"
	}
	for _, f := range err.Context.Flags() {
		if f.Name == flag {
			wanted += ", " + rangeOf(f).String()
		}
	}
	return fmt.Errorf("--%s: got %s, wanted %s", flag, got, wanted)
}

// unknownFlag returns an error for an unknown flag, such as --fromat or -x.
func unknownFlag(err *kong.ParseError, name string) error {
	for _, arg := range err.Context.Args {
		if _, e := os.Lstat(arg); e == nil && strings.HasPrefix(arg, name) {
			return fmt.Errorf("unknown flag %s: for the file %s, write ./%[2]s", name, arg)
		}
	}
	flags := err.Context.Flags()
	names := make([]string, len(flags))
	for i, flag := range flags {
		names[i] = flag.Name
		if flag.Tag.Has("was") && "--"+flag.Tag.Get("was") == name {
			return fmt.Errorf("unknown flag %s: renamed to --%s", name, flag.Name)
		}
	}
	if name == "--arpa" {
		return fmt.Errorf("unknown flag %s: use chaffinch model arpa", name)
	}
	if name == "-o" || (name == "--output" || name == "--out") && !slices.Contains(names, "out") {
		return fmt.Errorf("unknown flag %s: the command writes to standard output, use > FILE", name)
	}
	if name == "--output" {
		return fmt.Errorf("unknown flag %s: did you mean --out?", name)
	}
	if command := commandPath(err.Context.Selected()); name == "--resume" && (command == "build run" || command == "crawl run") {
		return fmt.Errorf("unknown flag %s: the same command without it resumes", name)
	}
	if others := commandsWith(name); len(others) > 0 {
		more := ""
		if n := len(others) - 5; n > 0 {
			others, more = others[:5], fmt.Sprintf(" and %d more", n)
		}
		return fmt.Errorf("unknown flag %s: a flag of %s%s", name, strings.Join(others, ", "), more)
	}
	if long, ok := strings.CutPrefix(name, "--"); ok {
		if near := settings.Nearest(long, names); near != "" {
			return fmt.Errorf("unknown flag %s: did you mean --%s?", name, near)
		}
	}
	return fmt.Errorf("unknown flag %s", name)
}

// commandsWith returns the commands that have a flag.
func commandsWith(name string) (commands []string) {
	model := newParser(context.Background(), &console{strings.NewReader(""), io.Discard, io.Discard}, nil, func(int) {}).Model
	for _, leaf := range model.Leaves(true) {
		if slices.ContainsFunc(slices.Concat(leaf.AllFlags(true)...), func(f *kong.Flag) bool { return "--"+f.Name == name }) {
			commands = append(commands, strings.TrimPrefix(leaf.Path(), model.Name+" "))
		}
	}
	return commands
}

// noValue returns an error for a flag without a value; got is the next word of the command
// line in kong's notation.
func noValue(err *kong.ParseError, flag, got string) error {
	for _, f := range err.Context.Flags() {
		if "--"+f.Name != flag {
			continue
		}
		if strings.HasPrefix(got, `"EOL"`) {
			return fmt.Errorf("%s: no value, wanted %s", flag, f.FormatPlaceHolder())
		}
		word, _, _ := strings.Cut(got, " ")
		return fmt.Errorf("%s: no value but the flag %s, wanted %s", flag, strings.Trim(word, `"`), f.FormatPlaceHolder())
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

// oneOf returns err, or for a value that its flag does not accept an error with the accepted
// values and the nearest one. The empty value, the default, is not listed.
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
