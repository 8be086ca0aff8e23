// Package desk implements the annotation desk: annotators label blocks of pages and lines of
// text in the browser, and the result is a gold set at all times. [Add] adds pages to a set;
// [Open] opens it.
//
// A set under annotation is a folder (add.go, docs.go) with the pages, their metadata, an
// append-only event log for each annotator (store.go, work.go), and derived files: roles,
// gold text and lines of finished pages (gold.go). agree.go measures agreement between
// annotators and with proposals, learn.go adapts the model to the set, register.go handles
// requests.
//
// Unstable: this package may change in any release.
package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"chaffinch/clean/blocks"
	"chaffinch/clean/lines"
	"chaffinch/extract"
	"chaffinch/extract/site"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/parallel"
	"chaffinch/serve/desk/job"
	"chaffinch/serve/desk/journal"
)

// Config configures a Desk.
type Config struct {
	// Dir is the folder of the set.
	Dir string
	// Labels is the kind of labels of HTML blocks: LabelRoles or LabelText. It is fixed when
	// the set is opened for the first time. Default: as in the set, else LabelRoles.
	Labels string
	// Blank hides the proposals from everybody.
	Blank bool
	// Log gets a record of each repair.
	Log *slog.Logger
	// Now is the clock, time.Now if nil.
	Now func() time.Time
}

// The labels of blocks of HTML.
const (
	LabelRoles = "roles" // what each block is (page.Role)
	LabelText  = "text"  // text or boilerplate
)

// Desk is a set under annotation. It is safe for concurrent use.
type Desk struct {
	cfg     Config
	set     settings
	lock    io.Closer
	extract *extract.Extractor
	lines   func() (*lines.Model, error)
	table   *site.Table
	docs    []*doc // in the order of meta.jsonl
	byID    map[string]*doc
	sites   map[string][]*doc
	model   atomic.Pointer[inUse]

	mu        sync.Mutex // of what follows
	people    journal.Team[*person, event]
	notices   []string   // repairs made when the set was opened
	goldMu    sync.Mutex // files that follow from the labels are written one after the other
	ranking   sync.Mutex // the pages are looked through once at a time
	job       job.Job
	trainings []Training // in the order of their numbers
}

// inUse is the model that proposes.
type inUse struct {
	labeller *blocks.Labeller
	number   int // of the training, 0 for the embedded model
}

// ErrNoSet indicates a folder without a set under annotation. Add creates one.
var ErrNoSet = errors.New("no " + metaFile + ": wanted a set under annotation")

// Open opens a set.
func Open(ctx context.Context, cfg Config) (d *Desk, err error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	all, err := readInfo(cfg.Dir)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: %w", cfg.Dir, ErrNoSet)
	}
	s := &Desk{cfg: cfg, byID: map[string]*doc{}, sites: map[string][]*doc{}, lines: sync.OnceValues(lines.Embedded)}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	for _, dir := range []string{modelFolder, goldFolder, htmlFolder} {
		if err := disk.MkdirAll(filepath.Join(cfg.Dir, dir)); err != nil {
			return nil, err
		}
	}
	if s.lock, err = journal.Lock(cfg.Dir, labelFolder); err != nil {
		return nil, err
	}
	if s.extract, err = extract.New(extract.Default); err != nil {
		return nil, err
	}
	if err := s.openSettings(); err != nil {
		return nil, err
	}
	for _, i := range all {
		d := &doc{info: i, plain: i.Kind == kindLines, model: -1}
		d.two = d.plain || s.set.Labels == LabelText
		s.docs, s.byID[i.ID] = append(s.docs, d), d
	}
	if err := s.scan(ctx); err != nil {
		return nil, err
	}
	if err := s.openModel(); err != nil {
		return nil, err
	}
	s.people = s.team()
	if err := s.people.Open(); err != nil {
		return nil, err
	}
	return s, nil
}

// settings holds the settings of a set, stored in a file of the set.
type settings struct {
	Labels string `json:"labels"`
	// Model is the number of the training whose model proposes, 0 for the embedded model.
	Model int `json:"model"`
}

const settingsFile = "annotation.json"

// openSettings reads the settings of the set, or makes them.
func (s *Desk) openSettings() error {
	name := filepath.Join(s.cfg.Dir, settingsFile)
	b, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.set.Labels = cmp.Or(s.cfg.Labels, LabelRoles)
		return s.saveSettings()
	case err != nil:
		return err
	}
	if err := json.Unmarshal(b, &s.set); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if l := s.set.Labels; l != LabelRoles && l != LabelText {
		return fmt.Errorf("%s: labels %q: wanted %s or %s", name, l, LabelRoles, LabelText)
	}
	if l := s.cfg.Labels; l != "" && l != s.set.Labels {
		return fmt.Errorf("%s: blocks of this set are labelled by %s, not by %s: leave the option out, or create another set", s.cfg.Dir, s.set.Labels, l)
	}
	return nil
}

func (s *Desk) saveSettings() error {
	b, err := json.Marshal(s.set)
	if err != nil {
		return err
	}
	return files.WriteFile(filepath.Join(s.cfg.Dir, settingsFile), append(b, '\n'))
}

// scan reads all pages once.
func (s *Desk) scan(ctx context.Context) error {
	counter, err := site.NewCounter(site.Config{})
	if err != nil {
		return err
	}
	errs := make([]error, len(s.docs))
	parallel.Each(0, len(s.docs), func(i int) {
		if errs[i] = ctx.Err(); errs[i] != nil {
			return
		}
		p, err := s.read(ctx, s.docs[i])
		if err == nil {
			err = s.docs[i].scan(p, counter)
		}
		errs[i] = err
	})
	if err := cmp.Or(errs...); err != nil {
		return errors.Join(err, counter.Close())
	}
	if s.table, err = counter.Table(); err != nil {
		return err
	}
	for _, d := range s.docs {
		if d.site != "" && !d.plain {
			s.sites[d.site] = append(s.sites[d.site], d)
		}
	}
	return nil
}

// Close ends the work: a training that runs is cancelled.
func (s *Desk) Close() error {
	s.job.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.people.Close()
	if s.table != nil {
		err = errors.Join(err, s.table.Close())
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	return err
}

// Name returns the name of the set, the name of its folder.
func (s *Desk) Name() string {
	abs, err := filepath.Abs(s.cfg.Dir)
	if err != nil {
		return filepath.Base(s.cfg.Dir)
	}
	return filepath.Base(abs)
}
