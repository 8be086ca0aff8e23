package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/goccy/go-yaml"

	"chaffinch/internal/archive"
	"chaffinch/internal/settings"
)

// ownConfigFile is read where no other one is named.
const ownConfigFile = "chaffinch.yaml"

// everyCommand is the key of defaults for each command that has such a flag.
const everyCommand = "every_command"

// configFile gives flags that the command line leaves out their values. Its keys
// are commands; below them are flags in snake_case (docs/reference/config-file.md).
type configFile struct {
	path  string
	named bool // by --config-file
	tree  map[string]any
}

// Validate is for kong; the keys are checked when the file is read.
func (c *configFile) Validate(*kong.Application) error { return nil }

// Resolve returns the value of a flag, nil for none.
func (c *configFile) Resolve(at *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if c.tree == nil || notInFile(flag) {
		return nil, nil
	}
	node := at.Selected()
	if node == nil {
		return nil, nil
	}
	key := keyOf(flag)
	own, _ := section(c.tree, commandPath(node))[key]
	if own == nil {
		every, _ := c.tree[everyCommand].(map[string]any)
		own = every[key]
	}
	if own == nil {
		return nil, nil
	}
	if what := effect(node, flag); what != "" && !c.named {
		return nil, fmt.Errorf("%s: %s %s, which is not allowed in the current folder's file: use --%s, or pass the file with --config-file", c.path, key, what, flag.Name)
	}
	if list, ok := own.([]any); ok {
		if !flag.IsSlice() {
			return nil, fmt.Errorf("%s: %s: a single value is wanted, not a list", c.path, key)
		}
		list = slices.Clone(list)
		for i := range list {
			list[i] = written(list[i])
		}
		return list, nil
	}
	return written(own), nil
}

// effect describes what a flag does beyond the settings of a run, or returns "". The folder
// that a command runs in may be someone else's: its file must not run programs or overwrite files.
func effect(node *kong.Node, flag *kong.Flag) string {
	switch {
	case flag.PlaceHolder == "COMMAND":
		return "names a program to run"
	case isOne(outputFlags, commandPath(node), flag.Name):
		return "names an output"
	case flag.Name == "force":
		return "replaces outputs"
	}
	return ""
}

// written formats a value like an argument of the command line.
func written(value any) string {
	if v, ok := value.(float64); ok {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

// load reads the file named by the flag, or the file in the current folder.
func (c *configFile) load(at *kong.Context) error {
	c.path = ownConfigFile
	for _, f := range at.Model.Flags {
		if f.Name == "config-file" {
			if v, ok := at.FlagValue(f).(string); ok && v != "" {
				c.path, c.named = v, true
			}
		}
	}
	if c.named && c.path == "none" {
		return nil
	}
	b, err := archive.ReadFile(c.path)
	if errors.Is(err, fs.ErrNotExist) && !c.named {
		return nil
	}
	if err != nil {
		return err
	}
	var tree map[string]any
	if err := yaml.UnmarshalWithOptions(b, &tree); err != nil {
		return fmt.Errorf("%s: not YAML with commands as keys: %s", c.path, strings.TrimSpace(yaml.FormatError(err, false, false)))
	}
	if len(tree) == 0 { // nothing that all commands would have to be prepared for
		return nil
	}
	whole := newParser(context.Background(), &console{strings.NewReader(""), io.Discard, io.Discard}, nil, func(int) {})
	if err := c.check(b, whole.Model.Node, tree, nil); err != nil {
		return err
	}
	c.tree = tree
	return nil
}

// check refuses keys that are neither a command nor a flag of one.
func (c *configFile) check(source []byte, node *kong.Node, tree map[string]any, above []string) error {
	var flags []*kong.Flag
	if node.Type == kong.CommandNode {
		flags = withDefault(node).Flags
	}
	var keys []string
	for _, f := range flags {
		if !notInFile(f) {
			keys = append(keys, keyOf(f))
		}
	}
	children := map[string]*kong.Node{}
	for _, child := range node.Children {
		if !child.Hidden {
			children[strings.ReplaceAll(child.Name, "-", "_")] = child
			keys = append(keys, strings.ReplaceAll(child.Name, "-", "_"))
		}
	}
	top := len(above) == 0
	if top {
		keys = append(keys, everyCommand)
	}
	for key, value := range tree {
		path := append(slices.Clone(above), key)
		in, isObject := value.(map[string]any)
		child := children[key]
		switch {
		case top && key == everyCommand && isObject:
			if err := c.checkEvery(source, node, in); err != nil {
				return err
			}
		case child != nil && isObject:
			if err := c.check(source, child, in, path); err != nil {
				return err
			}
		case child != nil || top && key == everyCommand:
			return c.wrong(source, path, "wanted flags and their values below it")
		case slices.Contains(keys, key) && isObject:
			return c.wrong(source, path, "a value is wanted, not keys and values")
		case !slices.Contains(keys, key):
			return c.wrong(source, path, "unknown key: "+near(key, keys, flags))
		}
	}
	return nil
}

// checkEvery refuses keys below every_command that are a flag of no command.
func (c *configFile) checkEvery(source []byte, app *kong.Node, tree map[string]any) error {
	var keys []string
	for _, leaf := range app.Leaves(true) {
		for _, f := range leaf.Flags {
			if k := keyOf(f); !notInFile(f) && !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	for key, value := range tree {
		path := []string{everyCommand, key}
		if _, isObject := value.(map[string]any); isObject {
			return c.wrong(source, path, "a value is wanted, not keys and values")
		}
		if !slices.Contains(keys, key) {
			return c.wrong(source, path, "unknown key, not a flag of any command: "+near(key, keys, nil))
		}
	}
	return nil
}

// near returns a hint with the nearest valid key.
func near(key string, keys []string, flags []*kong.Flag) string {
	for _, f := range flags {
		if f.Tag.Has("was") && strings.ReplaceAll(f.Tag.Get("was"), "-", "_") == key {
			return "renamed to " + keyOf(f) + " now"
		}
	}
	if n := settings.Nearest(key, keys); n != "" {
		return "did you mean " + n + "?"
	}
	if len(keys) > 40 {
		return "--help of the commands lists the flags"
	}
	return "there are " + strings.Join(keys, ", ")
}

// wrong is an error at a key, with its line.
func (c *configFile) wrong(source []byte, path []string, what string) error {
	at := c.path
	if p, err := yaml.PathString("$." + strings.Join(path, ".")); err == nil {
		if node, err := p.ReadNode(strings.NewReader(string(source))); err == nil && node.GetToken() != nil {
			at = fmt.Sprintf("%s:%d", c.path, node.GetToken().Position.Line)
		}
	}
	return fmt.Errorf("%s: %s: %s", at, strings.Join(path, "."), what)
}

// section returns the values below the keys of a command.
func section(tree map[string]any, command string) map[string]any {
	for word := range strings.FieldsSeq(command) {
		next, _ := tree[strings.ReplaceAll(word, "-", "_")].(map[string]any)
		if next == nil && word == "run" { // whose name can be left out
			return tree
		}
		tree = next
	}
	return tree
}

func keyOf(f *kong.Flag) string { return strings.ReplaceAll(f.Name, "-", "_") }

// notInFile reports whether a flag is only valid on the command line.
func notInFile(f *kong.Flag) bool {
	return f.Hidden || slices.Contains([]string{"help", "version", "config-file"}, f.Name)
}
