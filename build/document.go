package build

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxRecipe bounds the bytes of a recipe.
const maxRecipe = 1 << 20

// document is a parsed recipe file.
type document struct {
	name string
	root ast.Node
	json []byte
}

// parseDocument parses YAML, which includes JSON.
func parseDocument(name string, b []byte) (*document, error) {
	if len(b) > maxRecipe {
		return nil, fmt.Errorf("%s: %d bytes, wanted a recipe of at most %d", name, len(b), maxRecipe)
	}
	f, err := parser.ParseBytes(b, 0)
	if err != nil {
		return nil, unparsed(name, err)
	}
	d := &document{name: name}
	for _, doc := range f.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		if d.root != nil {
			return nil, fmt.Errorf("%s:%d: a second document, wanted one recipe", name, line(doc.Body))
		}
		d.root = doc.Body
	}
	if d.root == nil {
		return nil, fmt.Errorf("%s: nothing in it, wanted a recipe", name)
	}
	if err := d.check(d.root, ""); err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := yaml.NodeToValue(d.root, &tree); err != nil {
		return nil, unparsed(name, err)
	}
	d.json, err = json.Marshal(tree)
	return d, err
}

// unparsed returns an error of the YAML parser as one line with its position.
func unparsed(name string, err error) error {
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil {
		return fmt.Errorf("%s:%d: not YAML: %s", name, at.GetToken().Position.Line, at.GetMessage())
	}
	first, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	return fmt.Errorf("%s: not YAML: %s", name, first)
}

// check rejects keys without a value, numbers that JSON lacks, and aliases, which expand to trees of
// unbounded size.
func (d *document) check(n ast.Node, key string) error {
	switch n := n.(type) {
	case *ast.MappingNode:
		for _, v := range n.Values {
			if err := d.check(v, key); err != nil {
				return err
			}
		}
	case *ast.MappingValueNode:
		name := n.Key.GetToken().Value
		if n.Value.Type() == ast.NullType {
			return fmt.Errorf("%s:%d: %s: no value: wanted one, or {} for the defaults of a section", d.name, line(n.Key), name)
		}
		return d.check(n.Value, name)
	case *ast.SequenceNode:
		for _, v := range n.Values {
			if err := d.check(v, key); err != nil {
				return err
			}
		}
	case *ast.NullNode:
		return fmt.Errorf("%s:%d: %s: an item without a value", d.name, line(n), key)
	case *ast.InfinityNode, *ast.NanNode:
		return fmt.Errorf("%s:%d: %s: %s, wanted a finite number", d.name, line(n), key, n.GetToken().Value)
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode, *ast.TagNode:
		return fmt.Errorf("%s:%d: %s: anchors, aliases and tags of YAML are not read: write the value out", d.name, line(n), key)
	}
	return nil
}

func line(n ast.Node) int {
	if t := n.GetToken(); t != nil {
		return t.Position.Line
	}
	return 1
}

// at adds the position of a path, such as "exports[1].file", to an error. If a part of the
// path does not exist, it uses the position of its nearest existing parent.
func (d *document) at(path string, err error) error {
	n, at := d.root, line(d.root)
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
	for len(parts) > 0 {
		used := len(parts) // more than 1 for a key that contains dots
		for ; used > 0; used-- {
			if next, where := child(n, strings.Join(parts[:used], ".")); next != nil {
				n, at = next, where
				break
			}
		}
		if used == 0 {
			break
		}
		parts = parts[used:]
	}
	return fmt.Errorf("%s:%d: %w", d.name, at, err)
}

// child returns the value of a node under a key or index, and its line.
func child(n ast.Node, name string) (ast.Node, int) {
	var pairs []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	case *ast.SequenceNode:
		if i, err := strconv.Atoi(name); err == nil && i < len(n.Values) {
			return n.Values[i], line(n.Values[i])
		}
	}
	for _, p := range pairs {
		if p.Key.GetToken().Value == name {
			return p.Value, line(p.Key)
		}
	}
	return nil, 0
}
