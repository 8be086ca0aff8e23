package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"chaffinch/internal/testkit"
)

// TestCommandsNameTheirFiles fails on a flag that names a file and is in none of the lists of
// output_flags.go, so that the guard does not cover it.
func TestCommandsNameTheirFiles(t *testing.T) {
	known := map[string]bool{}
	eachCommand(t, func(words []string, n *kong.Node, flags []*kong.Flag) {
		name := strings.Join(words, " ")
		for _, f := range flags {
			in := 0
			for _, list := range [][]string{outputFlags, inputFlags, walkedFlags, otherFlags} {
				if isOne(list, name, f.Name) {
					in++
					known[f.Name], known[name+" --"+f.Name] = true, true
				}
			}
			if namesFile(f) && in != 1 {
				t.Errorf("chaffinch %s --%s %s: is in %d of the lists in output_flags.go, wanted one", name, f.Name, f.PlaceHolder, in)
			}
		}
	})
	for _, list := range [][]string{outputFlags, inputFlags, walkedFlags, otherFlags} {
		for _, flag := range list {
			if !known[flag] {
				t.Errorf("output_flags.go names --%s, which no command has", flag)
			}
		}
	}
}

// TestOutputsApart gives every command that writes its own input as each of its
// outputs, by its name and by links of both kinds, and two outputs one name.
func TestOutputsApart(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	const text = "# the input, which is a configuration without settings, too\n"
	if err := errors.Join(os.WriteFile(at("in"), []byte(text), 0o666), os.Link(at("in"), at("hard.eval")), os.Symlink("in", at("soft.eval"))); err != nil {
		testkit.Lacks(t, "links", err)
	}
	refused := func(args ...string) {
		t.Helper()
		var msg bytes.Buffer
		code := run(args, &console{strings.NewReader(""), io.Discard, &msg})
		if code != 2 || !strings.Contains(msg.String(), "is the same file as") {
			t.Errorf("chaffinch %s: code %d, %s", strings.Join(args, " "), code, &msg)
		}
		if b, err := os.ReadFile(at("in")); err != nil || string(b) != text {
			t.Fatalf("chaffinch %s: the input holds %q, %v", strings.Join(args, " "), b, err)
		}
	}
	tried := 0
	eachCommand(t, func(words []string, n *kong.Node, flags []*kong.Flag) {
		name := strings.Join(words, " ")
		var outputs, inputs []string
		for _, f := range flags {
			text := f.Target.Kind() == reflect.String || f.Target.Kind() == reflect.Slice && f.Target.Type().Elem().Kind() == reflect.String
			switch {
			case f.Hidden: // of all commands: TestProfiles
			case text && isOne(outputFlags, name, f.Name):
				outputs = append(outputs, f.Name)
			case text && (isOne(inputFlags, name, f.Name) || isOne(walkedFlags, name, f.Name)):
				inputs = append(inputs, f.Name)
			}
		}
		// args is the command with its required arguments, without the flags given.
		args := func(given ...string) []string {
			line, has := slices.Clone(words), map[string]bool{}
			for _, f := range flags {
				if slices.ContainsFunc(given, func(s string) bool { return strings.HasPrefix(s, "--"+f.Name+"=") }) {
					has[f.Name] = true
					for _, group := range f.Xor {
						has[group] = true
					}
				}
			}
			for _, f := range flags {
				if f.Required && !has[f.Name] && !slices.ContainsFunc(f.Xor, func(group string) bool { return has[group] }) {
					value := at("of-" + f.Name)
					if f.Name == "lang" {
						value = "zh"
					}
					line = append(line, "--"+f.Name+"="+value)
					for _, group := range f.Xor {
						has[group] = true
					}
				}
			}
			return append(line, given...)
		}
		for i, out := range outputs {
			for _, as := range []string{"soft.eval", "hard.eval"} {
				if len(n.Positional) > 0 {
					line := args("--" + out + "=" + at(as))
					for range n.Positional {
						line = append(line, at("in"))
					}
					refused(line...)
					tried++
				}
				for _, in := range inputs {
					if as == "hard.eval" {
						continue // as with an argument
					}
					line := args("--"+in+"="+at("in"), "--"+out+"="+at(as))
					for i := range n.Positional {
						line = append(line, at("other"+string(rune('0'+i))))
					}
					refused(line...)
					tried++
				}
			}
			for _, other := range outputs[:min(i, 1)] {
				line := args("--"+other+"="+at("both.eval"), "--"+out+"="+at("both.eval"))
				for i := range n.Positional {
					line = append(line, at("other"+string(rune('0'+i))))
				}
				refused(line...)
				tried++
			}
		}
	})
	if tried < 80 {
		t.Errorf("%d tried, wanted more", tried)
	}
}

// namesFile reports whether the value of a flag looks like the name of a file.
func namesFile(f *kong.Flag) bool {
	if f.Enum != "" || f.IsBool() {
		return false
	}
	for _, word := range []string{"FILE", "DIR", "PATH", "OUT"} {
		if strings.Contains(f.PlaceHolder, word) {
			return true
		}
	}
	return false
}
