package weburl

import "testing"

// TestHostToASCII: names with characters that Unicode 16 maps otherwise than Unicode 15, and others.
func TestHostToASCII(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"Example.ORG", "example.org"},
		{"Müller.example", "xn--mller-kva.example"},
		{"STRAẞE.example", "xn--strae-oqa.example"},
		{"straße.example", "xn--strae-oqa.example"},
		{"a\u2260b.example", "xn--ab-miv.example"},
		{"\u10a0.example", "xn--rkj.example"},
		{"xn--mller-kva.example", "xn--mller-kva.example"},
	} {
		if got, err := HostToASCII(c.name); got != c.want || err != nil {
			t.Errorf("%q: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
	for _, bad := range []string{"a b.example", "\u0300.example", "xn--a\u0080"} {
		if got, err := HostToASCII(bad); err == nil {
			t.Errorf("%q: %q, want an error", bad, got)
		}
	}
}
