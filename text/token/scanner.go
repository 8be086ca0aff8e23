package token

// Scanner splits text into tokens without word lists. Package lab/train/sentences counts its
// tokens. Unstable: it may change in any release.
type Scanner struct{ s scanner }

// NewScanner returns a scanner of text.
func NewScanner(text string) *Scanner { return &Scanner{scanner{rules: noRules, text: text}} }

var noRules = &ruleSet{decimal: 'b'}

// Piece is a token of a [Scanner].
type Piece struct {
	Span
	Kind PieceKind
	// Glued reports whether no white space precedes the token.
	Glued bool
	// Lower, Upper and Digit report the class of the first character. Title case counts as
	// upper case.
	Lower, Upper, Digit bool
}

// PieceKind is the role of a [Piece] at the end of a sentence.
type PieceKind uint8

// Kinds of pieces.
const (
	OtherPiece  PieceKind = iota
	WordPiece             // a word
	NumberPiece           // a number, with or without letters
	StopPiece             // a full stop that may end a sentence
	SkipPiece             // brackets, quotation marks and dashes, which may follow the end of a sentence
)

// Next returns the next token and reports whether there is one.
func (s *Scanner) Next() (Piece, bool) {
	var p piece
	if !s.s.next(&p) {
		return Piece{}, false
	}
	out := Piece{Span: Span{p.start, p.end}, Glued: p.gap == glue, Lower: p.class == lowerLetter, Upper: p.class == upperLetter, Digit: p.class == digit}
	switch p.kind {
	case wordToken:
		out.Kind = WordPiece
	case numberToken:
		out.Kind = NumberPiece
	case stopToken:
		out.Kind = StopPiece
	case quoteToken, openToken, closeToken, dashToken:
		out.Kind = SkipPiece
	}
	return out, true
}

// Lists reports whether the rules list a word in any list of abbreviations, and whether they
// list it as a word that begins sentences.
func (t *Tokenizer) Lists(word string) (abbreviation, begins bool) {
	m := t.rules.meaning(word)
	return m&anyAbbr != 0, m&starter != 0
}
