package gold

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"chaffinch/internal/pytext"
)

// readMeta reads one JSON object per line and returns them by the field "id".
func readMeta(b []byte) (map[string]map[string]any, error) {
	out := map[string]map[string]any{}
	sc := bufio.NewScanner(bytes.NewReader(b))
	sc.Buffer(nil, 1<<26)
	for n := 1; sc.Scan(); n++ {
		if len(bytes.TrimSpace(sc.Bytes())) == 0 {
			continue
		}
		var m map[string]any
		if err := json.Unmarshal(sc.Bytes(), &m); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		id, ok := m["id"]
		if !ok {
			return nil, fmt.Errorf(`line %d: no field "id"`, n)
		}
		out[fmt.Sprint(id)] = m
	}
	return out, sc.Err()
}

// readSnippets parses {"with": [...], "without": [...]}, at the top level or in "ground_truth".
func readSnippets(b []byte) (with, without []string, err error) {
	type lists struct{ With, Without []string }
	var in struct {
		lists
		Truth *lists `json:"ground_truth"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return nil, nil, err
	}
	l := in.lists
	if in.Truth != nil {
		l = *in.Truth
	}
	return l.With, l.Without, nil
}

// ReadTyped parses lines of type, TAB, text. It returns nil if a type is not one of CleanEval's: p,
// h, l, or - for text without a marker.
func ReadTyped(b []byte) []Segment {
	out := []Segment{}
	for line := range strings.Lines(pytext.Decode(b)) {
		line = strings.TrimRight(line, "\r\n")
		kind, text, ok := strings.Cut(line, "\t")
		if !ok && line == "" {
			continue
		}
		switch kind {
		case "p", "h", "l":
			out = append(out, Segment{kind[0], text})
		case "-":
			out = append(out, Segment{0, text})
		default:
			return nil
		}
	}
	return out
}

// readComments returns the text of the lines with type "comment".
func readComments(b []byte) string {
	var out strings.Builder
	for line := range strings.Lines(pytext.Decode(b)) {
		if text, ok := strings.CutPrefix(line, "comment\t"); ok {
			out.WriteString(strings.TrimRight(text, "\r\n"))
			out.WriteByte('\n')
		}
	}
	return out.String()
}
