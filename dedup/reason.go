package dedup

var reasonNames = [...]string{"unique", "copied", "template", "stub", "near", "same", "same-url", "contaminated", "indexed"}

// String returns the name that files hold.
func (w Reason) String() string {
	if int(w) < len(reasonNames) {
		return reasonNames[w]
	}
	return "unknown"
}

// fromIndex changes the reason to Indexed if the unit is a copy of a document of the
// index.
func (m *Mark) fromIndex(indexed int64) {
	switch m.Reason {
	case Copied, Near, Same, SameURL:
		by := m.First
		if m.Cluster >= 0 {
			by = m.Cluster
		}
		if m.Drop && by >= 0 && by < indexed {
			m.Reason = Indexed
		}
	}
}
