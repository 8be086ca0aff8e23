package method

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

func TestJustextOptions(t *testing.T) {
	list := must.File(t, "list.txt", "walrus\n")
	p := &page.Page{Blocks: []page.Block{{Text: strings.Repeat("walrus meadow ", 8)}}} // 112 characters
	for config, want := range map[string]string{
		``:                           "stop words .00 < .30",
		`{"preset":"language-free"}`: "112 characters <= 200",
		`{"preset":"language-free","length_high":100}`: "112 characters > 100",
		`{"preset":"spiderling"}`:                      "stop words .00 < .20",
		`{"length_low":150,"length_high":300}`:         "112 characters < 150",
		`{"stopwords":` + string(quoted(list)) + `}`:   "stop words .50 >= .32, 112 characters <= 200",
		`{"preset":"loose"}`:                           "!preset \"loose\"",
		`{"length":1}`:                                 "!unknown key",
		`{"stopwords":"nowhere.txt"}`:                  "!nowhere.txt",
		`{"max_link_density":2}`:                       "!from 0 to 1",
		`[`:                                            "!config",
	} {
		l, err := New("justext", Options{Config: json.RawMessage(config)})
		if no, ok := strings.CutPrefix(want, "!"); ok || err != nil {
			if !ok || err == nil || !strings.Contains(err.Error(), no) {
				t.Errorf("%s: %v, want %s", config, err, want)
			}
			continue
		}
		v, err := l.Label(context.Background(), p)
		if why, _, _ := strings.Cut(v[0].Reason, ";"); err != nil || why != want {
			t.Errorf("%s: %v, %v, want %s", config, v, err, want)
		}
	}
	l := must.Get(New("justext", Options{Lang: "de"}))(t)
	p.Blocks[0].Text = strings.Repeat("der Wal und die Wiese ", 5)
	if v, err := l.Label(context.Background(), p); err != nil || v[0].ContextFree != page.NearGood {
		t.Errorf("%v, %v", v, err)
	}
}

func quoted(s string) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return b
}
