package metadata

import "testing"

// TestTwoDigitYears wants years from 69 on in the last century; years before 1990 are no dates of pages.
func TestTwoDigitYears(t *testing.T) {
	for text, want := range map[string]string{"03/09/99": "1999-03-09", "13.11.91": "1991-11-13", "09.03.24": "2024-03-09", "03/09/68": "2068-03-09", "03/09/75": ""} {
		if got, _ := findDate(text, true); got != want {
			t.Errorf("%s: date %q, wanted %q", text, got, want)
		}
	}
}

// TestUnixTimeZero: the time 0 of Unix is a missing value in any time zone.
func TestUnixTimeZero(t *testing.T) {
	for text, want := range map[string]string{
		"1970-01-01": "", "1970-01-01T00:00:00Z": "", "1970-01-01T01:00:00+01:00": "", "1970-01-01T00:00:00+01:00": "", "1969-12-31T19:00:00-05:00": "",
		"1970-01-02": "1970-01-02", "1969-12-31T12:00:00Z": "1969-12-31T12:00:00Z",
	} {
		if got := parseDate(text); got != want {
			t.Errorf("%s: date %q, wanted %q", text, got, want)
		}
	}
}

// TestDigits compares the number of digits with a count byte by byte.
func TestDigits(t *testing.T) {
	const text = "0a9/:\xb0\u0661 2024-03-09T23:59:59Z 18. März 12345678 9"
	for i := range text {
		for j := i; j <= len(text); j++ {
			want := 0
			for k := i; k < j; k++ {
				if digitAt(text, k) {
					want++
				}
			}
			if got := digits(text[i:j]); got != want {
				t.Errorf("%q: %d digits, wanted %d", text[i:j], got, want)
			}
		}
	}
}
