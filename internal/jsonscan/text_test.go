package jsonscan

import (
	"encoding/json"
	"testing"
)

// FuzzText compares Text with package encoding/json.
func FuzzText(f *testing.F) {
	for _, s := range []string{``, `plain`, `a \"b\" \u00e9\n`, `\ud800`, `\ud83d\ude00`, `\u12`, `\q`, "tab\there, after eight bytes", "\xff", `\`, `\\`, `"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, s []byte) {
		scanned, err := (&Scanner{B: append(append([]byte{'"'}, s...), '"')}).Str()
		if err != nil || len(scanned) != len(s) {
			return // not the content of a string
		}
		got, ok := Text(s)
		if !ok {
			return
		}
		var want string
		if err := json.Unmarshal(append(append([]byte{'"'}, s...), '"'), &want); err != nil || got != want {
			t.Errorf("%q: %q, wanted %q, %v", s, got, want, err)
		}
	})
}
