package jsonscan

import "testing"

func TestFinite(t *testing.T) {
	for v, want := range map[string]string{
		"NaN": "null", "-Infinity": "null", `[1,Infinity,"NaN \" Infinity",{"NaN":NaN}]`: `[1,null,"NaN \" Infinity",{"NaN":null}]`, `"NaN`: `"NaN`, "12": "12",
	} {
		if got := string(Finite([]byte(v))); got != want {
			t.Errorf("%s becomes %s, want %s", v, got, want)
		}
	}
	for v, ok := range map[string]bool{"NaN": true, "-Infinity": true, "[Infinity]": true, "-NaN": false, "nan": false, "Inf": false, "NaNs": false} {
		s := Scanner{B: []byte(v)}
		if err := s.Skip(); (err == nil && s.I == len(v)) != ok {
			t.Errorf("%s: %v", v, err)
		}
	}
}
