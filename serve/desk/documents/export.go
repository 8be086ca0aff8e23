package documents

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/internal/files"
	"chaffinch/serve/desk/journal"
)

// Labelled is a labelled document, as files of labelled documents have it.
type Labelled struct {
	ID     string   `json:"id"`
	URL    string   `json:"url"`
	Lang   string   `json:"lang"`
	Labels []string `json:"labels"`
	Text   string   `json:"text"`
}

// example is a labelled document of the set.
type example struct {
	*doc
	labels []string
	unsure bool // an annotator was unsure, and the labels are not adjudicated
	random bool // the document was selected at random
}

// labelled returns the document with the labels that imply all others, as PARENT/LABEL if they have
// a parent.
func (x example) labelled(s *Scheme) Labelled {
	paths := []string{}
	for _, l := range s.leaves(x.labels) {
		if p := s.Labels[s.index(l)].Parent; p != "" {
			l = p + "/" + l
		}
		paths = append(paths, l)
	}
	return Labelled{x.ID, x.URL, x.Lang, paths, x.Text}
}

// examples returns the labelled documents.
func (s *Desk) examples() (all []example) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.docs {
		if x, ok := s.agreed(d); ok {
			all = append(all, x)
		}
	}
	return all
}

// agreed returns the labels of a document: the adjudicated labels, otherwise the labels of the
// majority. With as many votes for a label as against it, the first annotator in the alphabet
// decides. The caller holds s.mu.
func (s *Desk) agreed(d *doc) (x example, ok bool) {
	x.doc = d
	done := s.done(d)
	for _, w := range done {
		x.random = x.random || w.how == bySpread || w.how == byRandom
	}
	if j := s.judged(d); j != nil {
		x.labels = j.Labels
		return x, true
	}
	votes := map[string]int{}
	var first []string
	for _, name := range s.names() {
		w := done[name]
		if w == nil {
			continue
		}
		labels := w.Labels
		if s.scheme.Mode != Multi {
			labels = s.scheme.leaves(labels)
		}
		if first == nil {
			first = append([]string{}, labels...)
		}
		for _, l := range labels {
			votes[l]++
		}
		x.unsure = x.unsure || w.Unsure
	}
	if first == nil {
		return x, false
	}
	var labels []string
	if s.scheme.Mode == Multi {
		for l, n := range votes {
			if 2*n > len(done) || 2*n == len(done) && slices.Contains(first, l) {
				labels = append(labels, l)
			}
		}
	} else {
		labels = first
		for _, l := range s.scheme.names() {
			if votes[l] > votes[labels[0]] {
				labels = []string{l}
			}
		}
	}
	x.labels, _ = s.scheme.normalize(labels) // labels of the scheme
	return x, true
}

// Formats of exported labels.
const (
	formatJSONL = "jsonl"
	formatTSV   = "tsv"
)

// exported returns the labelled documents in a format. sure leaves out documents of which an
// annotator was unsure.
func (s *Desk) exported(format string, sure bool) ([]byte, error) {
	var docs []Labelled
	for _, x := range s.examples() {
		if !x.unsure || !sure {
			docs = append(docs, x.labelled(s.scheme))
		}
	}
	if format == formatJSONL {
		return journal.Lines(docs)
	}
	var out bytes.Buffer
	out.WriteString("id\tlabels\tlang\turl\ttext\n")
	for _, d := range docs {
		fmt.Fprintf(&out, "%s\t%s\t%s\t%s\t%s\n", tsv.Replace(d.ID), strings.Join(d.Labels, " "), tsv.Replace(d.Lang), tsv.Replace(d.URL), tsv.Replace(d.Text))
	}
	return out.Bytes(), nil
}

// tsv escapes a value of a table.
var tsv = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", "")

// Export writes labels.jsonl and labels.tsv, the labelled documents, into the folder of the set.
func (s *Desk) Export() error {
	s.exporting.Lock()
	defer s.exporting.Unlock()
	for _, format := range []string{formatJSONL, formatTSV} {
		b, err := s.exported(format, false)
		if err != nil {
			return err
		}
		if err := files.WriteFile(filepath.Join(s.cfg.Dir, "labels."+format), b); err != nil {
			return err
		}
	}
	return nil
}
