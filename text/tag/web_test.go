package tag

import "testing"

// TestUnknownAddresses: hosts without a scheme and dates are recognised, similar words are not.
func TestUnknownAddresses(t *testing.T) {
	for form, want := range map[string]string{
		"Диверсант.ру": "host", "example.com": "host", "a-b.example.org/x?y": "host", "BBC.co.uk": "host",
		"14-05-2013": "date", "14.05.2013": "date", "5/14/2013": "date", "12:30:15": "date", "12:30": "date",
		"end.It": "", "casa.de": "", ".com": "", "1.com": "", "a..com": "", "a-.com": "", "e.g.": "", "U.S.A.": "",
		"1:2": "", "3.14": "", "1.000.000,5": "", "14-05/2013": "", "2012-2013": "", "12345-1-1": "", "...": "", "a/b": "",
	} {
		got := ""
		switch {
		case isHost(form):
			got = "host"
		case isDate(form):
			got = "date"
		}
		if got != want {
			t.Errorf("%q: %q, wanted %q", form, got, want)
		}
	}
}
