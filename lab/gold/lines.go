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

// LineDoc is a document whose lines people have labelled.
type LineDoc struct {
	ID string
	// Lang is the language (BCP 47), "" if the file does not say.
	Lang string
	// Split is the part of the set that the document belongs to: "train",
	// "dev", "test", or "" if the file does not say.
	Split string
	// Register is what kind of document it is, "" if the file does not say.
	Register string
	Lines    []string
	// Labels has one entry for each line: true = text, false = boilerplate.
	Labels []bool
	// Weight is how much the document counts in training, 0 for 1: less where
	// its labels were not made by hand. Files do not hold it.
	Weight float64
}

// The parts of a set of labelled documents.
const (
	Train = "train"
	Dev   = "dev"
	Test  = "test"
)

// splitNames are the names of the parts as people write them.
var splitNames = map[string]string{
	"train": Train, "training": Train,
	"dev": Dev, "devel": Dev, "development": Dev, "valid": Dev, "validation": Dev,
	"test": Test,
}

// errNoLines is the error of a path that holds no file of labelled lines.
var errNoLines = errors.New("no labelled lines: wanted a .jsonl or .tsv file, or a folder or an archive (.tar, .tar.gz, .tar.zst) that has some")

// IsLineFile reports whether a file of that name holds labelled lines.
func IsLineFile(name string) bool {
	e := strings.ToLower(path.Ext(name))
	return e == ".jsonl" || e == ".tsv"
}

// ReadLineDocs reads the labelled documents of a file (.jsonl or .tsv), or of
// all such files of a folder or an archive (.tar, .tar.gz, .tar.zst), as
// docs/reference/formats/lines.md describes them. Of two files that differ in nothing but
// the ending only the .jsonl is read. Language and part that a document does
// not have are taken from names like sv.dev.jsonl. Files come in the order of
// their names, documents in that of the file.
func ReadLineDocs(ctx context.Context, name string) ([]*LineDoc, error) {
	files := map[string][]byte{}
	take := func(p string, r io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !IsLineFile(p) {
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
	if !st.IsDir() && IsLineFile(name) {
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

// SplitLineDocs deals documents to three parts: 15 of 100 of each language to
// test and to dev, the others to train, by the hash of their ids and seed; at
// least one to test and dev where a language has three. Near-duplicates come into
// the same part. The order in each part is that of docs.
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

// LineFolds deals documents to k folds and returns the fold of each, 0 to k-1.
// Each fold has its share of each language, and near-duplicates are in the same
// one; who is with whom depends on the hash of the ids and on seed.
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

// LineClusters returns the documents by index, near-duplicates (see [NearDuplicates])
// and their near-duplicates together, each cluster in the order of docs.
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

// byLang returns the clusters of documents: those of each language together (a
// cluster has that of its first document by the hash), the languages in order,
// and those of a language in the order of the hashes.
func byLang(docs []*LineDoc, seed uint64) [][][]int {
	key := make([]uint64, len(docs))
	for i, d := range docs {
		key[i] = mix(fnv(fnvStart, d.ID) ^ mix(seed))
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

// mix spreads the bits of x: the finalizer of SplitMix64 (Steele, Lea and Flood
// 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
