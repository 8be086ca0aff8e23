package records

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"chaffinch/input"
	"chaffinch/internal/packed"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// Format is the format of a collection.
type Format string

// The formats. [JSONL] includes the output of the jsonl writer for pages: for a line without
// the text field, the typed blocks are read.
const (
	JSONL       Format = "jsonl"
	Text        Format = "text"
	Vertical    Format = "vertical"
	Prevertical Format = "prevertical"
)

// Formats lists all formats.
var Formats = []Format{JSONL, Text, Vertical, Prevertical}

// The ways to split plain text into documents.
const (
	SplitFile  = "file"  // each file is a document
	SplitBlank = "blank" // an empty line ends a document
	SplitLine  = "line"  // each line is a document
)

// Onion selects the reading and writing of vertical files as the program onion does: see
// [Config.Compat] and [WriterConfig.Compat].
const Onion = "onion"

// Config configures how collections are read.
type Config struct {
	// Format is the format of all files. If "", it is detected from the content of the first
	// file, and the other files must have the same format.
	Format Format
	// TextField is the field of a JSON line that holds the text. Default: "text".
	TextField string
	// Split selects how plain text is split into documents: [SplitFile], [SplitBlank] or
	// [SplitLine]. Default: SplitFile for the files of a folder and SplitBlank for others.
	Split string
	// Doc and Para are the names of the structures of a vertical file. Default: "doc" and "p".
	Doc, Para string
	// Column is the column of a vertical file that holds the tokens to process, from 0.
	// Default: 0, the word.
	Column int
	// MaxBytes limits the bytes of a document. It also limits its paragraphs, to one per 32
	// bytes of the limit. A longer document is reported to OnError and passed on like other
	// bytes outside documents. Default: 16 MiB.
	MaxBytes int
	// Compat "onion" reads vertical files as onion does:
	//
	//   - A paragraph begins at a line that begins with <doc or <p before a blank or >, or at
	//     the line after </p>.
	//   - The line of the document is a paragraph without tokens.
	//   - Every other line belongs to the paragraph before it.
	//   - Every line that begins with < is a tag.
	//   - References such as &lt; are not decoded.
	Compat string `json:",omitempty"`
	// Parquet opens the rows of a Parquet file; if nil, Parquet files cannot be read.
	Parquet func(in io.ReaderAt, size int64, text ...string) (input.Rows, error) `json:"-"`
	// Workers is the number of gzip members that are decompressed concurrently ahead of the
	// reader; 1 reads none ahead. It does not affect the documents. Default: 0, one per
	// processor.
	Workers int `json:"-"`
	// Stdin is a file with the bytes of standard input, which "-" names: see [Spool].
	Stdin string `json:"-"`
	// OnError, if set, is called for input that cannot be read; reading continues. [Reader.Bad]
	// counts the calls, except for empty files ([page.ErrEmpty]), which contain no document and
	// are not errors.
	OnError func(*page.Error) `json:"-"`
	// Outside, if set, receives the bytes of the input that belong to no document, in order and
	// before the next document is returned. Examples are lines that are not JSON, text between
	// the documents of a vertical file, and empty lines. The bytes are valid during the call
	// and come in parts of any size. To write the collection back, pass them to
	// [Writer.Outside].
	Outside func(b []byte) `json:"-"`
}

// Default holds the values that Open uses for zero fields.
var Default = Config{TextField: "text", Doc: "doc", Para: "p", MaxBytes: 16 << 20}

// ErrNoText is returned for a record without the field Config.TextField.
var ErrNoText = errors.New("name the text field")

// ErrTooLong is returned for a document longer than Config.MaxBytes.
var ErrTooLong = errors.New("raise the limit of the bytes of a document")

// maxParas returns the maximum number of paragraphs of a document.
func (c *Config) maxParas() int { return max(c.MaxBytes/32, 1<<10) }

// unpacking allows the best compression ratio of text.
var unpacking = packed.Config{MaxRatio: 10_000, GraceBytes: 1 << 30}

// isName reports whether s is a valid name of a structure.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || i > 0 && (c >= '0' && c <= '9' || c == '.' || c == '-' || c == ':')) {
			return false
		}
	}
	return s != ""
}

// For returns the configuration with which a job reads its inputs: with its workers, its OnError,
// and Split as [SplitOf] returns it.
func (c Config) For(j *pipeline.Job) Config {
	c.Workers, c.OnError, c.Split = j.Workers, j.OnError, SplitOf(c.Split, j.Inputs)
	return c
}

// SplitOf returns how the plain text of all inputs is split: said, unless it is "". If an input
// is a folder, each file is a document, including files outside the folder.
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
	c.TextField = cmp.Or(c.TextField, Default.TextField)
	c.Doc = cmp.Or(c.Doc, Default.Doc)
	c.Para = cmp.Or(c.Para, Default.Para)
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

// Position is the position where the next document begins. It is written to checkpoints as
// JSON.
type Position struct {
	input.Place
	// Line is the number of lines of the file before this position.
	Line int64 `json:"line,omitempty"`
	// Num is the number of the next document.
	Num int64 `json:"num"`
	// Format is the detected format of the files.
	Format Format `json:"format,omitempty"`
}
