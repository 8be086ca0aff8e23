package metadata

import "testing"

// TestCCLicense: names of licences by their addresses, of all versions.
func TestCCLicense(t *testing.T) {
	const at = "https://creativecommons.org/"
	for address, want := range map[string]string{
		at + "licenses/by-nc-sa/4.0/":         "CC BY-NC-SA 4.0",
		at + "licenses/by-sa/3.0/de/":         "CC BY-SA 3.0 DE",
		at + "licenses/nc-sa/1.0/":            "CC NC-SA 1.0",
		at + "licenses/by-nd-nc/1.0/":         "CC BY-ND-NC 1.0",
		at + "licenses/sa/1.0":                "CC SA 1.0",
		at + "licenses/nc-sampling+/1.0/":     "CC NC-SAMPLING",
		at + "licenses/sampling+/1.0/":        "",
		at + "publicdomain/zero/1.0/":         "CC0 1.0",
		at + "licenses/publicdomain/":         "",
		at + "licenses/":                      "",
		"http://creativecommons.org/about/sa": "",
	} {
		if got := ccLicense(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
