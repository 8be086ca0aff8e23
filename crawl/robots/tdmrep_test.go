package robots

import (
	"strings"
	"testing"
)

// TestReservations fails if a tdmrep.json reserves other paths than its first matching rules, or if
// malformed rules hide the rules before them.
func TestReservations(t *testing.T) {
	for _, c := range []struct {
		name, file     string
		reserved, free string // paths
	}{
		{"order", `[{"location": "/open/", "tdm-reservation": 0}, {"location": "/", "tdm-reservation": 1, "tdm-policy": "https://a.example/p"}]`, "/a /open /", "/open/ /open/a?b"},
		{"patterns", `[{"location": "/*.html$", "tdm-reservation": 1}, {"location": "*?print", "tdm-reservation": 1}]`, "/a.html /a?print=1", "/a.html?x /a"},
		{"escapes", `[{"location": "/caf%C3%A9", "tdm-reservation": 1}]`, "/café/x", "/cafe"},
		{"loose values", "\ufeff" + `[{"location": "/a", "tdm-reservation": "1"}, {"location": "/b", "tdm-reservation": true}]`, "/a /b", "/c"},
		{"invalid rules", `[7, {"location": 3}, {"location": "", "tdm-reservation": 1}, {"location": "http://a.example/x", "tdm-reservation": 1}, {"location": "/a", "tdm-reservation": 1}]`, "/a", "/b /x"},
		{"cut off", `[{"location": "/a", "tdm-reservation": 1}, {"location": "/b", "tdm-res`, "/a", "/b"},
		{"no array", `{"location": "/", "tdm-reservation": 1}`, "", "/ /a"},
		{"HTML", "<!doctype html><title>Not found</title>", "", "/"},
		{"huge", `[{"location": "/a", "tdm-reservation": 1}, "` + strings.Repeat("x", MaxReservationBytes) + `", {"location": "/", "tdm-reservation": 1}]`, "/a", "/b"},
		{"many rules", "[" + strings.Repeat(`{"location":"/x"},`, maxReservations) + `{"location": "/", "tdm-reservation": 1}]`, "", "/a"},
		{"deep", strings.Repeat("[", 20_000), "", "/"},
	} {
		r := ParseReservations([]byte(c.file))
		for want, paths := range map[bool]string{true: c.reserved, false: c.free} {
			for _, path := range strings.Fields(paths) {
				if r.Reserve(path) != want {
					t.Errorf("%s: %s reserved: %t, want %t", c.name, path, !want, want)
				}
			}
		}
	}
}

func FuzzReservations(f *testing.F) {
	f.Add([]byte(`[{"location": "/", "tdm-reservation": 1}]`), "/a")
	f.Fuzz(func(t *testing.T, file []byte, path string) {
		if r := ParseReservations(file); len(r.rules) > maxReservations {
			t.Errorf("%d rules", len(r.rules))
		} else {
			r.Reserve(path)
		}
	})
}
