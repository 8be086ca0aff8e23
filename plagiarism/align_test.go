package plagiarism

import (
	"strings"
	"testing"
)

const (
	heron = "The grey heron stood without moving at the edge of the reservoir until the ferry had gone by. " +
		"Seven children counted the rings in the water and argued about which of them was the widest. " +
		"Their grandmother, who had once repaired the lock gates herself, told them that rings have no width at all."
	market = "On Thursdays the market hall smells of dill, wet cardboard and roasted chestnuts. Old Martin sells brass " +
		"hinges there, and nobody has ever seen him weigh one. A price is whatever the customer says second."
	quarry = "Below the quarry the road bends twice before it reaches the chapel. Lorries used to sound their horns at " +
		"the first bend, but since the mirror was put up most drivers only slow down and wave at whoever is mowing."
	printer = "The printer in the back room prefers blue paper. Nobody knows why, but the clerks have learned to leave " +
		"a sheet of it on top whenever the annual figures must be finished before the auditor arrives."
)

// cut returns the text between two code points.
func cut(s string, from, to int) string { return string([]rune(s)[from:to]) }

func TestAlignVerbatim(t *testing.T) {
	source := market + "\n\n" + heron + "\n\n" + quarry
	suspicious := "Žďár nad Sázavou.\n\n" + printer + "\n\n" + heron
	got := Align(suspicious, source, DefaultAlign)
	if len(got) != 1 {
		t.Fatalf("%d passages: %+v", len(got), got)
	}
	p := got[0]
	if s := cut(suspicious, p.SuspiciousStart, p.SuspiciousEnd); s != heron {
		t.Errorf("suspicious passage %q", s)
	}
	if s := cut(source, p.SourceStart, p.SourceEnd); s != heron {
		t.Errorf("source passage %q", s)
	}
	if p.Score != 1 {
		t.Errorf("score %v, wanted 1", p.Score)
	}
}

func TestAlignChanged(t *testing.T) {
	source := market + "\n\n" + heron + "\n\n" + quarry
	for name, changed := range map[string]string{
		"upper case":          strings.ToUpper(heron),
		"homoglyphs":          strings.NewReplacer("a", "а", "e", "е", "o", "о", "T", "Т", "c", "с").Replace(heron),
		"zero width":          strings.ReplaceAll(strings.ReplaceAll(heron, "e", "e\u200b"), "r", "\u00adr"),
		"full width":          strings.Map(func(r rune) rune { return map[bool]rune{true: r + 0xfee0, false: r}[r > 'a' && r < 'z'] }, heron),
		"diacritics":          strings.NewReplacer("e", "é", "o", "o\u0308").Replace(heron),
		"one line each word":  strings.ReplaceAll(heron, " ", "\n"),
		"words left out":      strings.NewReplacer(" without moving", "", " argued about", "", " herself,", "").Replace(heron),
		"words put in":        strings.NewReplacer(" stood", " yesterday slowly stood", " counted", " happily again counted").Replace(heron),
		"sentences reordered": strings.Join([]string{heron[94:187], heron[:94], heron[187:]}, " "),
		"other words":         strings.NewReplacer("grey", "big", "moving", "motion", "argued", "quarrelled", "widest", "largest", "repaired", "mended").Replace(heron),
	} {
		t.Run(name, func(t *testing.T) {
			suspicious := printer + "\n\n" + changed + "\n\n" + strings.ToUpper(printer)
			got := Align(suspicious, source, DefaultAlign)
			if len(got) != 1 {
				t.Fatalf("%d passages: %+v", len(got), got)
			}
			p := got[0]
			if s := cut(suspicious, p.SuspiciousStart, p.SuspiciousEnd); s != changed {
				t.Errorf("suspicious passage %q", s)
			}
			if s := cut(source, p.SourceStart, p.SourceEnd); s != heron {
				t.Errorf("source passage %q", s)
			}
		})
	}
}

func TestAlignNothing(t *testing.T) {
	for _, c := range [][2]string{{"", ""}, {heron, ""}, {"", heron}, {heron, market + quarry}, {"a a a a a a a a", "a a a a a a a a"}, {"\xff\xfe", heron}} {
		if got := Align(c[0], c[1], DefaultAlign); len(got) > 0 {
			t.Errorf("%.20q against %.20q: %+v", c[0], c[1], got)
		}
	}
}
