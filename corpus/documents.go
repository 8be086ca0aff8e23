package corpus

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"sort"
	"strings"
)

// DocumentConfig configures a list of documents.
type DocumentConfig struct {
	// Query lists only documents with matches, and counts the matches. Default: all documents.
	Query string
	// First is the number of documents to skip, Limit the maximum number of documents. A Limit of 0 means no
	// limit.
	First, Limit int
	// Uncounted reads the documents when they are listed, without counting all: Total is then -1.
	Uncounted bool
}

// Documents is a list of documents in corpus order.
type Documents struct {
	// Attrs are the names of the attributes of documents, sorted.
	Attrs []string
	// Total is the number of documents before First and Limit.
	Total int64
	// Rows yields the documents. It is read once.
	Rows iter.Seq2[Document, error]
}

// Document is a document.
type Document struct {
	Start, End int64 // tokens, End exclusive
	Hits       int64 // matches that begin in the document
	Values     []string
}

// Documents lists the documents, or the documents with matches of a query.
func (c *Corpus) Documents(ctx context.Context, cfg DocumentConfig) (*Documents, error) {
	q, err := c.Query(ctx, cmp.Or(cfg.Query, "<doc/>"))
	if err != nil {
		return nil, err
	}
	doc, err := c.Struct("doc")
	if err != nil {
		return nil, inField("Doc", err)
	}
	return q.documents(ctx, doc, doc.Attrs(), cfg)
}

// documents lists the documents in which matches begin, with the values of attributes.
func (q *Query) documents(ctx context.Context, doc *Struct, attrs []string, cfg DocumentConfig) (*Documents, error) {
	out := &Documents{Attrs: attrs, Total: -1}
	page := func(yield func(Document, error) bool) (n int64) {
		for d, err := range q.inDocuments(ctx, doc, cfg.Query != "") {
			if n++; err == nil && n <= int64(cfg.First) {
				continue
			}
			past := cfg.Limit > 0 && n > int64(cfg.First+cfg.Limit)
			if err == nil && past && !cfg.Uncounted {
				continue
			}
			if past && err == nil {
				return n
			}
			x := Document{Start: d.start, End: d.end, Hits: d.hits}
			for _, name := range attrs {
				x.Values = append(x.Values, doc.Value(name, d.at))
			}
			if !yield(x, err) || err != nil {
				return n
			}
		}
		return n
	}
	if cfg.Uncounted {
		out.Rows = func(yield func(Document, error) bool) { page(yield) }
		return out, nil
	}
	var list []Document
	var failed error
	out.Total = page(func(d Document, err error) bool {
		list, failed = append(list, d), err
		return true
	})
	out.Rows = listed(list)
	return out, failed
}

// foundDocument is a document with matches.
type foundDocument struct {
	at               int
	start, end, hits int64
}

// inDocuments yields the documents in which matches begin. counted selects whether the matches count as
// hits.
func (q *Query) inDocuments(ctx context.Context, doc *Struct, counted bool) iter.Seq2[foundDocument, error] {
	return func(yield func(foundDocument, error) bool) {
		last := foundDocument{at: -1}
		for m, err := range q.Matches(ctx) {
			if err != nil {
				yield(foundDocument{}, err)
				return
			}
			if last.at < 0 || m.Start >= last.end {
				if last.at >= 0 && !yield(last, nil) {
					return
				}
				i, ok := doc.Find(m.Start)
				if !ok {
					last.at = -1
					continue
				}
				last = foundDocument{at: i}
				last.start, last.end = doc.Span(i)
			}
			if counted {
				last.hits++
			}
		}
		if last.at >= 0 {
			yield(last, nil)
		}
	}
}

// Excerpt is the text of some tokens and around them, within the document.
type Excerpt struct {
	Left, Match, Right string
	Refs               map[string]string // attributes of the document, such as doc.url
}

