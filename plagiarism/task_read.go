package plagiarism

import (
	"fmt"
	"io"
	"strings"

	"chaffinch/format/vertical"
	"chaffinch/page"
)

// Essay is a document of the task, identified by author and id.
type Essay struct {
	Author, ID string
	// Plagiarism indicates that the document is derived from the original with the id
	// Source by the same author. Otherwise the document is an original.
	Plagiarism bool
	Source     string
	// Number is the index of the document in the input, from 0.
	Number int
	// Columns holds the words, lemmas and tags, one per line. Columns that were not
	// requested are nil.
	Columns [numColumns][]byte
	// Text is the running text, if requested.
	Text string
}

// EssayConfig configures how the documents are read.
type EssayConfig struct {
	// Columns lists the columns to keep.
	Columns []Column
	// Text keeps the running text.
	Text bool
	// OnError, if set, is called for each fault in a document. The document is read
	// regardless.
	OnError func(*page.Error)
}

// Essays holds the documents in a vertical of the task.
type Essays struct {
	All []*Essay
	// Originals and Plagiarisms are the numbers of documents of each class.
	Originals, Plagiarisms int
	// Tokens is the number of tokens in documents. Outside is the number of tokens
	// between documents.
	Tokens, Outside int64
	// Has holds for each column the number of tokens with a value.
	Has [numColumns]int64
}

// ReadEssays reads the documents of the task from a vertical. Documents are structures
// doc with the attributes author, id, class (original or plagiarism) and source, and
// the columns word, lemma and tag, or word and [vertical.ModelColumns]. Other structures are skipped.
func ReadEssays(r *vertical.Reader, cfg EssayConfig) (*Essays, error) {
	x := &essayReader{cfg: cfg, numbers: map[[2]string]int64{}, out: &Essays{}}
	for {
		l, err := r.Next()
		if err == io.EOF {
			x.close()
			x.check()
			return x.out, nil
		}
		if err != nil {
			return nil, err
		}
		x.line(l)
	}
}

type essayReader struct {
	cfg     EssayConfig
	out     *Essays
	doc     *Essay
	text    strings.Builder
	glue    bool
	numbers map[[2]string]int64 // line of each author and id
}

// problem reports a fault in the document that l begins, or in the whole input if l is
// nil.
func (x *essayReader) problem(l *vertical.Line, format string, args ...any) {
	if x.cfg.OnError == nil {
		return
	}
	e := &page.Error{Offset: -1, Err: fmt.Errorf(format, args...)}
	if l != nil {
		e.Line, e.Offset = l.Number, l.Offset
	}
	x.cfg.OnError(e)
}

func (x *essayReader) line(l *vertical.Line) {
	switch l.Kind {
	case vertical.Token:
		x.token(l)
	case vertical.Empty:
		x.glue = x.glue || string(l.Name) == "g"
	case vertical.Close:
		if string(l.Name) == docName {
			x.close()
		}
	case vertical.Open:
		switch string(l.Name) {
		case docName:
			x.open(l)
		case "p", "s":
			if x.cfg.Text && string(l.Name) == "p" && x.text.Len() > 0 {
				x.text.WriteByte('\n')
				x.glue = true
			}
		}
	}
}

// docName is the structure of documents.
const docName = "doc"

func (x *essayReader) token(l *vertical.Line) {
	if x.doc == nil {
		x.out.Outside++
		return
	}
	x.out.Tokens++
	for c := range numColumns {
		if len(field(l, c)) > 0 {
			x.out.Has[c]++
		}
	}
	for _, c := range x.cfg.Columns {
		if v := field(l, c); len(v) > 0 {
			x.doc.Columns[c] = append(append(x.doc.Columns[c], v...), '\n')
		}
	}
	if x.cfg.Text {
		if !x.glue && x.text.Len() > 0 {
			x.text.WriteByte(' ')
		}
		x.text.Write(l.Fields[0])
		x.glue = false
	}
}

// field returns the value of a column of a token, nil if the line has none. With the columns of
// [vertical.ModelColumns], the tag of the treebank follows the part of speech, which replaces it in
// languages without such tags.
func field(l *vertical.Line, c Column) []byte {
	if c == Tag && len(l.Fields) == 1+len(vertical.ModelColumns) && len(l.Fields[treebankTag]) > 0 {
		return l.Fields[treebankTag]
	}
	if int(c) >= len(l.Fields) {
		return nil
	}
	return l.Fields[c]
}

// treebankTag is the index of the column tag of [vertical.ModelColumns] after the word.
const treebankTag = 3

// open begins a document.
func (x *essayReader) open(l *vertical.Line) {
	author := l.Value("author")
	if author == nil {
		author = l.Value("input_author") // the encoder writes the field author of a record so
	}
	e := &Essay{Author: string(author), ID: string(l.Value("id")), Source: string(l.Value("source")), Number: len(x.out.All)}
	for _, a := range []string{"author", "id", "class", "source"} {
		if l.Value(a) == nil && (a != "author" || author == nil) {
			x.problem(l, "a document without %s=\"...\": the task needs author, id, class and source", a)
		}
	}
	switch class := strings.ToLower(strings.TrimSpace(string(l.Value("class")))); class {
	case "plagiarism":
		e.Plagiarism = true
	case "original":
	default:
		e.Plagiarism = e.Source != "" && e.Source != e.ID
		taken := "original"
		if e.Plagiarism {
			taken = "plagiarism"
		}
		x.problem(l, "class=%q of document %q by %q is neither original nor plagiarism: taken for %s by its source", class, e.ID, e.Author, taken)
	}
	key := [2]string{e.Author, e.ID}
	if first, ok := x.numbers[key]; ok {
		x.problem(l, "document %q by %q was there before, in line %d: both are kept", e.ID, e.Author, first)
	} else {
		x.numbers[key] = l.Number
	}
	x.doc, x.glue = e, false
	x.out.All = append(x.out.All, e)
	if e.Plagiarism {
		x.out.Plagiarisms++
	} else {
		x.out.Originals++
	}
}

func (x *essayReader) close() {
	if x.doc != nil && x.cfg.Text {
		x.doc.Text = x.text.String()
		x.text.Reset()
	}
	x.doc = nil
}

// check reports sources that are not originals, and tokens outside documents.
func (x *essayReader) check() {
	if x.out.Outside > 0 {
		x.problem(nil, "%d tokens are outside of <%s>: left out", x.out.Outside, docName)
	}
	originals := map[[2]string]bool{}
	for _, e := range x.out.All {
		if !e.Plagiarism {
			originals[[2]string{e.Author, e.ID}] = true
		}
	}
	for _, e := range x.out.All {
		if e.Plagiarism && !originals[[2]string{e.Author, e.Source}] {
			x.problem(nil, "document %q by %q: its source %q is no original of that author: it cannot be found", e.ID, e.Author, e.Source)
		}
	}
}
