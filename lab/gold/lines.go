package gold

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/internal/archive"
	"chaffinch/internal/sorts"
)

// LineDoc is a document with labelled lines.
type LineDoc struct {
	ID string
	// Lang is the language (BCP 47), "" if unknown.
	Lang string
	// Split is the part of the set of the document: "train", "dev", "test", or "" if unknown.
	Split string
	// Register is the register of the document, "" if unknown.
	Register string
	Lines    []string
	// Labels holds an entry for each line: true = text, false = boilerplate.
	Labels []bool
	// Weight is the weight of the document in training. Default: 1. It is less for automatic
	// labels. Files do not contain it.
	Weight float64
}

// The parts of a set of labelled documents.
const (
	Train = "train"
	Dev   = "dev"
	Test  = "test"
)

// splitNames maps common names of the parts to the parts.
var splitNames = map[string]string{
	"train": Train, "training": Train,
	"dev": Dev, "devel": Dev, "development": Dev, "valid": Dev, "validation": Dev,
	"test": Test,
}

// errNoLines is returned for a path without files of labelled lines.
var errNoLines = errors.New("no labelled lines: wanted a .jsonl or .tsv file, or a folder or an archive (.tar, .tar.gz, .tar.zst) that has some")

// isLineFile reports whether a file with the given name contains labelled lines.
func isLineFile(name string) bool {
	e := strings.ToLower(path.Ext(name))
	return e == ".jsonl" || e == ".tsv"
}

// ReadLineDocs reads the labelled documents of a file (.jsonl or .tsv), or of all such files of a
// folder or an archive (.tar, .tar.gz, .tar.zst); see docs/reference/formats/lines.md. If two files
// differ only in the suffix, only the .jsonl file is read. Missing languages and parts of documents
// are taken from names like sv.dev.jsonl. Files are read in the order of their names.
func ReadLineDocs(ctx context.Context, name string) ([]*LineDoc, error) {
	files := map[string][]byte{}
	take := func(p string, r io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !isLineFile(p) {
			return nil
		}
		b, err := archive.ReadAll(r)
		files[p] = b
		return err
	}
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	place := func(p string) string { return name + ": " + p }
	if !st.IsDir() && isLineFile(name) {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		b, err := archive.ReadAll(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files[filepath.ToSlash(name)] = b
		place = func(string) string { return name }
	} else if !st.IsDir() && SetName(name) == filepath.Base(name) {
		return nil, fmt.Errorf("%s: neither a table (.tsv) nor JSON lines (.jsonl) by its name, nor an archive (%s)", name, archive.Endings())
	} else if err := archive.Walk(name, take); err != nil {
		return nil, err
	}
	var names []string
	for p := range files {
		stem, ok := strings.CutSuffix(p, ".tsv")
		if _, twin := files[stem+".jsonl"]; !ok || !twin {
			names = append(names, p)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: %w", name, errNoLines)
	}
	slices.Sort(names)
	var docs []*LineDoc
	seen := map[string]string{}
	for _, p := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := lineReader{place: place(p), file: path.Base(p), seen: seen}
		read := r.jsonl
		if strings.HasSuffix(strings.ToLower(p), ".tsv") {
			read = r.tsv
		}
		if err := read(files[p]); err != nil {
			return nil, err
		}
		if len(r.docs) == 0 {
			return nil, fmt.Errorf("%s: no document: take the file away, or put labelled lines in it", r.place)
		}
		docs = append(docs, r.docs...)
	}
	return docs, nil
}

// SplitLineDocs divides documents into three parts: 15 of 100 of each language for test and for
// dev, the others for train, by the hash of their ids and seed. If a language has three documents,
// each part gets at least one. Near-duplicates are in the same part. Each part is in the order of
// docs.
func SplitLineDocs(docs []*LineDoc, seed uint64) (train, dev, test []*LineDoc) {
	part := make([]string, len(docs))
	for _, clusters := range byLang(docs, seed) {
		all := 0
		for _, c := range clusters {
			all += len(c)
		}
		n := (15*all + 50) / 100
		if n == 0 && len(clusters) >= 3 {
			n = 1
		}
		dealt := 0
		for _, c := range clusters {
			p := Train
			switch {
			case dealt < n:
				p = Test
			case dealt < 2*n:
				p = Dev
			}
			for _, i := range c {
				part[i] = p
			}
			dealt += len(c)
		}
	}
	for i, d := range docs {
		switch part[i] {
		case Test:
			test = append(test, d)
		case Dev:
			dev = append(dev, d)
		default:
			train = append(train, d)
		}
	}
	return train, dev, test
}

// LineFolds assigns documents to k folds and returns the fold of each, 0 to k-1. Each fold has the
// same fraction of each language, and near-duplicates are in the same fold. The assignment depends
// on the hash of the ids and on seed.
func LineFolds(docs []*LineDoc, k int, seed uint64) ([]int, error) {
	if k < 2 || k > len(docs) {
		return nil, fmt.Errorf("cross-validation in %d folds: wanted 2 to %d, the number of documents", k, len(docs))
	}
	out := make([]int, len(docs))
	next := 0
	for _, clusters := range byLang(docs, seed) {
		for _, c := range clusters {
			for _, i := range c {
				out[i] = next % k
			}
			next++
		}
	}
	return out, nil
}

// LineClusters returns clusters of documents by index: transitive near-duplicates (see
// [NearDuplicates]), in the order of docs.
func LineClusters(docs []*LineDoc) [][]int {
	texts := make([]string, len(docs))
	for i, d := range docs {
		texts[i] = strings.Join(d.Lines, "\n")
	}
	near := NearDuplicates(texts)
	var out [][]int
	seen := make([]bool, len(docs))
	for i := range docs {
		if seen[i] {
			continue
		}
		seen[i] = true
		cluster := []int{i}
		for at := 0; at < len(cluster); at++ {
			for _, j := range near[cluster[at]] {
				if !seen[j] {
					seen[j] = true
					cluster = append(cluster, j)
				}
			}
		}
		slices.Sort(cluster)
		out = append(out, cluster)
	}
	return out
}

// byLang returns the clusters of documents by language, in the order of languages and hashes. A
// cluster has the language of its first document by hash.
func byLang(docs []*LineDoc, seed uint64) [][][]int {
	key := make([]uint64, len(docs))
	for i, d := range docs {
		key[i] = mix(fnv(d.ID) ^ mix(seed))
	}
	byKey := func(a, b int) int {
		return cmp.Or(cmp.Compare(key[a], key[b]), cmp.Compare(docs[a].ID, docs[b].ID), cmp.Compare(a, b))
	}
	of := map[string][][]int{}
	for _, c := range LineClusters(docs) {
		slices.SortFunc(c, byKey)
		lang := docs[c[0]].Lang
		of[lang] = append(of[lang], c)
	}
	out := make([][][]int, 0, len(of))
	for _, lang := range slices.Sorted(maps.Keys(of)) {
		sorts.Func(of[lang], func(a, b []int) int { return byKey(a[0], b[0]) })
		out = append(out, of[lang])
	}
	return out
}

// mix mixes the bits of x: the finalizer of SplitMix64 (Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
