package corpus

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
		attr    string // "" is the default one
		attrAt  int
		value   string // a regular expression, unless literal
		valueAt int
		literal bool
		not     bool
	}
)

// constraint wants two labelled tokens to have the same value, or not.
type constraint struct {
	left, right labelRef
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
