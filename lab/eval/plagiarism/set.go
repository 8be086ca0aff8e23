package plagiarism

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"chaffinch/internal/archive"
	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/sorts"
	"chaffinch/lab/eval/floors"
	"chaffinch/plagiarism"
)

// Document is a text with its id, in PAN the file name.
type Document struct{ ID, Text string }

// Set is a collection of suspicious and source documents with known cases.
type Set struct {
	Name                string
	Suspicious, Sources []Document
	Cases               []plagiarism.Annotation
}

// Half returns the half of a set that a suspicious document belongs to: "dev", for choosing
// settings, or "test".
func Half(id string) string {
	if sha256.Sum256([]byte(strings.TrimSuffix(id, ".txt")))[0]%2 == 1 {
		return "dev"
	}
	return "test"
}

// file is a file of a set.
type file struct {
	set, folder, base string
	b                 []byte
}

// Open reads the sets of a folder or archive in the layouts of PAN. A set is the folder that
// contains the folders of the documents (which may contain folders part1, part2, ...). If no folder
// has documents of both kinds, everything is one set. A text is suspicious if it is the reference
// of an XML file of the set, or if its name begins with "susp"; all other texts are sources.
func Open(name string) ([]*Set, error) {
	texts, golds, err := readFiles(name)
	if err != nil {
		return nil, err
	}
	sets, err := build(name, texts, golds)
	if err == nil && len(sets) == 0 {
		for i := range texts {
			texts[i].set = ""
		}
		for i := range golds {
			golds[i].set = ""
		}
		sets, err = build(name, texts, golds)
	}
	if err == nil && len(sets) == 0 {
		err = fmt.Errorf("%s: no set: wanted folders with suspicious documents (NAME.txt and NAME.xml) and source documents (.txt)", name)
	}
	return sets, err
}

var partFolder = lazyregexp.New(`^part-?[0-9]+$`)

// readFiles reads all texts and XML files.
func readFiles(name string) (texts, golds []file, err error) {
	err = archive.Walk(name, func(p string, r io.Reader) error {
		ext := path.Ext(p)
		if ext != ".txt" && ext != ".xml" {
			return nil
		}
		b, err := archive.ReadAll(r)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", name, p, err)
		}
		dir := path.Dir(p)
		if partFolder().MatchString(path.Base(dir)) {
			dir = path.Dir(dir)
		}
		f := file{path.Dir(dir), path.Base(dir), path.Base(p), b}
		if ext == ".xml" {
			golds = append(golds, f)
		} else {
			texts = append(texts, f)
		}
		return nil
	})
	order := func(a, b file) int {
		return cmp.Or(strings.Compare(a.set, b.set), strings.Compare(a.base, b.base), strings.Compare(a.folder, b.folder))
	}
	sorts.Func(texts, order)
	sorts.Func(golds, order)
	return texts, golds, err
}

// build returns the sets with documents of both kinds.
func build(name string, texts, golds []file) ([]*Set, error) {
	cases := map[[2]string][]plagiarism.Annotation{} // set, document
	for _, f := range golds {
		ref, cs, err := plagiarism.ReadPAN(bytes.NewReader(f.b), plagiarism.GoldFeature)
		if err != nil {
			return nil, fmt.Errorf("%s: %s/%s/%s: %w", name, f.set, f.folder, f.base, err)
		}
		k := [2]string{f.set, path.Base(ref)}
		if _, ok := cases[k]; !ok {
			cases[k] = nil
		}
		for _, c := range cs {
			c.Suspicious, c.Source = path.Base(c.Suspicious), path.Base(c.Source)
			cases[k] = append(cases[k], c)
		}
	}
	var sets []*Set
	for _, f := range texts {
		if len(sets) == 0 || sets[len(sets)-1].Name != f.set {
			sets = append(sets, &Set{Name: f.set})
		}
		s := sets[len(sets)-1]
		d := Document{f.base, string(f.b)}
		cs, ok := cases[[2]string{f.set, f.base}]
		if !ok && !strings.HasPrefix(f.base, "susp") {
			s.Sources = append(s.Sources, d)
			continue
		}
		s.Suspicious = append(s.Suspicious, d)
		s.Cases = append(s.Cases, cs...)
	}
	for _, s := range sets {
		if s.Name == "." || s.Name == "" {
			s.Name = archive.Stem(path.Base(name))
		}
	}
	return slices.DeleteFunc(sets, func(s *Set) bool { return len(s.Suspicious) == 0 || len(s.Sources) == 0 }), nil
}

// ReadDetections reads the detections of a program for the documents of a set: PAN XML files of a
// folder or archive, with any names.
func ReadDetections(name string, s *Set) ([]plagiarism.Passage, error) {
	known := map[string]bool{}
	for _, d := range s.Suspicious {
		known[d.ID] = true
	}
	var out []plagiarism.Passage
	err := archive.Walk(name, func(p string, r io.Reader) error {
		if path.Ext(p) != ".xml" {
			return nil
		}
		ref, found, err := plagiarism.ReadPAN(r, plagiarism.DetectedFeature)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", name, p, err)
		}
		if !known[ref] {
			return nil // in another half or set
		}
		for _, f := range found {
			out = append(out, f.Passage)
		}
		return nil
	})
	return out, err
}

// Passages returns the cases without their annotations.
func (s *Set) Passages() []plagiarism.Passage {
	var out []plagiarism.Passage
	for _, c := range s.Cases {
		out = append(out, c.Passage)
	}
	return out
}

// Part returns the set with the suspicious documents of one half and all sources.
func (s *Set) Part(half string) *Set {
	p := &Set{Name: s.Name, Sources: s.Sources}
	for _, d := range s.Suspicious {
		if Half(d.ID) == half {
			p.Suspicious = append(p.Suspicious, d)
		}
	}
	for _, c := range s.Cases {
		if Half(c.Suspicious) == half {
			p.Cases = append(p.Cases, c)
		}
	}
	return p
}

// Fingerprint identifies all documents and cases.
func (s *Set) Fingerprint() floors.Fingerprint {
	sum := sha256.New()
	for _, ds := range [][]Document{s.Sources, s.Suspicious} {
		for _, d := range ds {
			fmt.Fprintf(sum, "%s\t%d\n%s", d.ID, len(d.Text), d.Text)
		}
	}
	for _, c := range s.Cases {
		fmt.Fprintf(sum, "{Passage:{Suspicious:%s Source:%s SuspiciousStart:%d SuspiciousEnd:%d SourceStart:%d SourceEnd:%d Score:%v} Kind:%s Obfuscation:%s}\n",
			c.Suspicious, c.Source, c.SuspiciousStart, c.SuspiciousEnd, c.SourceStart, c.SourceEnd, c.Score, c.Kind, c.Obfuscation)
	}
	return floors.Fingerprint{SHA256: hex.EncodeToString(sum.Sum(nil)), Files: len(s.Sources) + len(s.Suspicious)}
}

// Bytes returns the total sizes of all suspicious documents and of all sources.
func (s *Set) Bytes() (suspicious, sources int64) {
	for _, d := range s.Suspicious {
		suspicious += int64(len(d.Text))
	}
	for _, d := range s.Sources {
		sources += int64(len(d.Text))
	}
	return suspicious, sources
}
