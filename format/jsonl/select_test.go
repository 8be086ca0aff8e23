package jsonl

import (
	"testing"

	"chaffinch/internal/testkit/must"
)

func TestSelect(t *testing.T) {
	const line = `{"id":"a","source":{"file":"x","offset":0},"year":1,"text":"t, \"x\""}` + "\n"
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, line},
		{[]string{"text", "id"}, `{"id":"a","text":"t, \"x\""}` + "\n"},
		{[]string{"-source", "-id"}, `{"year":1,"text":"t, \"x\""}` + "\n"},
		{[]string{"none"}, "{}\n"},
		{[]string{"year"}, `{"year":1}` + "\n"},
	} {
		s := must.Get(Select(c.names))(t)
		if got := string(s.Apply([]byte("before"+line), len("before"))); got != "before"+c.want {
			t.Errorf("%v: %s", c.names, got)
		}
	}
	for _, names := range [][]string{{"a", "-b"}, {""}, {"-"}} {
		if _, err := Select(names); err == nil {
			t.Errorf("%v is taken", names)
		}
	}
}
