// Package documents implements the desk for labelling whole documents in the browser with a
// [Scheme] of labels, such as registers. [Add] adds documents to a set; [Open] opens it.
//
// A set is a folder: scheme.json, documents.jsonl with the documents (add.go), an append-only log
// for each annotator (work.go, package journal), and the exported labels (export.go). next.go
// selects the next document of an annotator, agree.go measures agreement, learn.go trains and
// evaluates models, register.go handles requests.
//
// Unstable: this package may change in any release.
package documents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"time"

	"chaffinch/internal/files"
	"chaffinch/serve/desk/job"
	"chaffinch/serve/desk/journal"
)

// Config configures a Desk.
type Config struct {
	// Dir is the folder of the set.
	Dir string
	// Scheme is the scheme of the set. It is fixed when the set is opened for the first time.
	// Later, texts and keys may change, and labels may be added. Default: as in the set.
	Scheme *Scheme
	// Double is the share of documents that two annotators label, 0 to 1.
	Double float64
	// Random is the share of documents that are drawn at random once a model selects the
	// others, 0 to 1. These documents measure the quality of models.
	Random float64
	// Seed determines the random selection.
	Seed uint64
	// Log gets a record of each repair.
	Log *slog.Logger
	// Now is the clock, time.Now if nil.
	Now func() time.Time
}

// Default holds the recommended shares.
var Default = Config{Double: .2, Random: .2, Seed: 1}

// Files of a set.
const (
	schemeFile    = "scheme.json"
	documentsFile = "documents.jsonl"
	labelFolder   = "labels"
	modelFolder   = "models"
)

// Desk is a set of documents under annotation. It is safe for concurrent use.
type Desk struct {
	cfg    Config
	scheme *Scheme
	lock   io.Closer
	docs   []*doc // in the order of documents.jsonl
	byID   map[string]*doc
	job    job.Job

	exporting sync.Mutex // exports are written one after the other

	mu        sync.Mutex // guards the following fields
	people    journal.Team[*person, event]
	notices   []string // repairs made when the set was opened
	trainings []TrainedModel
	used      int  // number of the training whose model selects, 0 for none
	active    bool // whether its model has scored the documents
}

// ErrNoSet indicates a folder without a set of documents. Add creates one.
var ErrNoSet = errors.New("no " + documentsFile + ": wanted a set of documents under annotation")

// Is reports whether a folder is a set of documents under annotation.
func Is(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, schemeFile))
	return err == nil
}

// Open opens a set, and locks it.
func Open(ctx context.Context, cfg Config) (_ *Desk, err error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	for name, share := range map[string]float64{"double": cfg.Double, "random": cfg.Random} {
		if !(share >= 0 && share <= 1) {
			return nil, fmt.Errorf("%s: share %g: wanted 0 to 1", name, share)
		}
	}
	docs, err := readDocs(cfg.Dir)
	if err != nil {
		return nil, err
	}
	if len(docs) == 0 {
		return nil, fmt.Errorf("%s: %w", cfg.Dir, ErrNoSet)
	}
	s := &Desk{cfg: cfg, docs: docs, byID: map[string]*doc{}}
	for _, d := range docs {
		s.byID[d.ID] = d
	}
	if s.lock, err = journal.Lock(cfg.Dir, labelFolder); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if err := s.openScheme(); err != nil {
		return nil, err
	}
	s.people = s.team()
	if err := s.people.Open(); err != nil {
		return nil, err
	}
	if cfg.Scheme != nil { // every label in use is in it
		if err := saveScheme(cfg.Dir, s.scheme); err != nil {
			return nil, err
		}
	}
	if err := s.openModel(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// openScheme reads the scheme of the set, or takes the scheme of the configuration.
func (s *Desk) openScheme() error {
	name := filepath.Join(s.cfg.Dir, schemeFile)
	b, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.cfg.Scheme == nil:
		return fmt.Errorf("%s: no such file: wanted the scheme of the set", name)
	case errors.Is(err, fs.ErrNotExist):
		s.scheme = s.cfg.Scheme
		return nil
	case err != nil:
		return err
	}
	old, err := parseScheme(name, b)
	if err != nil {
		return err
	}
	s.scheme = old
	if now := s.cfg.Scheme; now != nil && !reflect.DeepEqual(now, old) {
		if now.Name != old.Name || now.Mode != old.Mode {
			return fmt.Errorf("%s: scheme %s (%s), not %s (%s): leave the option out, or create another set", name, old.Name, old.Mode, now.Name, now.Mode)
		}
		s.scheme = now
	}
	return nil
}

// saveScheme writes the scheme of a set.
func saveScheme(dir string, s *Scheme) error {
	return files.WriteJSON(filepath.Join(dir, schemeFile), s, " ")
}

// Close cancels a running training, and writes the labels to files for training.
func (s *Desk) Close() error {
	s.job.Stop()
	return errors.Join(s.Export(), s.close())
}

func (s *Desk) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.people.Close(), s.lock.Close())
}

// Name returns the name of the set, the name of its folder.
func (s *Desk) Name() string {
	abs, err := filepath.Abs(s.cfg.Dir)
	if err != nil {
		return filepath.Base(s.cfg.Dir)
	}
	return filepath.Base(abs)
}

// Size returns the number of documents.
func (s *Desk) Size() int { return len(s.docs) }

func (s *Desk) notice(text string) {
	s.notices = append(s.notices, text)
	s.cfg.Log.Warn(text)
}
