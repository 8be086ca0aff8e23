package explain

import (
	"strings"
	"testing"

	"chaffinch/input"
	"chaffinch/internal/testkit/must"
)

func TestFind(t *testing.T) {
	const lines = `{"id":"a","url":"https://example.org/a","text":"First."}
not JSON
{"id":"b","text":"Second."}
`
	for _, c := range []struct {
		id    string
		index int
		want  string // the text, or after "!" the error
	}{
		{"", 0, "First."},
		{"", 2, "Second."},
		{"b", 0, "Second."},
		{"https://example.org/a", 0, "First."},
		{"c", 0, "!line 2"},
		{"", 3, "!line 2"},
	} {
		cfg := input.Default
		cfg.Stdin = strings.NewReader(lines)
		r := must.Get(input.Open([]string{"-"}, cfg))(t)
		p, err := Find(r, c.id, c.index)
		if no, ok := strings.CutPrefix(c.want, "!"); ok {
			if err == nil || !strings.Contains(err.Error(), no) {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil || string(p.Raw) != c.want {
			t.Errorf("%+v: %v, %v", c, p, err)
		}
	}
}
