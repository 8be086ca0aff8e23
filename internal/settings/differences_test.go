package settings

import "testing"

func TestDifferences(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{`{"n":7,"x":{"y":true}}`, `{"n":5,"x":{"y":true}}`, "n: then 7, now 5"},
		{`{"x":{"y":true}}`, `{"x":{"y":false,"z":1}}`, "x.y: then true, now false; x.z: then none, now 1"},
		{`{"l":[{"m":"a","n":1},2]}`, `{"l":[{"m":"a","n":3},4]}`, "l[0].n: then 1, now 3; l[1]: then 2, now 4"},
		{`{"l":[1,2]}`, `{"l":[1]}`, "l: then [1,2], now [1]"},
		{`{"l":[]}`, `{"l":[]}`, ""},
		{`{"l":[1]}`, `{}`, "l: then [1], now none"},
	} {
		if got := Differences([]byte(c.a), []byte(c.b), "then", "now"); got != c.want {
			t.Errorf("%s and %s: %q, wanted %q", c.a, c.b, got, c.want)
		}
	}
}
