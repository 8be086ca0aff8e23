package vertical

import (
	"fmt"
	"strings"
)

// Repair is a kind of repair of a [Reader].
type Repair uint8

// The kinds of repairs.
const (
	Unclosed  Repair = iota // a structure was not closed: closed before the line that ends it
	Stray                   // a closing tag without an opening one: removed
	Columns                 // a token with too few columns (filled up) or too many (truncated)
	NotUTF8                 // invalid UTF-8: replaced by U+FFFD
	Quotes                  // an attribute with unbalanced or missing quotes
	Attribute               // an attribute without name or value, or duplicate
	NoEnd                   // a tag without >
	Space                   // blanks at the ends of a column: removed
	EmptyLine               // an empty line: removed
	CRLF                    // a line that ends in CR LF
	NoNewline               // no line feed after the last line
	Prologue                // a byte-order mark, <?xml ... ?> or a comment: removed
	numRepairs
)

var repairNames = [numRepairs]string{
	"structure not closed", "closing tag without opening tag", "wrong number of columns", "invalid UTF-8", "odd quotes",
	"attribute without name or value, or twice", "tag without >", "blanks around a column", "empty line", "CR LF", "no line feed at the end",
	"byte-order mark, XML declaration or comment",
}

// String returns a description of the fault, such as "structure not closed".
func (r Repair) String() string {
	if r < numRepairs {
		return repairNames[r]
	}
	return "unknown"
}

// ReaderReport holds the counts of a [Reader].
type ReaderReport struct {
	// Lines, Tokens and Bytes count the input read.
	Lines, Tokens, Bytes int64
	// Repairs counts the repairs of each kind.
	Repairs [numRepairs]int64
}

// Repaired returns the number of all repairs.
func (r *ReaderReport) Repaired() (n int64) {
	for _, k := range r.Repairs {
		n += k
	}
	return n
}

// String lists the repairs, such as "3 × structure not closed, 1 × CR LF". It returns "" if
// there were no repairs.
func (r *ReaderReport) String() string {
	var parts []string
	for k, n := range r.Repairs {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d × %s", n, Repair(k)))
		}
	}
	return strings.Join(parts, ", ")
}
