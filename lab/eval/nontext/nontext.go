// Package nontext evaluates models of non-text (filter/nontext): the fraction of good text that
// they drop, by language and register, and the fraction of bad text that they find, of kinds in the
// training data and of other kinds. [Count] judges documents; [LeaveOneOut] measures unseen kinds.
package nontext

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"chaffinch/filter/nontext"
	"chaffinch/internal/cputime"
	"chaffinch/internal/sorts"
	trainnontext "chaffinch/lab/train/nontext"
	"chaffinch/lab/train/nontext/generate"
)

// Doc is a document of an evaluation.
type Doc struct {
	ID, Lang, Text string
	// Site is the site of the document, "" if unknown.
	Site string
	// Fields holds the other string fields of its record.
	Fields map[string]string
}

// maxLine is the maximum size of a record in bytes.
const maxLine = 64 << 20

// Read reads documents as JSON lines: objects with the field text and, optionally, id, lang, url
// and others.
func Read(name string) (docs []Doc, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var record map[string]any
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, n, err)
		}
		d := Doc{Fields: map[string]string{}}
		for key, v := range record {
			if s, ok := v.(string); ok {
				d.Fields[key] = s
			}
		}
		text, ok := record["text"].(string)
		if !ok {
			return nil, fmt.Errorf("%s: line %d: no field text that is a string", name, n)
		}
		d.ID, d.Lang, d.Text, d.Site = cmp.Or(d.Fields["id"], fmt.Sprintf("%d", n)), d.Fields["lang"], text, d.Fields["url"]
		delete(d.Fields, "text")
		docs = append(docs, d)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return docs, nil
}

// Sample returns at most n documents, selected by a hash of their ids, or all if n is 0.
func Sample(docs []Doc, n int) []Doc {
	if n <= 0 || n >= len(docs) {
		return docs
	}
	docs = slices.Clone(docs)
	sorts.StableFunc(docs, func(a, b Doc) int { return cmp.Compare(xxh3.HashString(a.ID), xxh3.HashString(b.ID)) })
	return docs[:n]
}

// FieldKind is the field with the kind of a generated document.
const FieldKind = "kind"

// Made generates a bad document from each good one, cycling through the kinds.
func Made(good []Doc, kinds []generate.Kind, seed uint64) (bad []Doc) {
	for _, m := range generate.Mix(texts(good), kinds, seed) {
		bad = append(bad, Doc{ID: fmt.Sprintf("made-%d", len(bad)+1), Lang: m.Lang, Text: m.Text, Site: good[m.Of].Site, Fields: map[string]string{FieldKind: m.Kind}})
	}
	return bad
}

func texts(docs []Doc) []generate.Text {
	list := make([]generate.Text, len(docs))
	for i, d := range docs {
		list[i] = generate.Text{Lang: d.Lang, Text: d.Text}
	}
	return list
}

// Row counts a group of documents: all, those with too few words, and those judged as non-text.
type Row struct {
	Group             string
	Docs, Short, Gone int
}

// Share returns the fraction of documents judged as non-text.
func (r Row) Share() float64 { return float64(r.Gone) / float64(max(1, r.Docs)) }

// Judge reports whether a document is non-text; ok is false if it has too few words.
type Judge func(d *Doc) (gone, ok bool)

// JudgeBy returns a Judge that uses the first of models for the language of a document, at the
// limit of the model for a loss of good text.
func JudgeBy(models []*nontext.Model, loss float64) Judge {
	s := nontext.NewScorer()
	return func(d *Doc) (gone, ok bool) {
		m := nontext.For(models, d.Lang)
		if m == nil {
			return false, false
		}
		p, ok := s.Score(m, d.Text)
		return ok && p > m.Limit(d.Lang, loss), ok
	}
}

// speedRuns is the number of measurements of a speed.
const speedRuns = 5

// Speed returns the bytes of documents that models score per second of processor time: the best of
// several runs over all documents.
func Speed(docs []Doc, models []*nontext.Model) (best float64) {
	size := 0
	for _, d := range docs {
		size += len(d.Text)
	}
	judge := JudgeBy(models, nontext.DefaultLoss)
	for range speedRuns {
		begun := cputime.Used()
		for i := range docs {
			judge(&docs[i])
		}
		best = max(best, float64(size)/max(1e-9, (cputime.Used()-begun).Seconds()))
	}
	return best
}

// Count judges documents and counts them by the value of a field, which may be lang; "" gives one
// row.
func Count(docs []Doc, field string, judge Judge) (rows []Row) {
	at := map[string]int{}
	for i := range docs {
		d := &docs[i]
		group := "all"
		if field != "" {
			group = cmp.Or(d.Fields[field], "(none)")
		}
		k, ok := at[group]
		if !ok {
			k = len(rows)
			at[group] = k
			rows = append(rows, Row{Group: group})
		}
		r := &rows[k]
		r.Docs++
		switch gone, ok := judge(d); {
		case !ok:
			r.Short++
		case gone:
			r.Gone++
		}
	}
	sorts.Func(rows, func(a, b Row) int { return strings.Compare(a.Group, b.Group) })
	return rows
}

// Precision returns the fraction of bad text among the dropped text. bad is the fraction of bad
// text in the input, found the fraction of it that is dropped, and lost the fraction of good text
// that is dropped.
func Precision(bad, found, lost float64) float64 {
	gone := bad*found + (1-bad)*lost
	if gone == 0 {
		return 0
	}
	return bad * found / gone
}

// LeftOut holds the results for a kind that is not in the training data.
type LeftOut struct {
	Kind string
	// Good counts the good documents, Bad the documents of the kind.
	Good, Bad Row
}

// LeaveOneOut trains a model for each kind on bad text of all other kinds. It judges good test
// documents and bad documents of the kind generated from them.
func LeaveOneOut(ctx context.Context, cfg trainnontext.Config, train, test []Doc, kinds []generate.Kind, seed uint64) (list []LeftOut, err error) {
	var good []trainnontext.Doc
	for _, d := range train {
		good = append(good, trainnontext.Doc{Text: d.Text, Lang: d.Lang, Site: d.Site})
	}
	for i, k := range kinds {
		others := slices.Concat(kinds[:i:i], kinds[i+1:])
		var bad []trainnontext.Doc
		for _, m := range generate.Mix(texts(train), others, seed) {
			bad = append(bad, trainnontext.Doc{Text: m.Text, Lang: m.Lang, Site: good[m.Of].Site})
		}
		m, _, err := trainnontext.Train(ctx, cfg, trainnontext.Data{Good: good, Bad: bad}, nil)
		if err != nil {
			return nil, fmt.Errorf("without %s: %w", k.Name, err)
		}
		judge := JudgeBy([]*nontext.Model{m}, nontext.DefaultLoss)
		row := LeftOut{Kind: k.Name, Good: Count(test, "", judge)[0]}
		if rows := Count(Made(test, kinds[i:i+1], seed+1), "", judge); len(rows) > 0 {
			row.Bad = rows[0]
		}
		list = append(list, row)
	}
	return list, nil
}

// Write writes documents as JSON lines for other programs.
func Write(w io.Writer, docs []Doc) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, d := range docs {
		record := map[string]string{"id": d.ID, "lang": d.Lang, "text": d.Text}
		for k, v := range d.Fields {
			if record[k] == "" {
				record[k] = v
			}
		}
		if err := enc.Encode(record); err != nil {
			return err
		}
	}
	return nil
}
