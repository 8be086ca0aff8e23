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
