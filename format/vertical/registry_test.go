package vertical

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestRegistryLowercase: an attribute in lower case is derived, unless the vertical has it.
func TestRegistryLowercase(t *testing.T) {
	for columns, want := range map[string]string{"word lemma": "word lc lemma lemma_lc", "word lc": "word lc", "lemma_lc lemma": "lemma_lc lemma"} {
		v := must.Get(Scan(NewReader(strings.NewReader("<doc>\nA\ta\n</doc>\n"), ReaderConfig{})))(t)
		b := must.Get(v.Registry(RegistryConfig{Columns: strings.Fields(columns)}))(t)
		var names []string
		for line := range strings.Lines(string(b)) {
			if name, ok := strings.CutPrefix(line, "ATTRIBUTE "); ok {
				names = append(names, strings.Trim(name, " {\n"))
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("columns %s: attributes %s, wanted %s", columns, got, want)
		}
	}
}
