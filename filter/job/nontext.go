package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"chaffinch/filter"
	"chaffinch/filter/nontext"
	"chaffinch/filter/nontext/generate"
	"chaffinch/input/records"
	"chaffinch/internal/archive"
	"chaffinch/page"
)

// NonTextJob says what a model of non-text is trained from.
type NonTextJob struct {
	Config nontext.Config
	// Good and Bad are collections, or archives of text files (tar, zip); without Bad
	// documents are made of the good ones, of Kinds, from Seed on.
	Good, Bad []string
	// Limit are collections of good text on which the limit is chosen; none takes what
	// is held out of Good.
	Limit []string
	Kinds []generate.Kind
	Seed  uint64
	// Input, Stdin, Lang and Progress are those of [Job].
	Input    records.Config
	Stdin    io.Reader
	Lang     string
	Progress func(done, total int64)
	// OnMade is told of each document that was made. nil is not told.
	OnMade func(generate.Made) error
}

// maxTrainBytes bounds the text that is held on each side.
const maxTrainBytes = 512 << 20

// errFull ends the reading.
var errFull = errors.New("more text than is learned from")

// TrainNonText learns a model of non-text: see [nontext.Train]. full tells that there
// was more text than is learned from.
func TrainNonText(ctx context.Context, j NonTextJob) (m *nontext.Model, rep *nontext.Report, full bool, err error) {
	fail := func(err error) (*nontext.Model, *nontext.Report, bool, error) { return nil, nil, false, err }
	good, texts, full, err := j.read(ctx, j.Good, len(j.Bad) == 0)
	if err != nil {
		return fail(err)
	}
	var bad []nontext.Doc
	if len(j.Bad) > 0 {
		more := false
		if bad, _, more, err = j.read(ctx, j.Bad, false); err != nil {
			return fail(err)
		}
		full = full || more
	} else {
		for _, d := range generate.Mix(texts, j.Kinds, j.Seed) {
			bad = append(bad, nontext.Doc{Text: d.Text, Site: good[d.Of].Site, Kind: d.Kind})
			if j.OnMade != nil {
				if err := j.OnMade(d); err != nil {
					return fail(err)
				}
			}
		}
	}
	data := nontext.Data{Good: good, Bad: bad}
	if len(j.Limit) > 0 {
		err = eachText(ctx, Job{Inputs: j.Limit, Input: j.Input, Lang: j.Lang, Progress: j.Progress}, false, func(t namedText) error {
			data.Limit = append(data.Limit, nontext.Doc{Text: t.Whole}) // whole, so that a long document counts once
			return nil
		})
		if err != nil {
			return fail(err)
		}
	}
	m, rep, err = nontext.Train(ctx, j.Config, data)
	return m, rep, full, err
}

// read reads one side, with the languages of the documents if they are asked for.
func (j *NonTextJob) read(ctx context.Context, inputs []string, langs bool) (docs []nontext.Doc, texts []generate.Text, full bool, err error) {
	bytes := 0
	err = eachText(ctx, Job{Inputs: inputs, Input: j.Input, Stdin: j.Stdin, Lang: j.Lang, Progress: j.Progress}, langs, func(t namedText) error {
		for _, piece := range pieces(t.Whole) {
			if bytes += len(piece); bytes > maxTrainBytes {
				return errFull
			}
			docs = append(docs, nontext.Doc{Text: piece, Site: t.Site})
			if langs {
				texts = append(texts, generate.Text{Lang: t.Lang, Text: piece})
			}
		}
		return nil
	})
	if errors.Is(err, errFull) {
		full, err = true, nil
	}
	return docs, texts, full, err
}

// Long documents are learned from in pieces.
const (
	pieceBytes = 8000
	maxPieces  = 24
)

// pieces cuts a long text at line ends or spaces, and takes some of the pieces.
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

// namedText is a document as rules see it, with its name and the site that it is of,
// else its file or name.
type namedText struct {
	filter.Text
	ID, Site string
}

// eachText calls fn for each document of collections and of archives of text files
// (tar, zip). Of j, Inputs, Input, Stdin, Lang and Progress count; the language is
// found if langs is set.
func eachText(ctx context.Context, j Job, langs bool, fn func(namedText) error) error {
	j.Input.MaxBytes = cmp.Or(j.Input.MaxBytes, records.Default.MaxBytes)
	if j.Progress == nil {
		j.Progress = func(int64, int64) {}
	}
	if !langs {
		j.Lang = cmp.Or(j.Lang, "und") // it is not asked for
	}
	judge := &judge{job: &j, detect: detector}
	for _, in := range j.Inputs {
		var err error
		if isArchive(in) {
			err = judge.eachFile(ctx, in, fn)
		} else {
			err = judge.eachDoc(ctx, in, fn)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isArchive tells by the name whether a file is an archive of files.
func isArchive(name string) bool {
	base := path.Base(strings.ToLower(name))
	return strings.HasSuffix(base, ".zip") || strings.HasSuffix(base, ".tgz") || slices.Contains(strings.Split(base, "."), "tar")
}

// eachFile reads the text files of an archive.
func (j *judge) eachFile(ctx context.Context, in string, fn func(namedText) error) error {
	return archive.Texts(in, func(source, tag string, r io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := io.ReadAll(io.LimitReader(r, int64(j.job.Input.MaxBytes)+1))
		if err != nil {
			return err
		}
		t := namedText{ID: source + "/" + tag}
		if len(b) > j.job.Input.MaxBytes {
			if j.job.Input.OnError != nil {
				j.job.Input.OnError(&page.Error{File: t.ID, Offset: -1, Err: fmt.Errorf("a document of more than %d bytes: left out; %w", j.job.Input.MaxBytes, records.ErrTooLong)})
			}
			return nil
		}
		t.Site, t.Whole = t.ID, strings.ToValidUTF8(string(b), "\ufffd")
		t.Lang, _ = j.lang("", t.Whole)
		return fn(t)
	})
}

// eachDoc reads one collection.
func (j *judge) eachDoc(ctx context.Context, in string, fn func(namedText) error) error {
	return j.documents(ctx, []string{in}, func(d *records.Doc) error {
		text, _ := j.text(d)
		return fn(namedText{text, d.ID, cmp.Or(hostOf(d.URL), d.ID)})
	})
}
