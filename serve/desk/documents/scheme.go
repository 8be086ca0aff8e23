package documents

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The modes of a scheme.
const (
	Single = "single" // a document has one label, and the parents of that label
	Multi  = "multi"  // a document has any number of labels
	Scale  = "scale"  // a document has one label, and the labels are ordered
)

// Scheme defines the labels of documents.
type Scheme struct {
	Name     string  `json:"name"`
	Question string  `json:"question" doc:"What annotators decide."`
	Mode     string  `json:"mode" enum:"single,multi,scale"`
	Labels   []Label `json:"labels" doc:"In the order of display; the labels of a scale from low to high."`
}

// Label is a label of a scheme.
type Label struct {
	Label    string   `json:"label" doc:"The label in exported files."`
	Parent   string   `json:"parent,omitempty" doc:"Label that every document with this label also has."`
	Key      string   `json:"key" doc:"Key that sets the label; the keys of sublabels apply after the key of their parent."`
	Name     string   `json:"name"`
	Help     string   `json:"help,omitempty" doc:"Guideline."`
	Examples []string `json:"examples,omitempty"`
}

//go:embed schemes
var embedded embed.FS

// Embedded returns the names of the embedded schemes.
func Embedded() (names []string) {
	files, err := fs.ReadDir(embedded, "schemes")
	if err != nil {
		panic(err) // embedded
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".json"))
	}
	return names
}

// ReadScheme reads a scheme: an embedded one by its name, or a JSON file.
func ReadScheme(name string) (*Scheme, error) {
	if slices.Contains(Embedded(), name) {
		b, err := embedded.ReadFile(path.Join("schemes", name+".json"))
		if err != nil {
			return nil, err
		}
		return parseScheme(name, b)
	}
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("scheme %s: no such file: wanted a JSON file, or one of %s", name, strings.Join(Embedded(), ", "))
	}
	if err != nil {
		return nil, err
	}
	return parseScheme(name, b)
}

// parseScheme parses and checks the scheme in a file.
func parseScheme(file string, b []byte) (*Scheme, error) {
	s := new(Scheme)
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		line := 1 + bytes.Count(b[:min(int(d.InputOffset()), len(b))], []byte("\n"))
		return nil, fmt.Errorf("%s:%d: %w: wanted a scheme with name, question, mode and labels", file, line, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("%s: text after the scheme: wanted one JSON object", file)
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// maxLabels is the maximum number of labels of a scheme.
const maxLabels = 200

// Keys of the browser interface that a label cannot have.
const reservedKeys = "ug?/[]!-"

// check returns an error if the scheme is not usable.
func (s *Scheme) check() error {
	switch {
	case strings.TrimSpace(s.Name) == "":
		return errors.New("name: missing: wanted the name of the scheme")
	case strings.TrimSpace(s.Question) == "":
		return errors.New("question: missing: wanted the question that annotators answer")
	case s.Mode != Single && s.Mode != Multi && s.Mode != Scale:
		return fmt.Errorf("mode %q: wanted %s, %s or %s", s.Mode, Single, Multi, Scale)
	case len(s.Labels) < 2 && s.Mode != Multi || len(s.Labels) == 0:
		return fmt.Errorf("labels: %d: wanted at least 2, or 1 in mode %s", len(s.Labels), Multi)
	case len(s.Labels) > maxLabels:
		return fmt.Errorf("labels: %d: wanted at most %d", len(s.Labels), maxLabels)
	}
	of := map[string]string{} // labels by parent and key
	seen := map[string]*Label{}
	for i := range s.Labels {
		l := &s.Labels[i]
		at := fmt.Sprintf("labels[%d] %q", i, l.Label)
		if l.Label == "" || len(l.Label) > 60 || strings.ContainsFunc(l.Label, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) || r == '\\' || r == '/' }) || l.Label[0] == '?' {
			return fmt.Errorf("%s: label: wanted 1 to 60 bytes without spaces, slashes and a question mark at the beginning", at)
		}
		if seen[l.Label] != nil {
			return fmt.Errorf("%s: duplicate label: rename one of them", at)
		}
		seen[l.Label] = l
		r, n := utf8.DecodeRuneInString(l.Key)
		switch {
		case n == 0 || n < len(l.Key) || !unicode.IsGraphic(r) || unicode.IsSpace(r):
			return fmt.Errorf("%s: key %q: wanted one letter, digit or mark", at, l.Key)
		case strings.ContainsRune(reservedKeys, r):
			return fmt.Errorf("%s: key %q: reserved: wanted a key other than %s", at, l.Key, strings.Join(strings.Split(reservedKeys, ""), " "))
		case strings.TrimSpace(l.Name) == "":
			return fmt.Errorf("%s: name: missing: wanted the name to display", at)
		}
		if p := l.Parent; p != "" {
			switch {
			case s.Mode == Scale:
				return fmt.Errorf("%s: parent %q: a scale has no sublabels: remove the parent", at, p)
			case seen[p] == nil:
				return fmt.Errorf("%s: parent %q: wanted a label above this label in the file", at, p)
			case seen[p].Parent != "":
				return fmt.Errorf("%s: parent %q: it has a parent too: wanted at most two levels", at, p)
			}
		}
		for _, parent := range []string{l.Parent, ""} { // keys of sublabels apply beside the main keys
			if other := of[parent+" "+l.Key]; other != "" {
				return fmt.Errorf("%s: key %q: also the key of %q: change one of them", at, l.Key, other)
			}
		}
		of[l.Parent+" "+l.Key] = l.Label
	}
	for i := range s.Labels { // a main label after the sublabel with the same key
		if l := &s.Labels[i]; l.Parent != "" && of[" "+l.Key] != "" {
			return fmt.Errorf("labels[%d] %q: key %q: also the key of %q: change one of them", i, l.Label, l.Key, of[" "+l.Key])
		}
	}
	return nil
}

// index returns the position of a label, -1 if the scheme does not have it.
func (s *Scheme) index(label string) int {
	return slices.IndexFunc(s.Labels, func(l Label) bool { return l.Label == label })
}

// names returns all labels in order.
func (s *Scheme) names() (names []string) {
	for i := range s.Labels {
		names = append(names, s.Labels[i].Label)
	}
	return names
}

// normalize returns the labels of a document in the order of the scheme, with the parents of the
// given labels, or an error if a document cannot have them.
func (s *Scheme) normalize(labels []string) ([]string, error) {
	has := make([]bool, len(s.Labels))
	for _, l := range labels {
		i := s.index(l)
		if i < 0 {
			return nil, fmt.Errorf("label %q: wanted one of %s", l, strings.Join(s.names(), ", "))
		}
		has[i] = true
		if p := s.Labels[i].Parent; p != "" {
			has[s.index(p)] = true
		}
	}
	out := []string{}
	for i, yes := range has {
		if yes {
			out = append(out, s.Labels[i].Label)
		}
	}
	if s.Mode != Multi && len(s.leaves(out)) != 1 {
		return nil, fmt.Errorf("labels %q: wanted exactly one label (mode %s)", labels, s.Mode)
	}
	return out, nil
}

// leaves returns the labels that are not parents of other labels of the list.
func (s *Scheme) leaves(labels []string) (out []string) {
	for _, l := range labels {
		if !slices.ContainsFunc(labels, func(o string) bool { return s.Labels[s.index(o)].Parent == l }) {
			out = append(out, l)
		}
	}
	return out
}
