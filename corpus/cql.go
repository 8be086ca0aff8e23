package corpus

import "strings"

// A query as it was written. docs/cql.md describes the language.

// node is a part of a query that matches a span of tokens.
type node interface{}

type (
	// tokenNode is one token; without a condition any token.
	tokenNode struct{ cond cond }
	// seqNode is its parts one behind the other.
	seqNode struct{ parts []node }
	// altNode is one of its branches.
	altNode struct{ branches []node }
	// repeatNode is its part from min to max times; max < 0: without limit.
	repeatNode struct {
		part     node
		min, max int
	}
	// tagNode is the begin or the end of a structure, or all of its tokens.
	tagNode struct {
		side tagSide
		name string
		at   int // of the name in the query
		cond cond
	}
	// labelNode gives a name to the place where its part begins.
	labelNode struct {
		label string
		part  node
	}
	// filterNode is its part, if that lies within the other, or contains it.
	filterNode struct {
		part, other node
		containing  bool
		not         bool
	}
	// meetNode is its part, if the other begins from lo to hi tokens from where
	// the part begins.
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
		attr    string // "" is the default one
		attrAt  int
		value   string // a regular expression, unless literal or ordered
		valueAt int
		literal bool
		order   order
		fold    folding
		not     bool
	}
)

// literalToken writes the condition that a token has just this value, whatever
// characters are in it; with fold, in any case.
func literalToken(attr, value string, fold bool) string {
	return "[" + attr + "==" + quoted(strings.ReplaceAll(value, `\`, `\\`)) + flagOf(fold) + "]"
}

// quoted puts a value in quotes. Its backslashes must be those of an expression
// or doubled.
func quoted(value string) string { return `"` + strings.ReplaceAll(value, `"`, `\"`) + `"` }

func flagOf(fold bool) string {
	if fold {
		return "%c"
	}
	return ""
}

// order is a comparison of size: "<", "<=", ">" or ">="; "" is none.
type order string

// holds tells whether a comparison that gave sign keeps the order.
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

// constraint compares the values of two labelled tokens, or with freq how
// frequent they are; or the frequency with a number.
type constraint struct {
	left, right labelRef
	freq        bool
	number      int64 // to which freq is compared where right has no label
	order       order // "": the same
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
