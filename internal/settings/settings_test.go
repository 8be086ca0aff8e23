package settings

import (
	"strings"
	"testing"
	"time"

	"chaffinch/internal/testkit/must"
)

type limits struct {
	MaxBytes int64         `json:"max_bytes"`
	MaxTime  time.Duration `json:"max_time"`
	Words    []string      `json:"words,omitempty"`
}

type config struct {
	limits
	MinShare float64 `json:"min_share" was:"least"`
	Deep     []limits
	NoTagIDs int
	Name     string `json:"name,omitempty"`
	Words    []int  `json:"words,omitempty"` // hides that of limits
	Secret   string `json:"-"`
}

func TestParse(t *testing.T) {
	c := config{MinShare: .5, Name: "stays"}
	must.Succeed(t, Parse([]byte(`{"max_bytes":"64MiB","max_time":"1m30s","deep":[{"max_bytes":7,"max_time":0}],"no_tag_ids":3,"words":[1,2]}`), &c))
	if c.MaxBytes != 64<<20 || c.MaxTime != 90*time.Second || c.Deep[0].MaxBytes != 7 || c.NoTagIDs != 3 || len(c.Words) != 2 || c.MinShare != .5 || c.Name != "stays" {
		t.Errorf("%+v", c)
	}
	b := must.Get(Format(&c))(t)
	for _, want := range []string{`"max_bytes": "64MiB"`, `"max_time": "1m30s"`, `"max_bytes": "7B"`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %s in %s", want, b)
		}
	}
	var again config
	if err := Parse(b, &again); err != nil || again.MaxTime != c.MaxTime || again.Deep[0].MaxBytes != 7 || again.Name != "stays" {
		t.Errorf("%+v of %s: %v", again, b, err)
	}
}

func TestParseErrors(t *testing.T) {
	for in, want := range map[string]string{
		`{"MaxBytes":1}`:           `unknown key "MaxBytes": did you mean max_bytes?`,
		`{"max_bites":1}`:          `did you mean max_bytes?`,
		`{"least":1}`:              `unknown key "least": it is called min_share now`,
		`{"colour":1}`:             `there are max_bytes, max_time, min_share, deep, no_tag_ids, name, words`,
		`{"secret":"x"}`:           `unknown key "secret"`,
		`{"deep":[{"max_tim":1}]}`: `deep: unknown key "max_tim": did you mean max_time?`,
		`{"max_time":20000000000}`: `max_time: 20000000000, wanted a duration with its unit`,
		`{"max_time":"soon"}`:      `max_time: "soon", wanted a duration such as`,
		`{"max_bytes":"many"}`:     `max_bytes: "many": wanted a size such as`,
		`{"min_share":"half"}`:     `min_share: "half", wanted a number`,
		`{"words":"a"}`:            `words: "a", wanted a list`,
		`{"name":["a"]}`:           `name: a list, wanted a string`,
		`{"name":true}`:            `name: true, wanted a string`,
		`{"words":{"a":1}}`:        `words: an object, wanted a list`,
		`{"name":"a"} {}`:          `more than one JSON object`,
		`{"name":`:                 `not a JSON object: line 1: unexpected EOF`,
		"{\n\"name\": \"a\",\n}":   `not a JSON object: line 3`,
		`["name"]`:                 `a list, wanted an object`,
	} {
		must.Fail(t, Parse([]byte(in), new(config)), want)
	}
}

func TestSize(t *testing.T) {
	for s, want := range map[string]int64{"4000": 4000, "500kB": 500e3, "64MB": 64e6, "1.5GiB": 3 << 29, "2TiB": 2 << 40, "7B": 7} {
		if n, err := ParseSize(s); n != want || err != nil {
			t.Errorf("%s: %d, %v", s, n, err)
		}
		if n, err := ParseSize(formatSize(want)); n != want || err != nil {
			t.Errorf("%d written as %s, read as %d: %v", want, formatSize(want), n, err)
		}
	}
	for _, s := range []string{"", "x", "-1MB", "1mb", "0", "9e30", "1 MB"} {
		if n, err := ParseSize(s); err == nil {
			t.Errorf("%q: %d", s, n)
		}
	}
	if got := formatSize(0); got != "0B" {
		t.Error(got)
	}
}
