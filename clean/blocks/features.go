package blocks

import "chaffinch/page"

// Sheet holds the features of the blocks of a page, the training input of package
// lab/train/blocks. It does not refer to the page.
type Sheet struct {
	sheet sheet
}

// ReadSheet computes the features of the blocks of p, which must have at least one block.
func ReadSheet(p *page.Page) *Sheet {
	x := new(Sheet)
	x.sheet.read(p)
	x.sheet.headings = true
	x.sheet.page, x.sheet.metadata = nil, nil
	return x
}

// Blocks returns the number of blocks.
func (x *Sheet) Blocks() int { return x.sheet.n }

// Words returns the number of words of block i.
func (x *Sheet) Words(i int) int { return int(x.sheet.blocks[i].words) }

// Hidden reports whether block i is hidden.
func (x *Sheet) Hidden(i int) bool { return x.sheet.blocks[i].hidden }

// Good reports whether block i is long and has few links.
func (x *Sheet) Good(i int) bool { return x.sheet.blocks[i].good }

// Settle replaces the values of the blocks of each table by their mean. values holds one
// value for each block.
func (x *Sheet) Settle(values []float32) { x.sheet.settle(values, 0) }

// Tokens returns the tokens of the page as indexes into the slabs of a [PageModel], and the
// weight of each token.
func (x *Sheet) Tokens() (list []uint16, share float32) {
	return x.sheet.present.list, x.sheet.present.share()
}

// Column returns a column named by [Columns], one value for each block.
func (x *Sheet) Column(c int) []float32 { return x.sheet.col(column(c)) }

// SetPolicy sets the policy column for the wanted roles.
func (x *Sheet) SetPolicy(keep page.Roles) { x.sheet.fill(colPolicy, policyOf(keep)) }

// LinearModels holds the linear models of blocks and pages.
type LinearModels struct {
	linears  *linears
	pages    *pageTokens
	headings bool
}

// NewLinearModels returns the linear models among the parts of a model, of this version if it has no
// cuts yet.
func NewLinearModels(p *Parts) *LinearModels {
	return &LinearModels{newLinears(p.Attr, p.Words, p.Hints), p.Pages.byToken(), p.Cuts == nil || p.ReadsHeadings()}
}

// Score sets the columns computed from linear models.
func (x *Sheet) Score(l *LinearModels) {
	x.sheet.headings = l.headings
	x.sheet.linearColumns(l.pages, l.linears)
}

// TypeClues returns the clues of the type of the page, which need the scores of the linear models.
func (x *Sheet) TypeClues() []float32 {
	c := x.sheet.typeCluesOf()
	return c[:]
}

// LogOdds returns the log odds that blocks have one of the wanted roles. It overwrites
// scores, the scores of the roles of all blocks, with their probabilities.
func (x *Sheet) LogOdds(scores []float32, want page.Roles) []float32 {
	const k = Roles
	probabilities(scores, x.sheet.blocks)
	out := make([]float32, x.sheet.n)
	for i := range out {
		out[i] = logit(Probability(scores[i*k:(i+1)*k], want))
	}
	return out
}

// Judge returns the blocks of a page that a model keeps with the default settings and the
// wanted roles, and the clues for training a confidence model.
func (m *Model) Judge(x *Sheet, want page.Roles) (kept []bool, found []float32, err error) {
	r, err := newRule(Default)
	if err != nil {
		return nil, nil, err
	}
	l := &Labeller{model: m, rule: r, want: want, policy: policyOf(want)}
	s := &scratch{sheet: x.sheet}
	before := x.sheet.col(colPolicy)[0]
	s.sheet.fill(colPolicy, l.policy)
	defer s.sheet.fill(colPolicy, float64(before))
	m.score(s)
	l.decide(s, nil)
	var a account
	a.add(s)
	c := a.clues(want)
	return s.kept, c[:], nil
}

// AttrSlots appends the slots of class, id and tag tokens of block i.
func (x *Sheet) AttrSlots(i int, dst []uint32) []uint32 {
	s := &x.sheet
	dst = s.appendTagSlots(dst, s.blocks[i].element)
	for e, n := s.blocks[i].element, 0; e > 0; e, n = s.elems[e].parent, n+1 {
		a := s.elems[e].alike
		dst = append(dst, s.any.of(a)...)
		if n < maxNear {
			dst = append(dst, s.near.of(a)...)
		}
	}
	return dst
}

// SetHeadings sets whether the linear models read the words of headings for the blocks under them.
// The default is true. See [Parts.ReadsHeadings].
func (x *Sheet) SetHeadings(on bool) { x.sheet.headings = on }

// WordSlots appends the slots of the words of block i and of the heading above it.
func (x *Sheet) WordSlots(i int, dst []uint32) []uint32 {
	s := &x.sheet
	if h := s.sections[s.sectionOf[i]].heading; s.headings && h >= 0 {
		dst = s.hashes[h].appendHeadingSlots(dst)
	}
	return s.hashes[i].appendWordSlots(dst)
}
