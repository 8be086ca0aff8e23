package jsonl

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"chaffinch/format/tree"
	"chaffinch/internal/jsonscan"
)

// parseNodes parses a list of blocks like package encoding/json, which it uses for input that
// this program does not write. It reuses the memory of old.
func parseNodes(old []tree.Node, b []byte) (nodes []tree.Node, err error) {
	s := nodeScanner{jsonscan.Scanner{B: b}}
	nodes, err = s.nodes(old[:0])
	if s.Space(); err == nil && s.I == len(b) {
		return nodes, nil
	}
	nodes = nil
	return nodes, json.Unmarshal(b, &nodes)
}

// errUncommon is returned for valid or invalid JSON that the scanner leaves to package
// encoding/json.
var errUncommon = errors.New("uncommon JSON")

// nodeScanner parses blocks without reflection.
type nodeScanner struct{ jsonscan.Scanner }

// nodes parses a list of blocks and appends them to list.
func (s *nodeScanner) nodes(list []tree.Node) ([]tree.Node, error) {
	err := s.Array(func() error {
		list = append(list, tree.Node{})
		return s.node(&list[len(list)-1])
	})
	return list, err
}

// nodeFields lists the fields of blocks and of spans.
var nodeFields = []string{
	"kind", "text", "level", "ordered", "number", "header", "column", "columns", "rows", "url", "alt", "hidden", "path", "lang",
	"lang_confidence", "label", "role", "class", "by", "why", "score", "start", "end", "inline", "blocks",
}

func (s *nodeScanner) node(n *tree.Node) error {
	seen := uint32(0)
	return s.Object(func(key []byte) (err error) {
		k := -1
		for i, name := range nodeFields {
			if string(key) == name {
				k = i
				break
			}
		}
		if k < 0 {
			return s.other(key)
		}
		if seen&(1<<k) != 0 {
			return errUncommon
		}
		seen |= 1 << k
		switch nodeFields[k] {
		case "kind":
			n.Kind, err = s.text()
		case "text":
			n.Text, err = s.text()
		case "level":
			n.Level, err = number[uint8](s, 0xFF)
		case "ordered":
			n.Ordered, err = s.bool()
		case "number":
			n.Number, err = number[int32](s, 1<<31-1)
		case "header":
			n.Header, err = s.bool()
		case "column":
			n.Column, err = number[uint16](s, 0xFFFF)
		case "columns":
			n.Columns, err = number[uint16](s, 0xFFFF)
		case "rows":
			n.Rows, err = number[uint16](s, 0xFFFF)
		case "url":
			n.URL, err = s.text()
		case "alt":
			n.Alt, err = s.text()
		case "hidden":
			n.Hidden, err = s.bool()
		case "path":
			n.Path, err = s.text()
		case "lang":
			n.Lang, err = s.text()
		case "lang_confidence":
			n.Sure, err = s.float()
		case "label":
			n.Label, err = s.text()
		case "role":
			n.Role, err = s.text()
		case "class":
			n.Class, err = s.text()
		case "by":
			n.By, err = s.text()
		case "why":
			n.Reason, err = s.text()
		case "score":
			n.Score, err = s.float()
		case "start":
			n.Start, err = number[int](s, 1<<53)
		case "end":
			n.End, err = number[int](s, 1<<53)
		case "inline":
			n.Inline = []tree.Span{}
			err = s.Array(func() error {
				n.Inline = append(n.Inline, tree.Span{})
				return s.span(&n.Inline[len(n.Inline)-1])
			})
		case "blocks":
			n.Blocks, err = s.nodes([]tree.Node{})
		}
		return err
	})
}

func (s *nodeScanner) span(x *tree.Span) error {
	return s.Object(func(key []byte) (err error) {
		switch string(key) {
		case "kind":
			x.Kind, err = s.text()
		case "start":
			x.Start, err = number[int](s, 1<<53)
		case "end":
			x.End, err = number[int](s, 1<<53)
		case "url":
			x.URL, err = s.text()
		case "alt":
			x.Alt, err = s.text()
		default:
			err = s.other(key)
		}
		return err
	})
}

// other skips an unknown field. Package encoding/json ignores case in names.
func (s *nodeScanner) other(key []byte) error {
	for _, c := range key {
		if c < 0x20 || c >= utf8.RuneSelf || c == '\\' {
			return errUncommon
		}
	}
	for _, name := range nodeFields {
		if strings.EqualFold(name, string(key)) {
			return errUncommon
		}
	}
	at := s.I
	if err := s.Skip(); err != nil {
		return err
	}
	if !json.Valid(s.B[at:s.I]) {
		return errUncommon
	}
	return nil
}

// text parses a string.
func (s *nodeScanner) text() (string, error) {
	b, err := s.Str()
	if err != nil {
		return "", err
	}
	text, ok := jsonscan.Text(b)
	if !ok {
		return "", errUncommon
	}
	return text, nil
}

// number parses a nonnegative integer of at most most.
func number[T uint8 | uint16 | int32 | int](s *nodeScanner, most int64) (T, error) {
	b, err := s.Value()
	n, err2 := strconv.ParseInt(string(b), 10, 64)
	if err != nil || err2 != nil || !jsonscan.IsNumber(b) || n < 0 || n > most {
		return 0, errUncommon
	}
	return T(n), nil
}

func (s *nodeScanner) float() (float64, error) {
	b, err := s.Value()
	x, err2 := strconv.ParseFloat(string(b), 64)
	if err != nil || err2 != nil || !jsonscan.IsNumber(b) {
		return 0, errUncommon
	}
	return x, nil
}

func (s *nodeScanner) bool() (bool, error) {
	b, err := s.Value()
	switch {
	case err != nil:
		return false, err
	case string(b) == "true":
		return true, nil
	case string(b) == "false":
		return false, nil
	}
	return false, errUncommon
}
