package dedup

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"chaffinch/internal/archive"
)

// Answers holds the answers of a program for the documents of a set.
type Answers struct {
	System string
	// Ours is set for methods of this project.
	Ours bool
	// Seconds is the wall time, CPU the processor time, both including loading; 0 if unknown.
	Seconds, CPU float64
	// Cluster holds a number for each document; near-duplicates have the same number. It is nil if
	// the program reports none.
	Cluster []int
	// Drop reports for each document whether it is removed.
	Drop []bool
	// Paras reports for each document which of its paragraphs are removed; nil if the program
	// removes whole documents.
	Paras [][]bool
}

// Files of a folder of answers.
const (
	systemFile    = "system.json"
	documentsFile = "documents.tsv"
	paraFile      = "paragraphs.tsv"
)

// ReadAnswers reads a folder with the answers of another program:
//
//	system.json     {"name": ..., "version": ..., "seconds": ..., "cpu_seconds": ...}
//	documents.tsv   id, tab, name of the cluster (empty: alone), tab, 1 if the document is dropped, else 0
//	paragraphs.tsv  id, tab, a 0 or 1 for each paragraph; optional
//
// Documents that are not listed are alone and kept.
func ReadAnswers(dir string, s *Set) (*Answers, error) {
	b, err := archive.ReadFile(filepath.Join(dir, systemFile))
	if err != nil {
		return nil, err
	}
	var meta struct {
		Name    string
		Seconds float64
		CPU     float64 `json:"cpu_seconds"`
	}
	if err := json.Unmarshal(b, &meta); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, systemFile), err)
	}
	meta.Name = cmp.Or(meta.Name, filepath.Base(dir))
	a := &Answers{System: meta.Name, Seconds: meta.Seconds, CPU: meta.CPU}
	if b, err = archive.ReadFile(filepath.Join(dir, documentsFile)); err != nil {
		return nil, err
	}
	if err := a.readDocuments(bytes.NewReader(b), s); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, documentsFile), err)
	}
	b, err = archive.ReadFile(filepath.Join(dir, paraFile))
	if os.IsNotExist(err) {
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	if err := a.readParas(bytes.NewReader(b), s); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, paraFile), err)
	}
	return a, nil
}

// numbers returns the number of each document by its ID.
func (s *Set) numbers() map[string]int {
	out := make(map[string]int, len(s.Docs))
	for i, d := range s.Docs {
		out[d.ID] = i
	}
	return out
}

// rows calls fn with the number of the document and the other cells of each line.
func (s *Set) rows(r io.Reader, cells int, fn func(doc int, rest []string) error) error {
	number := s.numbers()
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<24)
	for line := 1; in.Scan(); line++ {
		f := strings.Split(in.Text(), "\t")
		if len(f) != cells {
			return fmt.Errorf("line %d: %d cells, wanted %d", line, len(f), cells)
		}
		i, ok := number[f[0]]
		if !ok {
			return fmt.Errorf("line %d: no document %q in the set: were the answers made for another one?", line, f[0])
		}
		if err := fn(i, f[1:]); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
	return in.Err()
}

func (a *Answers) readDocuments(r io.Reader, s *Set) error {
	a.Cluster, a.Drop = newLinks(len(s.Docs)), make([]bool, len(s.Docs))
	first := map[string]int{}
	return s.rows(r, 3, func(i int, f []string) (err error) {
		if name := f[0]; name != "" {
			if _, ok := first[name]; !ok {
				first[name] = i
			}
			a.Cluster[i] = first[name]
		}
		if a.Drop[i], err = strconv.ParseBool(f[1]); err != nil {
			return fmt.Errorf("%q: wanted 1 for a document that is dropped, else 0", f[1])
		}
		return nil
	})
}

func (a *Answers) readParas(r io.Reader, s *Set) error {
	a.Paras = make([][]bool, len(s.Docs))
	for i, d := range s.Docs {
		a.Paras[i] = make([]bool, len(d.Paras))
	}
	return s.rows(r, 2, func(i int, f []string) error {
		if len(f[0]) != len(a.Paras[i]) {
			return fmt.Errorf("%d paragraphs, the document has %d", len(f[0]), len(a.Paras[i]))
		}
		for k, c := range []byte(f[0]) {
			if c != '0' && c != '1' {
				return fmt.Errorf("paragraph %d is %q: wanted 0 or 1", k, c)
			}
			a.Paras[i][k] = c == '1'
		}
		return nil
	})
}