// Excerpt returns the text of the tokens from start to end, end exclusive, and of some tokens on either side.
func (c *Corpus) Excerpt(_ context.Context, start, end, context int64) (*Excerpt, error) {
	if start < 0 || start >= end || end > c.size {
		return nil, inField("End", fmt.Errorf("tokens %d to %d of %d tokens", start, end, c.size))
	}
	out := &Excerpt{Match: c.Text(start, end), Refs: map[string]string{}}
	lo, hi := max(start-context, 0), min(end+context, c.size)
	if doc, err := c.Struct("doc"); err == nil {
		if i, ok := doc.Find(start); ok {
			from, to := doc.Span(i)
			lo, hi = max(lo, from), max(min(hi, to), end)
			for _, name := range doc.Attrs() {
				out.Refs["doc."+name] = doc.Value(name, i)
			}
		}
	}
	whole := c.Text(lo, hi) // including text between match and context
	out.Left = strings.TrimSuffix(c.Text(lo, end), out.Match)
	out.Right = whole[len(out.Left)+len(out.Match):]
	return out, nil
}

// ValueFreq is a value of an attribute and its frequency: the number of tokens or structures with it.
type ValueFreq struct {
	Value string `json:"value"`
	Freq  int64  `json:"freq"`
}

// topValues selects the most frequent values of an ascending sequence. Values with the same frequency stay in
// order.
func topValues(ctx context.Context, values iter.Seq2[ValueFreq, error], limit int) ([]ValueFreq, error) {
	best := top[ValueFreq]{ends: newDeadline(ctx), limit: limit, compare: func(a, b ValueFreq) int {
		return cmp.Or(cmp.Compare(b.Freq, a.Freq), cmp.Compare(a.Value, b.Value))
	}}
	for v, err := range values {
		if err != nil {
			return nil, err
		}
		best.add(v)
	}
	return best.sorted(), best.ends.Err()
}

// Values returns the most frequent values with a prefix of an attribute of tokens (word) or of a structure
// (doc.lang), in the whole corpus.
func (c *Corpus) Values(ctx context.Context, attr, prefix string, limit int) ([]ValueFreq, error) {
	values, err := c.valuesWith(ctx, attr, prefix)
	if err != nil {
		return nil, err
	}
	return topValues(ctx, values, limit)
}

// Frequencies returns the frequencies of values of an attribute of tokens, in the whole corpus.
func (c *Corpus) Frequencies(_ context.Context, attr string, values []string) ([]int64, error) {
	a, err := c.Attr(attr)
	if err != nil {
		return nil, inField("Attr", err)
	}
	out := make([]int64, len(values))
	for i, v := range values {
		if id, ok := a.ID(v); ok {
			out[i] = a.Freq(id)
		}
	}
	return out, nil
}

// valuesWith yields the values of an attribute with a prefix, in ascending order.
func (c *Corpus) valuesWith(ctx context.Context, attr, prefix string) (iter.Seq2[ValueFreq, error], error) {
	a, err := c.anyAttr(attr)
	if err != nil {
		return nil, inField("Attr", err)
	}
	return func(yield func(ValueFreq, error) bool) {
		from := sort.Search(a.Len(), func(i int) bool { return a.Word(uint32(i)) >= prefix })
		for i := from; i < a.Len(); i++ {
			word := a.Word(uint32(i))
			if !strings.HasPrefix(word, prefix) || !yield(ValueFreq{word, a.Freq(uint32(i))}, ctx.Err()) {
				return
			}
		}
	}, nil
}

// anyAttr returns an attribute of tokens (word) or of a structure (doc.lang).
func (c *Corpus) anyAttr(name string) (*Attr, error) {
	if s, a, dotted := strings.Cut(name, "."); dotted {
		st, err := c.Struct(s)
		if err != nil {
			return nil, err
		}
		return st.Attr(a)
	}
	return c.Attr(name)
}

// Canonical returns a query in CQL.
func (c *Corpus) Canonical(ctx context.Context, query string) (string, error) {
	q, err := c.Query(ctx, query)
	if err != nil {
		return "", err
	}
	return q.text, nil
}
