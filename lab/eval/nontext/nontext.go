// Package nontext evaluates models of non-text (filter/nontext): how much
// good text of each language and register they lose, and how much bad text they find,
// of kinds that they have learned and of kinds that they have not.
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
	// Site is where it is from, "" if that is not known.
	Site string
	// Fields are the others of its record that are strings.
	Fields map[string]string
}

// maxLine bounds a record.
const maxLine = 64 << 20

// Read reads documents of JSON lines: objects with a field text, and id, lang, url and
// others as far as they have them.
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

// Sample returns at most n documents, chosen by a hash of their ids; all for 0.
func Sample(docs []Doc, n int) []Doc {
	if n <= 0 || n >= len(docs) {
		return docs
	}
	docs = slices.Clone(docs)
	sorts.StableFunc(docs, func(a, b Doc) int { return cmp.Compare(xxh3.HashString(a.ID), xxh3.HashString(b.ID)) })
	return docs[:n]
}

// FieldKind is the field that names the kind of a document that was made.
const FieldKind = "kind"

// Made makes a bad document of each good one, the kinds in turn.
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

// Row tells of a group of documents: how many there are, how many have too few words
// to tell, and how many of the others go.
type Row struct {
	Group             string
	Docs, Short, Gone int
}

// Share is that of those that go among all.
func (r Row) Share() float64 { return float64(r.Gone) / float64(max(1, r.Docs)) }

// Judge says whether a document goes; false if it has too few words to tell.
type Judge func(d *Doc) (gone, ok bool)

// JudgeBy judges by the first of models for the language of a document, at the limit
// of the model.
func JudgeBy(models []*nontext.Model) Judge {
	s := nontext.NewScorer()
	return func(d *Doc) (gone, ok bool) {
		m := nontext.For(models, d.Lang)
		if m == nil {
			return false, false
		}
		p, ok := s.Score(m, d.Text)
		return ok && p > m.Limit(), ok
	}
}

// speedRuns is how often a speed is measured.
const speedRuns = 5

// Speed says how many bytes of documents a second of processor time models score: the
// best of some runs over all of them.
func Speed(docs []Doc, models []*nontext.Model) (best float64) {
	size := 0
	for _, d := range docs {
		size += len(d.Text)
	}
	judge := JudgeBy(models)
	for range speedRuns {
		begun := cputime.Used()
		for i := range docs {
			judge(&docs[i])
		}
		best = max(best, float64(size)/max(1e-9, (cputime.Used()-begun).Seconds()))
	}
	return best
}

// Count judges documents and counts by the value of a field, "" for one row. lang is
// a field too.
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

// Precision is the share of bad text among what goes, where bad is the share of bad
// text among all, of which found goes, and lost is what goes of the good.
func Precision(bad, found, lost float64) float64 {
	gone := bad*found + (1-bad)*lost
	if gone == 0 {
		return 0
	}
	return bad * found / gone
}

// LeftOut is what a model finds of a kind that it has not learned.
type LeftOut struct {
	Kind string
	// Good are the good documents, Bad those of the kind.
	Good, Bad Row
}

// LeaveOneOut trains a model for each kind, on bad text of all other kinds, and judges
// good documents that it has not seen and bad ones of the kind, made of these.
func LeaveOneOut(ctx context.Context, cfg trainnontext.Config, train, test []Doc, kinds []generate.Kind, seed uint64) (list []LeftOut, err error) {
	var good []trainnontext.Doc
	for _, d := range train {
		good = append(good, trainnontext.Doc{Text: d.Text, Site: d.Site})
	}
	for i, k := range kinds {
		others := slices.Concat(kinds[:i:i], kinds[i+1:])
		var bad []trainnontext.Doc
		for _, m := range generate.Mix(texts(train), others, seed) {
			bad = append(bad, trainnontext.Doc{Text: m.Text, Site: good[m.Of].Site})
		}
		m, _, err := trainnontext.Train(ctx, cfg, trainnontext.Data{Good: good, Bad: bad})
		if err != nil {
			return nil, fmt.Errorf("without %s: %w", k.Name, err)
		}
		judge := JudgeBy([]*nontext.Model{m})
		row := LeftOut{Kind: k.Name, Good: Count(test, "", judge)[0]}
		if rows := Count(Made(test, kinds[i:i+1], seed+1), "", judge); len(rows) > 0 {
			row.Bad = rows[0]
		}
		list = append(list, row)
	}
	return list, nil
}

// Write writes documents as JSON lines, for other programs.
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
