package nontext

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"chaffinch/filter/job"
	"chaffinch/filter/nontext"
	"chaffinch/input/records"
	"chaffinch/lab/train/nontext/generate"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// Sources configures the training data of a model.
type Sources struct {
	// Good and Bad are collections, or archives of text files (tar, zip). Without Bad, bad
	// documents are generated from the good ones with Kinds and Seed.
	Good, Bad []string
	// ExtraGood and ExtraBad are only learned from, with less weight.
	ExtraGood, ExtraBad []string
	// Limit is good text that only raises the limits of its languages.
	Limit []string
	Kinds []generate.Kind
	Seed  uint64
	// Stdin, OnError, OnProgress, Input and Lang are fields of [job.Config].
	Stdin      io.Reader
	OnError    func(*page.Error)
	OnProgress func(pipeline.Status)
	Input      records.Config
	Lang       string
	// OnMade, if not nil, is called for each generated document.
	OnMade func(generate.Made) error
}

// maxTrainBytes is the maximum size of the good and of the bad text.
const maxTrainBytes = 512 << 20

// errFull ends the reading of a collection.
var errFull = errors.New("more text than is learned from")

// TrainFrom trains a model from collections, as [Train] does from documents. full reports whether
// they exceed the size limit of training.
func TrainFrom(ctx context.Context, cfg Config, j Sources) (m *nontext.Model, rep *Report, full bool, err error) {
	var data Data
	read := func(inputs []string) (docs []Doc) {
		if err != nil || len(inputs) == 0 {
			return nil
		}
		more := false
		docs, more, err = j.read(ctx, inputs)
		full = full || more
		return docs
	}
	data.Good, data.Bad = read(j.Good), read(j.Bad)
	data.ExtraGood, data.ExtraBad = read(j.ExtraGood), read(j.ExtraBad)
	data.Limit = read(j.Limit)
	if err != nil {
		return nil, nil, false, err
	}
	if len(j.Bad) == 0 {
		if data.Bad, err = j.generate(data.Good); err != nil {
			return nil, nil, false, err
		}
	}
	m, rep, err = Train(ctx, cfg, data, nil)
	return m, rep, full, err
}

// generate generates bad documents from good ones.
func (j *Sources) generate(good []Doc) (bad []Doc, err error) {
	texts := make([]generate.Text, len(good))
	for i := range good {
		if d := &good[i]; d.Site == "" {
			d.Site = fmt.Sprint("document ", i) // held out together
		}
		texts[i] = generate.Text{Lang: good[i].Lang, Text: good[i].Text}
	}
	for _, d := range generate.Mix(texts, j.Kinds, j.Seed) {
		bad = append(bad, Doc{Text: d.Text, Lang: d.Lang, Site: good[d.Of].Site, Kind: d.Kind})
		if j.OnMade != nil {
			if err := j.OnMade(d); err != nil {
				return nil, err
			}
		}
	}
	return bad, nil
}

// config returns the configuration to read inputs.
func (j *Sources) config(inputs []string) job.Config {
	return job.Config{Job: pipeline.Job{Inputs: inputs, Stdin: j.Stdin, OnError: j.OnError, OnProgress: j.OnProgress}, Input: j.Input, Lang: j.Lang}
}

// read reads documents with their languages.
func (j *Sources) read(ctx context.Context, inputs []string) (docs []Doc, full bool, err error) {
	bytes := 0
	err = job.EachText(ctx, j.config(inputs), true, func(t job.NamedText) error {
		for _, piece := range pieces(t.Whole) {
			if bytes += len(piece); bytes > maxTrainBytes {
				return errFull
			}
			docs = append(docs, Doc{Text: piece, Lang: t.Lang, Site: t.Site})
		}
		return nil
	})
	if errors.Is(err, errFull) {
		full, err = true, nil
	}
	return docs, full, err
}

// Long documents are divided into pieces.
const (
	pieceBytes = 8000
	maxPieces  = 24
)

// pieces divides a long text at line ends or spaces and selects some of the pieces.
func pieces(text string) (list []string) {
	for len(text) > 3*pieceBytes/2 {
		cut := pieceBytes
		if k := strings.IndexByte(text[cut:min(len(text), cut+pieceBytes/2)], '\n'); k >= 0 {
			cut += k
		} else if k := strings.IndexByte(text[cut:min(len(text), cut+200)], ' '); k >= 0 {
			cut += k
		} else {
			for !utf8.RuneStart(text[cut]) {
				cut++
			}
		}
		list = append(list, text[:cut])
		text = text[cut:]
	}
	if list = append(list, text); len(list) <= maxPieces {
		return list
	}
	some := make([]string, maxPieces)
	for i := range some {
		some[i] = list[i*len(list)/maxPieces]
	}
	return some
}
