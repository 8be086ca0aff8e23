package optout

import "testing"

func TestField(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        Refusals
	}{
		{"X-Robots-Tag", "noindex", Index},
		{"x-robots-tag", " NoFollow , NOINDEX", Index | Follow},
		{"X-Robots-Tag", "none", Index | Follow},
		{"X-Robots-Tag", "otherbot: noindex, nofollow", 0},
		{"X-Robots-Tag", "chaffinch: noindex", Index},
		{"X-Robots-Tag", "otherbot: noindex, chaffinch: nofollow", Follow},
		{"X-Robots-Tag", "unavailable_after: 25 Jun 2027 15:00:00 GMT, nofollow", Follow},
		{"X-Robots-Tag", "max-snippet:-1, noai", Training},
		{"X-Robots-Tag", "index, follow, noindexing", 0},
		{"TDM-Reservation", "1", Mining},
		{"tdm-reservation", "0", 0},
		{"Content-Usage", "train-ai=n", Training},
		{"Content-Usage", "bots=y, train-ai=y", 0},
		{"Content-Signal", "search=yes, ai-train=no", Training},
		{"Content-Type", "noindex", 0},
	} {
		if got := Field(c.name, c.value, "chaffinch"); got != c.want {
			t.Errorf("%s: %s refuses %q, want %q", c.name, c.value, got, c.want)
		}
	}
}

func TestMeta(t *testing.T) {
	for _, c := range []struct {
		name, content string
		want          Refusals
	}{
		{"robots", "noindex,nofollow", Index | Follow},
		{"ROBOTS", "noai, noimageai", Training},
		{"chaffinch", "noindex", Index},
		{"otherbot", "noindex", 0},
		{"tdm-reservation", "1", Mining},
		{"description", "noindex", 0},
	} {
		if got := Meta(c.name, c.content, "chaffinch"); got != c.want {
			t.Errorf("meta %s %q refuses %q, want %q", c.name, c.content, got, c.want)
		}
	}
}
