package justext

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// text returns a text of n characters, of whose words the share stop is "the"
// and the rest "tree" and the like: words of ten characters with the blank.
func text(n int, stop float64) string {
	var b strings.Builder
	words := (n + 9) / 10
	for i := range words {
		if float64(i) < stop*float64(words) {
			b.WriteString("thethethe ")
		} else {
			b.WriteString("sycamores ")
		}
	}
	return b.String()[:n]
}

var theList = NewStoplist("en", []string{"thethethe"})

func label(t testing.TB, cfg Config, blocks ...page.Block) []page.Verdict {
	t.Helper()
	l := must.Get(New(cfg))(t)
	return must.Get(l.Label(t.Context(), &page.Page{Blocks: blocks}))(t)
}

// TestContextFree turns one threshold at a time, a block below it and one
// above it.
func TestContextFree(t *testing.T) {
	for _, c := range []struct {
		name  string
		set   func(*Config)
		block page.Block
		want  page.Label
		why   string
	}{
		{"links at the limit", nil, page.Block{Text: text(300, .5), LinkChars: 60}, page.Good, "stop words .50 >= .32, 300 characters > 200"},
		{"links above it", nil, page.Block{Text: text(300, .5), LinkChars: 61}, page.Bad, "link density .20 > .20"},
		{"more links allowed", func(c *Config) { c.MaxLinkDensity = .4 }, page.Block{Text: text(300, .5), LinkChars: 61}, page.Good, ""},
		{"copyright sign", nil, page.Block{Text: text(300, .5) + " © the"}, page.Bad, "copyright sign"},
		{"copyright entity", nil, page.Block{Text: text(300, .5) + " &copy the"}, page.Bad, "copyright sign"},
		{"select", nil, page.Block{Text: text(300, .5), Path: "html.body.form.select.option"}, page.Bad, "inside a select"},
		{"69 characters", nil, page.Block{Text: text(69, .5)}, page.Short, "69 characters < 70"},
		{"70 characters", nil, page.Block{Text: text(70, .5)}, page.NearGood, "stop words .57 >= .32, 70 characters <= 200"},
		{"low at 50", func(c *Config) { c.LengthLow = 50 }, page.Block{Text: text(69, .5)}, page.NearGood, ""},
		{"short with a link", nil, page.Block{Text: text(69, .5), LinkChars: 1}, page.Bad, "69 characters < 70, with a link"},
		{"200 characters", nil, page.Block{Text: text(200, .5)}, page.NearGood, "stop words .50 >= .32, 200 characters <= 200"},
		{"201 characters", nil, page.Block{Text: text(201, .5)}, page.Good, "stop words .52 >= .32, 201 characters > 200"},
		{"high at 140", func(c *Config) { c.LengthHigh = 140 }, page.Block{Text: text(200, .5)}, page.Good, ""},
		{"stop words at high", nil, page.Block{Text: text(1000, .32)}, page.Good, "stop words .32 >= .32, 1000 characters > 200"},
		{"stop words below high", nil, page.Block{Text: text(1000, .31)}, page.NearGood, "stop words .31 < .32"},
		{"high at .4", func(c *Config) { c.StopwordsHigh = .4 }, page.Block{Text: text(1000, .35)}, page.NearGood, ""},
		{"stop words at low", nil, page.Block{Text: text(1000, .30)}, page.NearGood, ""},
		{"stop words below low", nil, page.Block{Text: text(1000, .29)}, page.Bad, "stop words .29 < .30"},
		{"low at .2", func(c *Config) { c.StopwordsLow = .2 }, page.Block{Text: text(1000, .29)}, page.NearGood, ""},
		{"no words", nil, page.Block{Text: strings.Repeat("- ", 200)}, page.Bad, "stop words .00 < .30"},
		{"no stop words needed", func(c *Config) { c.StopwordsLow, c.StopwordsHigh = 0, 0 }, page.Block{Text: text(300, 0)}, page.Good, "300 characters > 200"},
		{"empty", nil, page.Block{}, page.Short, "0 characters < 70"},
	} {
		cfg := Default
		cfg.Stoplist = theList
		if c.set != nil {
			c.set(&cfg)
		}
		v := label(t, cfg, c.block)[0]
		why, _, _ := strings.Cut(v.Reason, ";")
		if v.ContextFree != c.want || c.why != "" && why != c.why {
			t.Errorf("%s: %v (%s), want %v (%s)", c.name, v.ContextFree, v.Reason, c.want, c.why)
		}
	}
}

// TestCharactersNotBytes has a text of 60 characters in 120 bytes.
func TestCharactersNotBytes(t *testing.T) {
	if v := label(t, Default, page.Block{Text: strings.Repeat("ě", 60)})[0]; v.ContextFree != page.Short {
		t.Errorf("%v (%s)", v.ContextFree, v.Reason)
	}
}

func TestHeadings(t *testing.T) {
	for path, want := range map[string]bool{
		"html.body.h1": true, "html.body.h6.span": true, "h2": true, "html.body.h0": true,
		"html.body.header": false, "html.body.th": false, "html.body.hr": false, "html.body.h12": false, "": false,
	} {
		if inHeading(path) != want {
			t.Errorf("%q: %v, want %v", path, !want, want)
		}
	}
}

func TestPresets(t *testing.T) {
	for _, p := range Presets {
		cfg := must.Get(PresetByName(p.Name))(t)
		if _, err := New(cfg); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	must.Fail(t, must.Err(PresetByName("loose")), "language-free")
}

func TestNewRefuses(t *testing.T) {
	for name, set := range map[string]func(*Config){
		"link density":     func(c *Config) { c.MaxLinkDensity = 1.5 },
		"stopwords low":    func(c *Config) { c.StopwordsLow = -1 },
		"low <= high":      func(c *Config) { c.StopwordsHigh = .1 },
		"length low":       func(c *Config) { c.LengthHigh = 10 },
		"heading distance": func(c *Config) { c.MaxHeadingDistance = -1 },
		"no list":          func(c *Config) { c.Lang = "klingon" },
	} {
		cfg := Default
		set(&cfg)
		must.Fail(t, must.Err(New(cfg)), name)
	}
}
