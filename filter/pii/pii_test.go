package pii

import (
	"strings"
	"testing"
)

// TestFind marks personal data as <kind:text>, and leaves text that only looks like it.
func TestFind(t *testing.T) {
	for _, want := range []string{
		"Write to <email:anna.b+news@post.example.org>, or to <email:jürgen@bücher.example>.",
		"No address: @anna, a@b, anna@, x@y.z, 3@4.5, anna@example..org",
		"From <ip:8.8.4.4> and <ip:2001:4860:4860::8888>, not 127.0.0.1, 192.168.1.20, ::1, 300.1.1.1, 1.2.3 or 1.2.3.4.5.",
		"Version 10.1.2.3 is private, <ip:٨.٨.٨.٨> is not.",
		"Call <phone:+49 30 1234567> or <phone:+1 (212) 555-0123>, <phone:(030) 12 34 56 78>, <phone:030 1234 5678>, <phone:212-555-0123>.",
		"In Arabic digits <phone:+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧>, in wide ones <phone:＋８１ ９０ １２３４ ５６７８>.",
		"No numbers: 1234567890, 01.02.2024 10 11, 2,000,000, 1994-2004, +5, 10 000 000 000, page 123-456.",
		"Account <iban:DE89 3704 0044 0532 0130 00>, <iban:GB82WEST12345698765432>; not DE88 3704 0044 0532 0130 00.",
		"Card <card:4111 1111 1111 1111>, <card:378282246310005>, <card:５５５５-５５５５-５５５５-４４４４>; not 4111 1111 1111 1112, 0000 0000 0000 0000.",
		"",
	} {
		text := want
		for _, k := range Kinds {
			text = strings.ReplaceAll(text, "<"+string(k)+":", "")
		}
		text = strings.ReplaceAll(text, ">", "")
		got, at := "", 0
		found := Find(text, nil)
		for _, m := range found {
			got += text[at:m.Start] + "<" + string(m.Kind) + ":" + text[m.Start:m.End] + ">"
			at = m.End
		}
		if got += text[at:]; got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	}
}

// TestMask replaces by kind.
func TestMask(t *testing.T) {
	const text = "a@b.example, 8.8.4.4!"
	if got := string(Mask([]byte("> "), text, Find(text, nil))); got != "> <email>, <ip>!" {
		t.Error(got)
	}
}

// FuzzFind: findings lie in the text, in order, whatever it is.
func FuzzFind(f *testing.F) {
	f.Add("call +49 30 1234567, a@b.cc, 8.8.8.8, DE89370400440532013000 \xff+")
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, m := range Find(text, nil) {
			if m.Start < at || m.End <= m.Start || m.End > len(text) {
				t.Fatalf("%v after %d of %q", m, at, text)
			}
			at = m.End
		}
	})
}
