package plain_test

import (
	"testing"

	"chaffinch/format/plain"
	"chaffinch/page"
)

func TestDump(t *testing.T) {
	p := &page.Page{Blocks: []page.Block{
		{Text: "Weather", Kind: page.Heading, Verdict: page.Verdict{Label: page.Bad}},
		{Text: "Rain in the north, sun in the south.", Inline: []page.Inline{{Kind: page.LineBreak, Start: 18, End: 19}, {Kind: page.Strong, Start: 0, End: 4}}},
		{Text: "not shown", Hidden: true},
		{Text: "one two three four five", Kind: page.Item},
		{Text: "six", Kind: page.Item},
		{Text: "a\n\n  b \n", Kind: page.Code},
	}}
	for _, c := range []struct {
		dump plain.Dump
		want string
	}{
		{plain.Dump{}, "Weather\nRain in the north, sun in the south.\none two three four five\nsix\na\n  b\n"},
		{plain.Dump{Breaks: true}, "Weather\nRain in the north,\nsun in the south.\none two three four five\nsix\na\n  b\n"},
		{plain.Dump{Width: 20}, "Weather\n\nRain in the north,\nsun in the south.\n\n  * one two three\n    four five\n  * six\n\na\n\nb\n"},
	} {
		if got := string(c.dump.Append(nil, p)); got != c.want {
			t.Errorf("%+v: %q, want %q", c.dump, got, c.want)
		}
	}
}
