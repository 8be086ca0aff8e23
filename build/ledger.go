package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/dedup"
	"chaffinch/filter"
	filterjob "chaffinch/filter/job"
	"chaffinch/format/vertical"
	"chaffinch/internal/archive"
	"chaffinch/internal/files"
	"chaffinch/internal/readers"
	"chaffinch/pipeline"
)

// ledgerVersion is the version of the ledger format. History:
//
//	1: first
const ledgerVersion = 1

// ledger records the steps that were started, in order of the recipe.
type ledger struct {
	Version int      `json:"version"`
	Steps   []*entry `json:"steps"`
	// Recipe is the recipe of the last build in JSON, with its inputs. Default: "", of an earlier version.
	Recipe string `json:"recipe,omitempty"`

	file string
}

// entry is the record of a step.
type entry struct {
	Name string `json:"name"`
	Does string `json:"does"`
	Mark mark   `json:"mark"`
	Done bool   `json:"done"`
	// Error is the reason for which the step failed, or "" if it was killed.
	Error   string   `json:"error,omitempty"`
	Outputs []output `json:"outputs"`
	Cost    cost     `json:"cost"`
	// Flow holds the counts of a step that processes text.
	Flow *Flow `json:"flow,omitempty"`
	// Sampling selects the pages whose words are counted, for the keywords of all steps. It is set
	// for the first step.
	Sampling sampling `json:"sampling,omitempty" merge:"max"`
	// Read is the number of bytes read from the input files.
	Read int64 `json:"read_bytes,omitempty"`
	// Pages, Filter, Dedup, Tokenizer and Tagger are the reports of the steps.
	Pages     *pipeline.Report          `json:"pages,omitempty"`
	Filter    *filterjob.Result         `json:"filter,omitempty"`
	Dedup     *dedup.Result             `json:"dedup,omitempty"`
	Tokenizer *vertical.TokenizerReport `json:"tokenizer,omitempty"`
	Tagger    *vertical.TaggerReport    `json:"tagger,omitempty"`
	// Gaps counts the pages for which the rules of a build in one pass have no data.
	Gaps filter.Gaps `json:"gaps,omitzero"`
	// Untagged describes the languages without a tagger.
	Untagged []string `json:"untagged,omitempty"`
	// Tokens is the number of tokens in an index. NotIndexed is the number of documents that
	// are missing from it because of a program fault.
	Tokens     int64 `json:"tokens,omitempty"`
	NotIndexed int64 `json:"not_indexed,omitempty"`
}

// problems lists input that a step could not process.
func (e *entry) problems() (list []Problem) {
	add := func(n int64, thing, what string) {
		if n != 1 {
			thing += "s"
		}
		if n > 0 {
			list = append(list, Problem{e.Name, n, thing + " " + what})
		}
	}
	if e.Pages != nil {
		add(e.Pages.Errors(), "piece", "of the input could not be read or cleaned: "+strings.Join([]string{stepsFolder, e.Name, errorsName}, "/")+" lists all")
	}
	const fault = "kept unchanged because of a program fault"
	if e.Filter != nil {
		add(e.Filter.Failed, "document", fault)
	}
	if e.Dedup != nil {
		add(e.Dedup.Failed, "document", fault)
	}
	if e.Tokenizer != nil {
		add(e.Tokenizer.Left, "sentence", "cut by our own rules, not by the tokenizer")
	}
	if e.Tagger != nil {
		add(e.Tagger.SentencesLeft, "sentence", "not tagged: the columns are empty")
	}
	add(e.NotIndexed, "document", "not in the index because of a program fault")
	return list
}

// warnings describes documents that the step judged without data of their language.
func (e *entry) warnings() (lines []string) {
	list := append(e.Gaps.Warnings(), e.Untagged...)
	if e.Filter != nil {
		list = e.Filter.Warnings()
	}
	for _, w := range list {
		lines = append(lines, e.Name+": "+w)
	}
	return lines
}

// mark identifies everything on which the result of a step depends.
type mark struct {
	Program string `json:"program"`
	Recipe  string `json:"recipe"` // hash of the settings
	Input   string `json:"input"`  // hash of the input
	// Files holds the hashes of the files that the settings name.
	Files map[string]string `json:"files,omitempty"`
}

