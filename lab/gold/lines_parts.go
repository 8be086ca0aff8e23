package gold

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// LineSplits lists the methods of dividing documents into parts; see [PartLineDocs].
var LineSplits = []string{"auto", "given", "new", "none"}

// PartLineDocs divides documents into three parts. "given" uses the parts in their files (documents
// without one are training documents), "new" uses SplitLineDocs, and "none" uses all documents for
// training. "auto" is "given" if train and dev both have documents, otherwise "new". took is the
// method used.
func PartLineDocs(docs []*LineDoc, how string, seed uint64) (train, dev, test []*LineDoc, took string, err error) {
	of := map[string][]*LineDoc{}
	for _, d := range docs {
		part := cmp.Or(d.Split, Train)
		of[part] = append(of[part], d)
	}
	if how == "auto" {
		how = "new"
		if len(of[Train]) > 0 && len(of[Dev]) > 0 {
			how = "given"
		}
	}
	switch how {
	case "given":
		if len(of[Train]) == 0 {
			err = fmt.Errorf("all of %d documents are of the parts dev and test: split them again, or learn from all of them (none)", len(docs))
		}
		return of[Train], of[Dev], of[Test], how, err
	case "new":
		train, dev, test = SplitLineDocs(docs, seed)
		return train, dev, test, how, nil
	case "none":
		return docs, nil, nil, how, nil
	}
	return nil, nil, nil, how, fmt.Errorf("split %q: wanted %s", how, strings.Join(LineSplits, ", "))
}

// JoinLineDocs concatenates the documents of several sets. A duplicate id is an error.
func JoinLineDocs(sets ...[]*LineDoc) ([]*LineDoc, error) {
	all := slices.Concat(sets...)
	seen := make(map[string]bool, len(all))
	for _, d := range all {
		if seen[d.ID] {
			return nil, fmt.Errorf("document %s is in two of the sets: give each document a unique id, or each set once", d.ID)
		}
		seen[d.ID] = true
	}
	return all, nil
}

// SumLineDocs returns the SHA-256 of documents as written by writeLineJSONL, independent of their
// packing.
func SumLineDocs(docs []*LineDoc) (string, error) {
	h := sha256.New()
	err := writeLineJSONL(h, docs)
	return hex.EncodeToString(h.Sum(nil)), err
}
