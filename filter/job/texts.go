package job

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"chaffinch/filter"
	"chaffinch/input/records"
	"chaffinch/internal/archive"
	"chaffinch/page"
)

// NamedText is a document in the form that rules use, with its id and its site. Site is the
// file or the id if no site is known.
type NamedText struct {
	filter.Text
	ID, Site string
}

// EachText calls fn for each document of collections and of archives of text files (tar, zip).
// It uses the fields Inputs, Input, Stdin, Lang and Progress of j, and detects languages if
// langs is set. Package lab/train/nontext reads its documents with it.
func EachText(ctx context.Context, j Job, langs bool, fn func(NamedText) error) error {
	j.Input.MaxBytes = cmp.Or(j.Input.MaxBytes, records.Default.MaxBytes)
	if j.Progress == nil {
		j.Progress = func(int64, int64) {}
	}
	if !langs {
		j.Lang = cmp.Or(j.Lang, "und") // not needed
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

// isArchive reports whether a file is an archive of files, by its name.
func isArchive(name string) bool {
	base := path.Base(strings.ToLower(name))
	return strings.HasSuffix(base, ".zip") || strings.HasSuffix(base, ".tgz") || slices.Contains(strings.Split(base, "."), "tar")
}

// eachFile reads the text files of an archive.
func (j *judge) eachFile(ctx context.Context, in string, fn func(NamedText) error) error {
	return archive.Texts(in, func(source, tag string, r io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := io.ReadAll(io.LimitReader(r, int64(j.job.Input.MaxBytes)+1))
		if err != nil {
			return err
		}
		t := NamedText{ID: source + "/" + tag}
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
func (j *judge) eachDoc(ctx context.Context, in string, fn func(NamedText) error) error {
	return j.documents(ctx, []string{in}, func(d *records.Doc) error {
		text, _ := j.text(d)
		return fn(NamedText{text, d.ID, cmp.Or(hostOf(d.URL), d.ID)})
	})
}
