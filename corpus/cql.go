package corpus

import "strings"

// The syntax tree of a query. docs/reference/cql.md describes the language.

// node is a part of a query that matches a span of tokens.
type node interface{}

type (
	// tokenNode matches one token. Without a condition it matches any token.
	tokenNode struct{ cond cond }
	// seqNode matches its parts in sequence.
	seqNode struct{ parts []node }
	// altNode matches one of its branches.
	altNode struct{ branches []node }
	// repeatNode matches its part min to max times. max < 0 means no limit.
	repeatNode struct {
		part     node
		min, max int
	}
	// tagNode matches the start or the end of a structure, or all of its tokens.
	tagNode struct {
		side tagSide
		name string
		at   int // of the name in the query
		cond cond
	}
	// labelNode labels the place where its part begins.
	labelNode struct {
		label string
		part  node
	}
	// filterNode matches its part if it lies within the other, or contains it.
	filterNode struct {
		part, other node
		containing  bool
		not         bool
	}
	// alignedNode matches its part if it lies in a segment whose translation contains a match of the
	// other, in the aligned corpus.
	alignedNode struct {
		part, other node
		corpus      string
		at          int // of the name in the query
		not         bool
	}
	// meetNode matches its part if the other begins lo to hi tokens from its start.
	meetNode struct {
		part, other node
		lo, hi      int
	}
)

type tagSide int

const (
	tagOpen tagSide = iota
	tagClose
	tagWhole
)

// cond is a condition on the attributes of a token or a structure.
type cond interface{}

type (
	andCond struct{ parts []cond }
	orCond  struct{ parts []cond }
	notCond struct{ part cond }
	// valueCond compares an attribute with a value.
	valueCond struct {
		of      string // the structure, where a condition names it: doc.lang="de"
		attr    string // "" means the default attribute
		attrAt  int
		value   string // a regular expression, unless literal or ordered
		valueAt int
		literal bool
		order   order
		fold    folding
		not     bool
	}
	// sketchCond is the condition ws("take-v", "object", "look-n") on a token.
	sketchCond struct {
		word, relation, collocate string
		at                        int
	}
)

// literalToken returns the condition that a token has exactly this value. With
// fold, case is ignored.
func literalToken(attr, value string, fold bool) string {
	return "[" + attr + "==" + quoted(strings.ReplaceAll(value, `\`, `\\`)) + flagOf(fold) + "]"
}

// quoted puts a value in quotes. Backslashes must be part of a regular expression
// or doubled.
func quoted(value string) string { return `"` + strings.ReplaceAll(value, `"`, `\"`) + `"` }

func flagOf(fold bool) string {
	if fold {
		return "%c"
	}
	return ""
}

// order is an order comparison: "<", "<=", ">" or ">="; "" means no comparison.
type order string

// holds reports whether a comparison result with this sign satisfies the order.
func (o order) holds(sign int) bool {
	switch o {
	case "<":
		return sign < 0
	case "<=":
		return sign <= 0
	case ">":
		return sign > 0
	}
	return sign >= 0
}

// constraint compares the values of two labelled tokens, or with freq their
// frequencies, or a frequency with a number.
type constraint struct {
	left, right labelRef
	freq        bool
	number      int64 // compared with freq if right has no label
	order       order // "" means equality
	not         bool
}

type labelRef struct {
	label, attr string
	at, attrAt  int
}

// queryTree is a parsed query.
type queryTree struct {
	root        node
	constraints []constraint
}
