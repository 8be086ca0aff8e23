package vertical

import (
	"fmt"
	"strings"
)

// Repair is a way in which a [Reader] mends what is wrong in a file.
type Repair uint8

// The repairs.
const (
	Unclosed  Repair = iota // a structure was not closed: it is, before what ends it
	Stray                   // a closing tag without an opening one: left out
	Columns                 // a token with too few columns (filled up) or too many (cut)
	NotUTF8                 // invalid UTF-8: U+FFFD in its place
	Quotes                  // an attribute with odd quotes or none
	Attribute               // an attribute without name or value, or twice
	NoEnd                   // a tag without >
	Space                   // blanks at the ends of a column: left out
	EmptyLine               // an empty line: left out
	CRLF                    // a line that ends in CR LF
	NoNewline               // no line feed after the last line
	Prologue                // a byte-order mark, <?xml ... ?> or a comment: left out
	numRepairs
)

var repairNames = [numRepairs]string{
	"structure not closed", "closing tag without opening tag", "wrong number of columns", "invalid UTF-8", "odd quotes",
	"attribute without name or value, or twice", "tag without >", "blanks around a column", "empty line", "CR LF", "no line feed at the end",
	"byte-order mark, XML declaration or comment",
}

// String returns what was wrong, such as "structure not closed".
func (r Repair) String() string {
	if r < numRepairs {
		return repairNames[r]
	}
	return "unknown"
}

// Report is what a [Reader] has read and mended so far.
type Report struct {
	// Lines, Tokens and Bytes are those read.
	Lines, Tokens, Bytes int64
	// Repairs counts the repairs of each kind.
	Repairs [numRepairs]int64
}

// Repaired returns the number of all repairs.
func (r *Report) Repaired() (n int64) {
	for _, k := range r.Repairs {
		n += k
	}
	return n
}

// String lists the repairs, such as "3 × structure not closed, 1 × CR LF";
// "" if there were none.
func (r *Report) String() string {
	var parts []string
	for k, n := range r.Repairs {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d × %s", n, Repair(k)))
		}
	}
	return strings.Join(parts, ", ")
}