// output is a file or folder that a step has written.
type output struct {
	// Path is relative to the folder of the build.
	Path string `json:"path"`
	// State changes with the sizes and times of the files.
	State string `json:"state,omitempty"`
	// Hash is the hash of all bytes. For a folder it includes the file names.
	Hash  string `json:"sha256,omitempty"`
	Bytes int64  `json:"bytes"`
	Files int64  `json:"files"`
}

// readLedger reads the ledger of a folder. It returns an empty ledger if the folder has
// none.
func readLedger(dir string) (*ledger, error) {
	name := filepath.Join(dir, StateName)
	b, err := archive.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &ledger{Version: ledgerVersion, file: name}, nil
	}
	if err != nil {
		return nil, err
	}
	return parseLedger(name, b)
}

// parseLedger parses the bytes of a ledger.
func parseLedger(name string, b []byte) (*ledger, error) {
	l := &ledger{Version: ledgerVersion, file: name}
	err := files.Unseal(b, l)
	if err == nil && l.Version == ledgerVersion {
		err = sound(l.Steps)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: not the ledger of a build: %w: remove it to start over", name, err)
	}
	if l.Version != ledgerVersion {
		return nil, fmt.Errorf("%s: version %d, wanted %d: resume with the program that started the build, or start over", name, l.Version, ledgerVersion)
	}
	return l, nil
}

// sound returns an error for entries that no build wrote. Outputs are removed by their
// paths, so all of them must be in the folder of the build.
func sound(steps []*entry) error {
	for i, e := range steps {
		if e == nil || e.Name == "." || strings.Contains(e.Name, "/") || !fs.ValidPath(e.Name) {
			return fmt.Errorf("step %d has no name of a step", i+1)
		}
		for _, o := range e.Outputs {
			if path := filepath.ToSlash(o.Path); path == "." || !fs.ValidPath(path) {
				return fmt.Errorf("step %s has the output %q, which is not in the folder of the build", e.Name, o.Path)
			}
		}
	}
	return nil
}

func (l *ledger) save() error { return files.WriteSealed(l.file, l, " ") }

// entry returns the record of a step, or nil if there is none.
func (l *ledger) entry(name string) *entry {
	i := slices.IndexFunc(l.Steps, func(e *entry) bool { return e.Name == name })
	if i < 0 {
		return nil
	}
	return l.Steps[i]
}

func (l *ledger) add(e *entry) { l.Steps = append(l.Steps, e) }

func (l *ledger) remove(name string) {
	l.Steps = slices.DeleteFunc(l.Steps, func(e *entry) bool { return e.Name == name })
}

// hashOf returns the SHA-256 hash of the settings of a step.
func hashOf(settings any) string {
	b, err := json.Marshal(settings)
	if err != nil {
		panic(err) // plain data
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// stateOf returns an identity of a file or folder from sizes and times, without reading
// content.
func stateOf(path string) string { return files.Identity(files.List([]string{path})) }

// look records hash, state, size and number of files.
func (o *output) look(ctx context.Context, dir string) error {
	path := filepath.Join(dir, o.Path)
	h := sha256.New()
	o.Bytes, o.Files = 0, 0
	for _, f := range files.List([]string{path}) {
		if f.Err != nil {
			return fmt.Errorf("%s: %w", f.Name, f.Err)
		}
		if !f.Named {
			rel, err := filepath.Rel(path, f.Name)
			if err != nil {
				return err
			}
			fmt.Fprintf(h, "%q\n", filepath.ToSlash(rel))
		}
		n, err := hashFile(ctx, h, f.Name)
		if err != nil {
			return err
		}
		o.Bytes += n
		o.Files++
	}
	o.Hash, o.State = hex.EncodeToString(h.Sum(nil)), stateOf(path)
	return nil
}

func hashFile(ctx context.Context, h io.Writer, name string) (int64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return io.Copy(h, readers.Until(ctx, f))
}

// changed returns how the output differs from the output that the step wrote, or "" if it is
// unchanged.
func (o *output) changed(dir string) (string, error) {
	path := filepath.Join(dir, o.Path)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return o.Path + " is missing", nil
	}
	if stateOf(path) == o.State {
		return "", nil
	}
	now := output{Path: o.Path}
	if err := now.look(context.Background(), dir); err != nil {
		return "", err
	}
	if now.Hash != o.Hash {
		return o.Path + " differs from the output of the step", nil
	}
	o.State = now.State
	return "", nil
}
