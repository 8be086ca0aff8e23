package clean

import "chaffinch/page"

// maxSpare is the maximum number of recycled verdicts.
const maxSpare = 1 << 12

// memory holds recycled memory of a [Stage].
type memory struct {
	final []page.Verdict
	spare [][]page.Verdict // slices of one verdict, of pages that are no longer used
}

func (s *Stage) memory() *memory {
	if m, ok := s.pool.Get().(*memory); ok {
		return m
	}
	return new(memory)
}

// Release recycles the verdicts of p for later pages. The caller must not use them any more.
func (s *Stage) Release(p *page.Page) {
	m := s.memory()
	defer s.pool.Put(m)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if len(b.Verdicts) == 1 && len(m.spare) < maxSpare && b.Verdicts[0].By != "" { // not recycled yet
			b.Verdicts[0] = page.Verdict{}
			m.spare = append(m.spare, b.Verdicts)
		}
		b.Verdicts = nil
	}
}

// verdicts returns n verdicts, which are valid until the next call.
func (m *memory) verdicts(n int) []page.Verdict {
	if n > maxSpare {
		return make([]page.Verdict, n)
	}
	if cap(m.final) < n {
		m.final = make([]page.Verdict, n)
	}
	return m.final[:n]
}

// take returns n slices of one verdict. The caller owns the verdicts, but not the slice of them.
func (m *memory) take(n int) [][]page.Verdict {
	if missing := n - len(m.spare); missing > 0 {
		all := make([]page.Verdict, missing)
		for i := range all {
			m.spare = append(m.spare, all[i:i+1:i+1])
		}
	}
	rest := len(m.spare) - n
	taken := m.spare[rest:]
	m.spare = m.spare[:rest]
	return taken
}
