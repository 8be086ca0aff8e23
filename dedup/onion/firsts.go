package onion

// firsts holds the documents that added n-grams to the set of seen ones, for numbers below limit.
// seenTable then needs only the few n-grams that are asked about.
type firsts struct {
	limit uint64
	pages []*firstsPage // nil before the first use
}

// firstsPage holds, for successive numbers, the document +1, 0 for none, and isAsked.
type firstsPage [1 << 12]uint32

// firstBytes is the size of an entry of a page.
const firstBytes = 4

// isAsked marks an n-gram that is asked about. Document numbers are smaller.
const isAsked = 1 << 31

// of returns the entry of an n-gram, nil if its number is too large.
func (f *firsts) of(num uint64) *uint32 {
	if num >= f.limit {
		return nil
	}
	page := num / uint64(len(firstsPage{}))
	for uint64(len(f.pages)) <= page {
		f.pages = append(f.pages, nil)
	}
	p := f.pages[page]
	if p == nil {
		p = new(firstsPage)
		f.pages[page] = p
	}
	return &p[num%uint64(len(p))]
}

// eachAsked calls fn for the n-grams that are asked about and were added.
func (f *firsts) eachAsked(fn func(num uint64, doc int64) error) error {
	for i, p := range f.pages {
		if p == nil {
			continue
		}
		for k, x := range p {
			if doc := int64(x&^isAsked) - 1; x >= isAsked && doc >= 0 {
				if err := fn(uint64(i*len(p)+k), doc); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
