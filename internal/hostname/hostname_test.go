package hostname

import "testing"

func TestOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://www.Example.org.:8080/a?b#c": "www.example.org",
		"https://example.org":                 "example.org",
		"https://example.org/100%/a":          "example.org",
		"https://example.org?a=%zz":           "example.org",
		"https://example.org#%":               "example.org",
		`https://example.org\a`:               "example.org",
		"//example.org/100%":                  "example.org",
		"https://user:pass@example.org/":      "example.org",
		"http://[2001:db8::1]:80/":            "2001:db8::1",
		"ftp://example.org/":                  "example.org",
		"https://exa mple.org/":               "",
		"/a//b":                               "",
		"example.org/a":                       "",
		"mailto:a@example.org":                "",
		"":                                    "",
	} {
		if got := Of(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}
