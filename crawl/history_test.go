package crawl

import "testing"

func TestNature(t *testing.T) {
	for _, c := range []struct {
		site Site
		want string
	}{
		{Site{Pages: 3, Reasons: map[string]int64{duplicate: 3}}, ""},
		{Site{Pages: 20, Records: 4, Reasons: map[string]int64{duplicate: 9, nearDuplicate: 5}}, "mirror"},
		{Site{Pages: 20, Records: 12, Reasons: map[string]int64{duplicate: 8}}, ""},
		{Site{Pages: 100, Records: 2, Known: 900}, "trap"},
		{Site{Pages: 100, Records: 2, Known: 200}, ""},
		{Site{Pages: 100, Records: 40, Known: 900}, ""},
	} {
		if got := c.site.Nature(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.site, got, c.want)
		}
	}
}
