package parquet

import (
	"encoding/json"
	"errors"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// node is a column or a group of columns of the schema.
type node struct {
	name     string
	key      []byte // the name as a JSON string and a colon
	kind     kind
	optional bool
	repeated bool
	rep, def int // maximum repetition and definition level
	first    int // its columns are [first, end)
	end      int
	children []*node
	value    appender // for a leaf
}

type kind uint8

const (
	leaf kind = iota
	group
	list    // its only child is repeated, once per item
	wrapper // a group whose value is its only child
	mapping // its only child is repeated, once per entry
	variant
)

// appender appends a value that is not null as JSON.
type appender func(dst []byte, v parquet.Value) []byte

// shape returns the tree of the schema. The function text reports whether a column of
// bytes without a logical type holds text in any encoding.
func shape(f *parquet.File, text func(name string) bool) (*node, error) {
	s := shaper{elements: f.Metadata().Schema, text: text}
	return s.node(f.Root())
}

// shaper builds nodes from the elements of a schema, which are in depth-first order.
type shaper struct {
	elements []format.SchemaElement
	text     func(name string) bool
	columns  int
}

func (s *shaper) node(c *parquet.Column) (*node, error) {
	if len(s.elements) == 0 {
		return nil, errors.New("the schema has fewer elements than columns: damaged")
	}
	e := &s.elements[0]
	s.elements = s.elements[1:]
	key, err := json.Marshal(c.Name())
	if err != nil {
		return nil, err
	}
	n := &node{
		name: c.Name(), key: append(key, ':'), optional: c.Optional(), repeated: c.Repeated(),
		rep: c.MaxRepetitionLevel(), def: c.MaxDefinitionLevel(), first: s.columns,
	}
	if c.Leaf() {
		n.value = valueOf(e, s.text(n.name))
		s.columns++
		n.end = s.columns
		return n, nil
	}
	n.kind = group
	for _, child := range c.Columns() {
		m, err := s.node(child)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, m)
	}
	n.end = s.columns
	n.setKind(e)
	return n, nil
}

// setKind sets the kind of a group from its schema element.
func (n *node) setKind(e *format.SchemaElement) {
	converted := deprecated.ConvertedType(-1)
	if e.ConvertedType.Valid {
		converted = e.ConvertedType.V
	}
	only := len(n.children) == 1 && n.children[0].repeated
	switch e.LogicalType.Value.(type) {
	case *format.ListType:
		converted = deprecated.List
	case *format.MapType:
		converted = deprecated.Map
	case *format.VariantType:
		n.setVariant()
		return
	}
	switch {
	case only && converted == deprecated.List:
		n.kind = list
		n.children[0].setItem(n.name)
	case only && (converted == deprecated.Map || converted == deprecated.MapKeyValue):
		if entry := n.children[0]; entry.kind == group && (len(entry.children) == 1 || len(entry.children) == 2) {
			n.kind = mapping
		}
	}
}

// setItem marks the repeated field of a list as a wrapper if it contains the item instead of
// being the item. It follows the rules for older writers (LogicalTypes.md of the Parquet
// format, "Backward-compatibility rules").
func (n *node) setItem(listName string) {
	if n.kind == group && len(n.children) == 1 && !n.children[0].repeated && n.name != "array" && n.name != listName+"_tuple" {
		n.kind = wrapper
	}
}
