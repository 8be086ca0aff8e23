package langid

import (
	"chaffinch/text/langid/evidence"
)

// Letters counts letters by their script.
type Letters struct{ n [evidence.MaxScripts]int32 }

// Add counts the letters of the text.
func (l *Letters) Add(text string) {
	for i := 0; i < len(text); {
		s, size, ok := evidence.ScriptAt(text[i:])
		if ok {
			l.n[s]++
		}
		i += size
	}
}

// Script returns the script of most of the letters, as ISO 15924 code ("Latn",
// "Cyrl"; "Hani" stands for Japanese too), "" if there are none of a script that
// a living language is written in. Of several with as many letters it is the
// more usual one.
func (l *Letters) Script() string {
	best := 0
	for s, n := range l.n {
		if n > 0 && (best == 0 || n > l.n[best]) {
			best = s
		}
	}
	return evidence.Scripts[best].Name
}
