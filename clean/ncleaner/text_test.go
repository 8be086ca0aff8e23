package ncleaner

import (
	"fmt"
	"strings"
	"testing"
)

func TestSegments(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"paragraphs", "The first paragraph\ngoes on.\n\nThe second.\n   \n\nA third one.",
			"paragraph: The first paragraph goes on.\nparagraph: The second.\nparagraph: A third one."},
		{"lists", "Start.\n\nWe need\n* bread\n  and butter\n* milk\n1. first\n(b) second",
			"paragraph: Start.\nparagraph: We need\nitem: * bread and butter\nitem: * milk\nitem: 1. first\nitem: (b) second"},
		{"ended lines", "Start.\n\na line that goes to the right margin here\nand on\nshort\nlines of an address",
			"paragraph: Start.\nparagraph: a line that goes to the right margin here and on\nparagraph: short\nparagraph: lines of an address"},
		{"bars", "Start.\n\nText before it, in lines of its own.\nHome | News | Contact us | Sitemap and\nImprint | Help\nText after it",
			"paragraph: Start.\nparagraph: Text before it, in lines of its own.\nparagraph: Home | News | Contact us | Sitemap and Imprint | Help\nparagraph: Text after it"},
		{"heading", "What we found\n\nThe wall was higher than we had thought,\nand nobody had a ladder.\n\nBut who?\n\n* item",
			"heading: What we found\nparagraph: The wall was higher than we had thought, and nobody had a ladder.\nparagraph: But who?\nitem: * item"},
		{"rules and images", "above the rule of marks\n_____\nbelow [logo.gif]\n[INLINE] next\n[1] note", "paragraph: above the rule of marks\nparagraph: below\nparagraph: next\nparagraph: [1] note"},
		{"indented", "Start.\n\nleft margin text that is long enough\n          centred line that is long enough", "paragraph: Start.\nparagraph: left margin text that is long enough\nparagraph: centred line that is long enough"},
		{"not wrapped", strings.Repeat("long ", 30) + "\nnext\nlast", "paragraph: " + strings.TrimSpace(strings.Repeat("long ", 30)) + "\nparagraph: next\nparagraph: last"},
		{"no empty lines", "\nfirst line of it\nsecond\n", "paragraph: first line of it\nparagraph: second"},
		{"nothing", " \n\n---\n", ""},
	} {
		var got []string
		for _, b := range Segments(c.in) {
			got = append(got, fmt.Sprintf("%s: %s", b.Kind, b.Text))
			if span := strings.Join(strings.Fields(cutImages(c.in[b.Start:b.End])), " "); span != b.Text {
				t.Errorf("%s: the span holds %q, the text is %q", c.name, span, b.Text)
			}
		}
		if g := strings.Join(got, "\n"); g != c.want {
			t.Errorf("%s: got\n%s\nwanted\n%s", c.name, g, c.want)
		}
	}
}

func TestMarks(t *testing.T) {
	for text, want := range map[string]bool{
		"Home | News | Contact": true, "| Home | News": true, "a | b |": true, "© 2009 | Map | About us": true,
		"Previous | Next": false, "no bars at all": false, "1 | 2 | 3": false, "": false, "|": false,
		"The first field of this table has a whole sentence | and so has the second | as has the third of them": false,
	} {
		if isBar(text) != want {
			t.Errorf("isBar(%q) is %v", text, !want)
		}
	}
	for text, want := range map[string]bool{
		"1. x": true, "12) x": true, "(3) x": true, "a) x": true, "(b) x": true, "iv) x": true, "xii) x": true,
		"A. Smith": false, "1.": false, "1.5 x": false, "(see x": false, "2009. It": false, "(3. x": false, ") x": false, "ab) x": false,
	} {
		if isEnumerated(text) != want {
			t.Errorf("isEnumerated(%q) is %v", text, !want)
		}
	}
	for text, want := range map[string]string{"* x": "x", "•   x y": "x y", "- x": "x", "*x": "", "o": "", "of": "", "o x": "x"} {
		if got, ok := cutBullet(text); ok != (want != "") || ok && got != want {
			t.Errorf("cutBullet(%q) is %q, %v", text, got, ok)
		}
	}
	for text, want := range map[string]bool{"---": true, "* * *": true, "=-=-=": true, "--": false, "-- a --": false, "": false} {
		if isRule(text) != want {
			t.Errorf("isRule(%q) is %v", text, !want)
		}
	}
	for text, want := range map[string]string{
		"[logo.gif] Home": " Home", "a [x.JPG#top] b [INLINE]": "a  b ", "[1] and [a b.gif] stay": "[1] and [a b.gif] stay", "[open": "[open", "[[x.png]": "[",
	} {
		if got := cutImages(text); got != want {
			t.Errorf("cutImages(%q) is %q, wanted %q", text, got, want)
		}
	}
}
