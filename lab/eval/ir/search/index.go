package search

import (
	"encoding/json"
	"fmt"
	"sort"

	"chaffinch/internal/bitpack"
	"chaffinch/model"
)

// Index is an index in a memory-mapped file. It is safe for concurrent use.
type Index struct {
	file   *model.File
	cfg    Config
	docs   int
	tokens uint64
	filled int

	names, terms          texts
	lengths               bitpack.Array
	df, more, most        bitpack.Array
	docsAt, positionsAt   bitpack.Array
	docData, positionData []byte
}

// Open opens an index that [Build] wrote.
func Open(path string) (*Index, error) {
	f, err := model.Open(path)
	if err != nil {
		return nil, err
	}
	x, err := newIndex(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return x, nil
}

func newIndex(f *model.File) (*Index, error) {
	if err := f.Want(indexKind, indexBehaviour, indexBehaviour); err != nil {
		return nil, err
	}
	x := &Index{file: f}
	var h header
	if err := json.Unmarshal(f.Config, &h); err != nil {
		return nil, x.damaged("a header that is no JSON")
	}
	x.cfg, x.docs, x.tokens, x.filled = h.Config, h.Docs, h.Tokens, h.Filled
	if _, err := newAnalyzer(x.cfg); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path(), err)
	}
	array := func(name string, a *bitpack.Array) model.Part {
		return model.Part{Name: name, Read: func(b []byte) (err error) { *a, err = bitpack.Parse(b); return err }}
	}
	raw := func(name string, to *[]byte) model.Part {
		return model.Part{Name: name, Read: func(b []byte) error { *to = b; return nil }}
	}
	if err := f.ReadParts(
		raw("names", &x.names.text), array("names-end", &x.names.ends), array("lengths", &x.lengths),
		raw("terms", &x.terms.text), array("terms-end", &x.terms.ends), array("df", &x.df), array("more", &x.more), array("most", &x.most),
		array("docs-at", &x.docsAt), array("positions-at", &x.positionsAt), raw("docs", &x.docData), raw("positions", &x.positionData),
	); err != nil {
		return nil, err
	}
	n := x.terms.ends.Len()
	switch {
	case x.names.ends.Len() != x.docs || x.lengths.Len() != x.docs:
		return nil, x.damaged("documents without a name or a length")
	case x.df.Len() != n || x.more.Len() != n || x.most.Len() != n || x.docsAt.Len() != n || x.positionsAt.Len() != n:
		return nil, x.damaged("words without a list")
	}
	return x, nil
}

// damaged returns the error for a damaged file.
func (x *Index) damaged(what string) error {
	return &model.DamageError{Path: x.file.Path(), What: "the index: " + what}
}

// Close closes the file. The index must not be used afterwards.
func (x *Index) Close() error { return x.file.Close() }

// Docs returns the number of documents.
func (x *Index) Docs() int { return x.docs }

// Tokens returns the number of words of all documents, without stop words.
func (x *Index) Tokens() uint64 { return x.tokens }

// Size returns the size of the file in bytes.
func (x *Index) Size() int64 { return x.file.Size() }

// Name returns the ID of a document.
func (x *Index) Name(doc int) string { return x.names.at(doc) }

// Words returns the index terms of a text, as input for other engines.
func (x *Index) Words(text string) []string { return x.analyzer().words(text) }

func (x *Index) analyzer() *analyzer {
	a, _ := newAnalyzer(x.cfg) // checked when the index was opened
	return a
}

// texts holds concatenated strings.
type texts struct {
	text []byte
	ends bitpack.Array
}

// at returns string i. For a damaged file it returns some string.
func (t *texts) at(i int) string { return string(t.bytes(i)) }

// bytes returns string i without copying.
func (t *texts) bytes(i int) []byte {
	from, to := uint64(0), t.ends.At(i)
	if i > 0 {
		from = t.ends.At(i - 1)
	}
	if from > to || to > uint64(len(t.text)) {
		return nil
	}
	return t.text[from:to]
}

// list returns the documents of a word, or of a phrase of several words. It is empty if there are
// none.
func (x *Index) list(words []string) (postings, error) {
	terms := make([]int, 0, 8)
	for _, w := range words {
		n := x.terms.ends.Len()
		i := sort.Search(n, func(i int) bool { return string(x.terms.bytes(i)) >= w })
		if i == n || string(x.terms.bytes(i)) != w {
			return postings{}, nil
		}
		terms = append(terms, i)
	}
	if len(terms) > 1 {
		return x.phrase(terms)
	}
	return x.posting(terms[0])
}

// posting returns the list of a term.
func (x *Index) posting(term int) (postings, error) {
	df := int(x.df.At(term))
	data, err := x.from(x.docData, x.docsAt, term)
	if err == nil && len(data)/stepLen < steps(df) {
		err = x.damaged("a list that breaks off")
	}
	if err != nil {
		return postings{}, err
	}
	blocks := data[steps(df)*stepLen:]
	return postings{x: x, df: df, total: df + int(x.more.At(term)), most: uint32(x.most.At(term)), left: df,
		steps: data[:steps(df)*stepLen], blocks: blocks, data: blocks}, nil
}

// from returns the data starting with the list of a term.
func (x *Index) from(data []byte, at bitpack.Array, term int) ([]byte, error) {
	i := at.At(term)
	if i > uint64(len(data)) {
		return nil, x.damaged("a list outside of the file")
	}
	return data[i:], nil
}
