package labels

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// unknown marks a label about which the annotators did not decide.
const unknown = "?"

// separator separates a subclass from its parent.
const separator = "/"

// classes maps labels to classes.
type classes struct {
	names   []string
	parents []int
	index   map[string]int
}

// newClasses returns the classes of documents in alphabetical order, parents first. It omits classes
// of fewer than least documents, and their subclasses; omitted holds their sizes.
func newClasses(docs []Doc, least int) (c *classes, omitted map[string]int) {
	count := map[string]int{}
	for _, d := range docs {
		for _, name := range WithParents(d.Labels) {
			if !strings.HasPrefix(name, unknown) {
				count[name]++
			}
		}
	}
	c, omitted = &classes{index: map[string]int{}}, map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(count)) { // a parent sorts before its subclasses
		parent := -1
		if p := parentOf(name); p != "" {
			at, ok := c.index[p]
			if !ok {
				omitted[name] = count[name]
				continue
			}
			parent = at
		}
		if count[name] < least {
			omitted[name] = count[name]
			continue
		}
		c.index[name] = len(c.names)
		c.names, c.parents = append(c.names, name), append(c.parents, parent)
	}
	return c, omitted
}

// parentOf returns the parent of a class, "" for none.
func parentOf(name string) string {
	at := strings.LastIndex(name, separator)
	if at < 0 {
		return ""
	}
	return name[:at]
}

// WithParents returns labels and their parents, each once.
func WithParents(labels []string) (all []string) {
	for _, name := range labels {
		for ; name != ""; name = parentOf(name) {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// truth states the classes of a document: for each class 1 if it has it, 0 if not, -1 if unknown.
type truth []int8

// truths returns the classes of documents.
func (c *classes) truths(docs []Doc) []truth {
	out := make([]truth, len(docs))
	for i, d := range docs {
		out[i] = make(truth, len(c.names))
		for _, l := range d.Labels {
			if name, ok := strings.CutPrefix(l, unknown); ok {
				if k, ok := c.index[name]; ok {
					out[i][k] = -1
				}
			}
		}
		for _, name := range WithParents(d.Labels) {
			if k, ok := c.index[name]; ok {
				out[i][k] = 1
			}
		}
		for k, parent := range c.parents { // a subclass of an unknown class is unknown
			if parent >= 0 && out[i][parent] < 0 && out[i][k] == 0 {
				out[i][k] = -1
			}
		}
	}
	return out
}

// several reports whether a document has two classes of the same parent.
func (c *classes) several(t truth) bool {
	for a, x := range t {
		for b := range a {
			if x > 0 && t[b] > 0 && c.parents[a] == c.parents[b] {
				return true
			}
		}
	}
	return false
}

// ErrExclusive is the error of documents with two exclusive classes.
var ErrExclusive = errors.New("documents with two exclusive classes")

// checkExclusive returns an error for the first document of several classes, with the number of
// such documents.
func (c *classes) checkExclusive(docs []Doc, truths []truth) error {
	n, first := 0, -1
	for i, t := range truths {
		if c.several(t) {
			if n++; first < 0 {
				first = i
			}
		}
	}
	if n > 0 {
		return fmt.Errorf("%w: %d of %d, first %s with %s: correct the labels, which spaces separate in TSV, or allow several classes", ErrExclusive, n, len(docs), docs[first].ID, strings.Join(docs[first].Labels, ", "))
	}
	return nil
}
