package main

import (
	"context"
	"io"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// valueFor returns a value that the type of v accepts.
func valueFor(v *kong.Value) string {
	if v.Enum != "" {
		return v.EnumSlice()[0]
	}
	t := v.Target.Type()
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if _, ok := floatOf(reflect.New(t).Elem()); ok {
		return "1"
	}
	return "x"
}

// parseFlag parses the command line of a command with a value for each of its required
// arguments and flags, and one more flag.
func parseFlag(leaf *kong.Node, flag string) (*kong.Context, error) {
	var args []string
	for n := leaf; n.Type != kong.ApplicationNode; n = n.Parent {
		args = append([]string{n.Name}, args...)
	}
	name, _, _ := strings.Cut(flag, "=")
	given := map[string]bool{} // groups of flags of which only one may be given
	for _, group := range leaf.AllFlags(true) {
		for _, f := range group {
			if f.Required && "--"+f.Name != name && !slices.ContainsFunc(f.Xor, func(x string) bool { return given[x] }) {
				for _, x := range f.Xor {
					given[x] = true
				}
				args = append(args, "--"+f.Name+"="+valueFor(f.Value))
			}
		}
	}
	if flag != "" {
		args = append(args, flag)
	}
	for _, p := range leaf.Positional {
		if p.Required {
			args = append(args, valueFor(p))
		}
	}
	con := &console{strings.NewReader(""), io.Discard, io.Discard}
	return newParser(context.Background(), con, args, func(int) {}).Parse(args)
}

// badValues returns values out of the range of a flag.
func badValues(f *kong.Flag) (list []string) {
	t := f.Target.Type()
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	r := rangeOf(f)
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	if _, ok := floatOf(reflect.New(t).Elem()); !ok {
		return nil
	}
	unit := ""
	if strings.HasSuffix(t.String(), "Duration") {
		unit = "s"
	}
	if !math.IsInf(r.min, -1) {
		list = append(list, number(r.min-1)+unit)
		if r.aboveMin {
			list = append(list, number(r.min)+unit)
		}
	}
	if !math.IsInf(r.max, 1) {
		list = append(list, number(r.max+1)+unit)
		if r.belowMax {
			list = append(list, number(r.max)+unit)
		}
	}
	if k := t.Kind(); k == reflect.Float64 || k == reflect.Float32 {
		list = append(list, "NaN", "+Inf", "-Inf")
	}
	return list
}

// Every numeric flag of every command rejects numbers out of its range, and the message
// names the flag; its default is in the range.
func TestNumbersOutOfRange(t *testing.T) {
	con := &console{strings.NewReader(""), io.Discard, io.Discard}
	model := newParser(context.Background(), con, nil, func(int) {}).Model
	flags := 0
	for _, leaf := range model.Leaves(false) {
		k, err := parseFlag(leaf, "")
		if err != nil {
			t.Errorf("%s: %v", leaf.Path(), err)
			continue
		}
		if err := checkRanges(k); err != nil {
			t.Errorf("%s: a default is out of its range: %v", leaf.Path(), err)
		}
		for _, group := range leaf.AllFlags(false) {
			for _, f := range group {
				for _, bad := range badValues(f) {
					flags++
					k, err := parseFlag(leaf, "--"+f.Name+"="+bad)
					if err == nil {
						err = checkRanges(k)
					}
					if err == nil {
						t.Errorf("%s --%s=%s: no error", leaf.Path(), f.Name, bad)
					} else if msg := err.Error(); !regexp.MustCompile(`^--` + f.Name + `: .*\b(wanted|expected|have) `).MatchString(msg) {
						t.Errorf("%s --%s=%s: %s", leaf.Path(), f.Name, bad, msg)
					}
				}
			}
		}
	}
	if flags < 300 {
		t.Errorf("%d values tried, want several hundred", flags)
	}
}
