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
		{"X-Robots-Tag", "unavailable_after: Sat, 01 Jan 2028 00:00:00 GMT, noindex", Index},
		{"X-Robots-Tag", "unavailable_after: Saturday, 01-Jan-28 00:00:00 GMT, noindex", Index},
		{"X-Robots-Tag", "otherbot: noindex nofollow, none, chaffinch: noai", Training},
		{"X-Robots-Tag", "max-image-preview: none", 0},
		{"X-Robots-Tag", "noindex nofollow", Index | Follow},
		{"X-Robots-Tag", "max-snippet:-1, noai", Training},
		{"X-Robots-Tag", "index, follow, noindexing", 0},
		{"TDM-Reservation", "1", Mining},
		{"tdm-reservation", "0", 0},
		{"Content-Usage", "train-ai=n", Training},
		{"Content-Usage", "bots=y, train-ai=y", 0},
		{"Content-Signal", "search=yes, ai-train=no", Training},
		{"Content-Type", "noindex", 0},
	} {
		if got := Refused(Field(c.name, c.value, Agent)); got != c.want {
			t.Errorf("%s: %s refuses %q, want %q", c.name, c.value, got, c.want)
		}
	}
}

func TestSite(t *testing.T) {
	for _, c := range []struct {
		place, value string
		want         Refusals
	}{
		{"robots.txt content-usage", "train-ai=n", Training},
		{"robots.txt content-signal", "search=yes, ai-train=yes", 0},
		{"robots.txt", "unreadable", Index},
		{"robots.txt allow", "train-ai=n", 0},
		{"tdmrep.json", "1", Mining},
		{"tdmrep.json", "0", 0},
		{"other.json", "1", 0},
	} {
		list := Site(c.place, c.value)
		if got := Refused(list); got != c.want || Refused(Parse(Append("", list...))) != c.want {
			t.Errorf("%s: %s refuses %q, want %q", c.place, c.value, got, c.want)
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
		if got := Refused(Meta(c.name, c.content, Agent)); got != c.want {
			t.Errorf("meta %s %q refuses %q, want %q", c.name, c.content, got, c.want)
		}
	}
}

// TestAppend: what records hold is read back, and says each thing once.
func TestAppend(t *testing.T) {
	list := Append("", Meta("robots", "index, NOAI, nofollow, otherbot: noindex", Agent)...)
	list = Append(list, Field("x-robots-tag", "noindex", Agent)...)
	list = Append(list, Meta("robots", "noai", Agent)...)
	list = Append(list, Meta("tdm-reservation", " 1 ", Agent)...)
	list = Append(list, Field("Content-Signal", "search=yes; ai-train = no", Agent)...)
	if want := "meta robots: noai, meta robots: nofollow, X-Robots-Tag: noindex, meta tdm-reservation: 1, Content-Signal: ai-train=no"; list != want {
		t.Fatalf("%q, want %q", list, want)
	}
	parsed := Parse(list)
	if again := Append("", parsed...); again != list || len(parsed) != 5 {
		t.Errorf("read back as %q", again)
	}
	if r := Refused(Parse("X-Robots-Tag: noai")); r != Training {
		t.Errorf("one statement refuses %q", r)
	}
	if r := Refused(Parse("noindex, meta description: noindex, Server: none")); r != 0 {
		t.Errorf("what is no statement refuses %q", r)
	}
}
