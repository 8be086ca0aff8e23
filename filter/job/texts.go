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
// It uses the fields Inputs, Stdin, OnError, OnProgress, Input and Lang of cfg, and detects
// languages if langs is set. Package lab/train/nontext reads its documents with it.
func EachText(ctx context.Context, cfg Config, langs bool, fn func(NamedText) error) error {
	cfg.Input.MaxBytes = cmp.Or(cfg.Input.MaxBytes, records.Default.MaxBytes)
	if !langs {
		cfg.Lang = cmp.Or(cfg.Lang, "und") // not needed
	}
	judge := &judge{cfg: &cfg, detect: detector}
	for _, in := range cfg.Inputs {
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
		b, err := io.ReadAll(io.LimitReader(r, int64(j.cfg.Input.MaxBytes)+1))
		if err != nil {
			return err
		}
		t := NamedText{ID: source + "/" + tag}
		if len(b) > j.cfg.Input.MaxBytes {
			if j.cfg.OnError != nil {
				j.cfg.OnError(&page.Error{File: t.ID, Offset: -1, Err: fmt.Errorf("a document of more than %d bytes: left out; %w", j.cfg.Input.MaxBytes, records.ErrTooLong)})
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
