package classify

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// trainedOnly is the fold of documents that are never tested.
const trainedOnly = -1

// folds returns the split that tests each document, or trainedOnly.
func (t *Task) folds() []int {
	fold := slices.Repeat([]int{trainedOnly}, len(t.Labels))
	for k, s := range t.Splits {
		for _, i := range s.Test {
			fold[i] = k
		}
	}
	return fold
}

// WriteFolds writes documents with their folds and classes as JSON lines for other programs, which
// train on all documents of other folds. With facts it also writes the facts about the pages.
func (t *Task) WriteFolds(w io.Writer, texts []string, facts bool) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	fold := t.folds()
	for i, text := range texts {
		d := struct {
			ID     string   `json:"id"`
			Fold   int      `json:"fold"`
			Labels []string `json:"labels"`
			Text   string   `json:"text"`
			Facts  []string `json:"facts,omitempty"`
		}{ID: t.Pages.Pages[i].ID, Fold: fold[i], Labels: []string{}, Text: text}
		for _, c := range t.Labels[i] {
			d.Labels = append(d.Labels, t.Classes[c])
		}
		if facts && t.Facts != nil {
			d.Facts = t.Facts[i]
		}
		if err := enc.Encode(d); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Predicted converts the classes of all documents, as another program found them, to the result of
// [Predict].
func (t *Task) Predicted(classes [][]string) ([][][]int, error) {
	got := make([][][]int, len(t.Splits))
	for k, s := range t.Splits {
		for _, i := range s.Test {
			var list []int
			for _, name := range classes[i] {
				c := slices.Index(t.Classes, name)
				if c < 0 {
					return nil, fmt.Errorf("document %s has the class %q: wanted some of %q", t.Pages.Pages[i].ID, name, t.Classes)
				}
				list = append(list, c)
			}
			slices.Sort(list)
			got[k] = append(got[k], list)
		}
	}
	return got, nil
}
