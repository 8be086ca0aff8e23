package records

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"chaffinch/input"
	"chaffinch/internal/packed"
	"chaffinch/page"
)

// Format is the form of a collection.
type Format string

// The formats. [JSONL] is also what the jsonl writer makes of pages: a line
// without the text field but with typed blocks is read by these.
const (
	JSONL       Format = "jsonl"
	Text        Format = "text"
	Vertical    Format = "vertical"
	Prevertical Format = "prevertical"
)

// Formats lists all formats.
var Formats = []Format{JSONL, Text, Vertical, Prevertical}

// How documents are parted in plain text.
const (
	SplitFile  = "file"  // each file is a document
	SplitBlank = "blank" // an empty line ends a document
	SplitLine  = "line"  // each line is a document
)

// Onion is the reading and writing of verticals of the program onion: see
// [Config.Compat] and [WriterConfig.Compat].
const Onion = "onion"

// Config says how collections are read.
type Config struct {
	// Format is that of all files; "" looks at the content of the first and
	// wants the others to be the same.
	Format Format
	// TextField is the field of a JSON line that holds the text.
	TextField string
	// Split says how documents are parted in plain text: [SplitFile],
	// [SplitBlank] or [SplitLine]; "" is SplitFile for the files of a folder and
	// SplitBlank for others.
	Split string
	// Doc and Para are the names of the structures of a vertical.
	Doc, Para string
	// Column is the column of a vertical whose tokens are compared, from 0, the
	// word.
	Column int
	// MaxBytes bounds the bytes of a document, and its paragraphs: one for each 32 bytes of
	// the limit. A longer document is reported to OnError and passed on like other bytes
	// that are no document. Default: 16 MiB.
	MaxBytes int
	// Compat "onion" reads verticals as onion does: a line that begins with <doc
	// or <p before a blank or >, or that stands behind </p>, opens a paragraph,
	// the line of the document a paragraph without tokens; every other line
	// belongs to the paragraph before it; every line that begins with < is a tag; references such as
	// &lt; are not decoded.
	Compat string `json:",omitempty"`
	// Parquet opens the rows of a Parquet file; nil reads none.
	Parquet func(in io.ReaderAt, size int64, text ...string) (input.Rows, error) `json:"-"`
	// Workers is how many members of a gzip file are unpacked at the same time, ahead
	// of who reads; 0 means one for each processor, 1 none ahead. The documents do not
	// depend on it.
	Workers int `json:"-"`
	// Stdin is a file with the bytes of standard input, which "-" stands for:
	// see [Spool].
	Stdin string `json:"-"`
	// OnError is told of what cannot be read; reading goes on. The number of
	// such things is [Reader.Bad] in any case, without empty files, of which it is
	// told too ([page.ErrEmpty]): they hold no document, and nothing is wrong.
	OnError func(*page.Error) `json:"-"`
	// Outside is given the bytes of the input that belong to no document, in
	// order, before the document that follows them is returned: lines that are
	// no JSON, what stands between the documents of a vertical, empty lines.
	// They are valid during the call, and in parts of any size. Whoever writes
	// the collection back gives them to [Writer.Outside].
	Outside func(b []byte) `json:"-"`
}

// Default is what Open uses for fields that are zero.
var Default = Config{TextField: "text", Doc: "doc", Para: "p", MaxBytes: 16 << 20}

// ErrTooLong tells that a document is longer than Config.MaxBytes.
var ErrTooLong = errors.New("raise the limit of the bytes of a document")

// maxParas returns how many paragraphs a document may have.
func (c *Config) maxParas() int { return max(c.MaxBytes/32, 1<<10) }

// unpacking allows what text packs to at best.
var unpacking = packed.Config{MaxRatio: 10_000, GraceBytes: 1 << 30}

// isName reports whether s may name a structure.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || i > 0 && (c >= '0' && c <= '9' || c == '.' || c == '-' || c == ':')) {
			return false
		}
	}
	return s != ""
}

// SplitOf returns how plain text of all inputs is split if that much was said: files
// of folders are documents, and so are those beside them.
func SplitOf(said string, inputs []string) string {
	if said != "" {
		return said
	}
	for _, name := range inputs {
		if st, err := os.Stat(name); err == nil && st.IsDir() {
			return SplitFile
		}
	}
	return ""
}

func (c *Config) setDefaults() error {
	if c.TextField == "" {
		c.TextField = Default.TextField
	}
	if c.Doc == "" {
		c.Doc = Default.Doc
	}
	if c.Para == "" {
		c.Para = Default.Para
	}
	if c.MaxBytes <= 0 {
		c.MaxBytes = Default.MaxBytes
	}
	if err := checkFormat(c.Format); err != nil {
		return err
	}
	switch c.Split {
	case "", SplitFile, SplitBlank, SplitLine:
	default:
		return fmt.Errorf("split %q: there are %s, %s and %s", c.Split, SplitFile, SplitBlank, SplitLine)
	}
	for _, s := range []string{c.Doc, c.Para} {
		if !isName(s) {
			return fmt.Errorf("structure name %q: wanted letters, digits, _ . - and :, as in <doc>", s)
		}
	}
	if c.Column < 0 {
		return fmt.Errorf("column %d: the first is 0, the word", c.Column)
	}
	return checkCompat(c.Compat)
}

func checkFormat(f Format) error {
	switch f {
	case "", JSONL, Text, Vertical, Prevertical:
		return nil
	case "json":
		return errors.New(`format "json": name it jsonl, which reads both`)
	case "parquet":
		return errors.New(`format "parquet": leave the format out, Parquet is recognised by content`)
	case "markdown", "tei", "xml":
		return fmt.Errorf("format %q is not read as a collection: chaffinch convert makes JSON lines of it", f)
	}
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = string(f)
	}
	return fmt.Errorf("format %q: there are %s", f, strings.Join(names, ", "))
}

func checkCompat(s string) error {
	if s != "" && s != Onion {
		return fmt.Errorf("compat %q: there is %s", s, Onion)
	}
	return nil
}

// Position is where the next document begins. It is written to checkpoints as
// JSON.
type Position struct {
	input.Place
	// Line counts the lines of the file before this place.
	Line int64 `json:"line,omitempty"`
	// Num is the number of the next document.
	Num int64 `json:"num"`
	// Format is what the files were found to be.
	Format Format `json:"format,omitempty"`
}
