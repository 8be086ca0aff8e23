package langid

import (
	"math/bits"

	"chaffinch/internal/swar"
	"chaffinch/text/langid/evidence"
)

// Letters counts letters by their script.
type Letters struct{ n [evidence.MaxScripts]int32 }

// Add counts the letters of text.
func (l *Letters) Add(text string) {
	latin, _, _ := evidence.ScriptAt("a")
	for i := 0; i < len(text); {
		if len(text)-i >= 8 {
			if x := swar.Load(text[i:]); x&swar.Tops == 0 {
				l.n[latin] += int32(bits.OnesCount64(swar.Within(x|0x20*swar.Ones, 'a', 'z')))
				i += 8
				continue
			}
		}
		s, size, ok := evidence.ScriptAt(text[i:])
		if ok {
			l.n[s]++
		}
		i += size
	}
}

// Script returns the script of most letters as an ISO 15924 code ("Latn", "Cyrl"; "Hani"
// includes Japanese). It returns "" if there are no letters of a script in which a living
// language is written. Among scripts with equal counts it returns the more common one.
func (l *Letters) Script() string {
	best := 0
	for s, n := range l.n {
		if n > 0 && (best == 0 || n > l.n[best]) {
			best = s
		}
	}
	return evidence.Scripts[best].Name
}
