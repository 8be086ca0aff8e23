package pii

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"chaffinch/internal/testkit/must"
	_ "chaffinch/model/data/names"
)

// TestFind marks personal data as <kind:text>, and leaves text that only looks like it.
func TestFind(t *testing.T) {
	for _, want := range []string{
		"Write to <email:anna.b+news@post.example.org>, or to <email:jürgen@bücher.example>.",
		"No address: @anna, a@b, anna@, x@y.z, 3@4.5, anna@example..org",
		"From <ip:8.8.4.4> and <ip:2001:4860:4860::8888>, not 127.0.0.1, 192.168.1.20, ::1, 300.1.1.1, 1.2.3 or 1.2.3.4.5.",
		"On port <ip:8.8.4.4>:80 and [<ip:2001:4860:4860::8888>]:443, <ip:2001:4860::8.8.8.8>, not 127.0.0.1:80 or 300.1.1.1:80.",
		"Version 10.1.2.3 is private, <ip:٨.٨.٨.٨> is not.",
		"Call <phone:+49 30 1234567> or <phone:+1 (212) 555-0123>, <phone:(030) 12 34 56 78>, <phone:030 1234 5678>, <phone:212-555-0123>.",
		"In Arabic digits <phone:+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧>, in wide ones <phone:＋８１ ９０ １２３４ ５６７８>.",
		"No numbers: 1234567890, 01.02.2024 10 11, 2,000,000, 1994-2004, +5, 10 000 000 000, page 123-456.",
		"Account <iban:DE89 3704 0044 0532 0130 00>, <iban:GB82WEST12345698765432>; not DE88 3704 0044 0532 0130 00.",
		"Card <card:4111 1111 1111 1111>, <card:378282246310005> 12, <card:５５５５-５５５５-５５５５-４４４４>; not 4111 1111 1111 1112, 0000 0000 0000 0000.",
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

// validNumbers are valid numbers, with a word of context if the layout needs it. They are published
// examples, or were computed by hand from the rules of the source in [numbers].
var validNumbers = []string{
	"AE <784-1980-1234567-8>", "AR <20-26756539-3>", "AT SVNR <1237 010180>", "AU TFN: <123 456 782>", "BE <85.07.30-033.28>", "BG ЕГН <7523169263>",
	"BR <390.533.447-05>", "BR CPF: <39053344705>", "CA NAS: <130 692 544>", "CH <756.9217.0769.85>", "CL RUT <12.531.909-2>",
	"CN <11010519491231002X>", "CN 身份证号码<11010519491231002X>", "CZ rodné číslo <710319/2745>", "DE Steuer-ID: <36 574 261 809>", "DE IdNr. <86095742719>",
	"DK cpr-nr. <211062-5629>", "EE isikukood <37605030299>", "ES DNI <54362315K>", "ES con NIE <X-5253868-R>", "FI <131052-308T>", "FI hetu <131052A308T>", "FR <2 95 10 99 126 111 93>",
	"GB <AB 12 34 56 C>", "GB NHS no. <943 476 5870>", "GR ΑΜΚΑ: <01013099997>", "HK <A123456(3)>", "HR OIB: <33392005961>", "HU TAJ <111 111 110>", "IE PPS <6433435F>",
	"IL ת.ז. <123456782>", "IN Aadhaar <2341 2341 2346>", "IR کد ملی <۰۰۷۳۰۶۲۱۲۱>", "IS kt. <120174-3399>", "IT <RCCMNL83S18D969H>", "JP マイナンバー：<1234 5678 9018>",
	"KR <970131-1234562>", "LT asmens kodas <33309240064>", "LV personas kods <161175-19997>", "MX <BOXW310820HNERXN09>", "MY IC No. <770305-02-1234>", "NL BSN: <111222333>",
	"NO fnr. <15108695088>", "NZ IRD <49-091-850>", "PL PESEL: <44051401359>", "PT NIF <123456789>", "RO <1630615123457>", "RU СНИЛС <112-233-445 95>", "SE personnummer <811228-9874>",
	"SG <S1234567D>", "SI EMŠO <0101006500006>", "CZ rodné čísla: <710319/2745>", "TH <1-1019-00012-34-8>", "TR TC kimlik no <17291716060>", "TW 身分證字號 <A123456789>",
	"UA РНОКПП <1759013776>", "US SSN <536-90-4399>", "ZA ID number <8001015009087>",
}

// TestNumbers finds numbers of each country.
func TestNumbers(t *testing.T) {
	for _, want := range validNumbers {
		country, rest := want[:2], want[3:]
		text := strings.NewReplacer("<", "", ">", "").Replace(rest)
		start := strings.IndexByte(rest, '<')
		found := Find(text, nil)
		if len(found) != 1 || found[0].Kind != ID || found[0].Country != country || start >= 0 && text[found[0].Start:found[0].End] != rest[start+1:len(rest)-1] {
			t.Errorf("%s: %q %v", want, text, found)
		}
	}
}

// TestNumbersByChance measures how many random numbers in each layout are accepted without
// context: numbers in text that are no identification numbers.
func TestNumbersByChance(t *testing.T) {
	const tries = 20_000
	r := rand.New(rand.NewPCG(1, 2))
	for i := range numbers {
		free := false
		for form := range strings.FieldsSeq(numbers[i].layouts) {
			if form == "!" {
				free = true
				continue
			}
			if !free {
				continue
			}
			valid := 0
			for range tries {
				var text []byte
				for _, c := range []byte(form) {
					switch c {
					case '9', '*':
						c = byte('0' + r.IntN(10))
					case 'A':
						c = byte('A' + r.IntN(26))
					case '_':
						c = ' '
					}
					text = append(text, c)
				}
				if _, end := id(string(text), 0); end > 0 {
					valid++
				}
			}
			// Layouts with separators are rare in other text.
			limit := tries / 250
			if strings.ContainsAny(form, ".-_(A") {
				limit = tries / 8
			}
			if valid > limit {
				t.Errorf("%s %s: %d of %d random numbers are accepted without context", numbers[i].Country, form, valid, tries)
			}
		}
	}
}

// TestNumbersWithoutContext leaves weak numbers without a word of context, and numbers whose
// check digits are invalid.
func TestNumbersWithoutContext(t *testing.T) {
	for _, text := range []string{
		"44051401359", "111222333", "123 456 782", "A123456789", "in 536-90-4399 cases", "PESEL: 44051401358", "BSN: 111222334",
		"http://example.org/44051401359", "pesel 44051401359-7", "sinking 130 692 544", "390.533.447-06", "131052-308U",
	} {
		if found := Find(text, nil); len(found) > 0 && found[0].Kind == ID {
			t.Errorf("%q: %v", text, found)
		}
	}
}

// TestNames finds names by titles, phrases and given names, and leaves places and headlines.
func TestNames(t *testing.T) {
	f := must.Get(NewFinder([]Kind{Name}))(t)
	for _, want := range []string{
		"Yesterday <Michael J. Miller> met Mr. <Xyzal> and Dr. <Quentin Zorb>.", "My name is <Zork Zabadak>, I live here.", "Ich heiße <Anna-Lena Müller>. Frau <Dr. Schmidt>",
		"<Maria van der Berg> y la señora <Gómez>", "Меня зовут <Анна Петрова>.", "Ο κύριος <Παπαδόπουλος> μένει εδώ.", "Mr President, San Francisco and Martin Luther King Street.",
		"Will Anna come? Paris Hotel. Victoria Station is old. Mary Opens New Big Red Shop Downtown", "Me llamo <José García>", "written by <Olivia Brown>", "<Olivia Brown>’s Cheap Advice", "author: String",
	} {
		want = strings.ReplaceAll(want, "<Dr. Schmidt>", "Dr. <Schmidt>")
		text := strings.NewReplacer("<", "", ">", "").Replace(want)
		got, at := "", 0
		for _, m := range f.Find(text, nil) {
			got += text[at:m.Start] + "<" + text[m.Start:m.End] + ">"
			at = m.End
		}
		if got += text[at:]; got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	}
}

// TestPseudonyms replaces equal values by equal pseudonyms in any layout. A number keeps its
// layout and becomes invalid.
func TestPseudonyms(t *testing.T) {
	f := must.Get(NewFinder(append(slices.Clone(Kinds), Name)))(t)
	pseudonyms := func(key, text string) (list []string) {
		p := must.Get(NewPseudonyms([]byte(key)))(t)
		for _, m := range f.Find(text, nil) {
			list = append(list, string(p.Replace(nil, text[m.Start:m.End], "de", []Match{{Kind: m.Kind, Country: m.Country, End: m.End - m.Start}})))
		}
		return list
	}
	const key, other = "sixteen bytes or more", "another key of bytes"
	for _, same := range []string{
		"anna@post.example ANNA@Post.example", "+49 30 1234567, +4930 1234567", "Frau Müller, Herr Müller", "4111 1111 1111 1111, 4111-1111-1111-1111",
		"390.533.447-05; CPF 39053344705", "DE89 3704 0044 0532 0130 00 DE89370400440532013000", "2001:4860:4860::8888 2001:4860:4860:0::8888",
	} {
		got := pseudonyms(key, same)
		if len(got) != 2 {
			t.Fatalf("%s: %q", same, got)
		}
		letters := func(s string) string {
			return strings.Map(func(r rune) rune {
				if strings.ContainsRune(" -.", r) {
					return -1
				}
				return r
			}, s)
		}
		if letters(got[0]) != letters(got[1]) || strings.Contains(same, got[0]) {
			t.Errorf("%s: %q", same, got)
		}
		if again := pseudonyms(other, same); again[0] == got[0] {
			t.Errorf("%s: %q with another key too", same, got)
		}
	}
	for _, number := range validNumbers {
		text := strings.NewReplacer("<", "", ">", "").Replace(number[3:])
		found := f.Find(text, nil)
		p := must.Get(NewPseudonyms([]byte(key)))(t)
		got := string(p.Replace(nil, text, "", found))
		for _, m := range f.Find(got, nil) {
			if m.Kind == ID && m.Country == number[:2] || m.Kind == Card {
				t.Errorf("%s: %s is valid", text, got)
			}
		}
		if utf8.RuneCountInString(got) != utf8.RuneCountInString(text) || got == text {
			t.Errorf("%s: %s", text, got)
		}
	}
	must.Fail(t, must.Err(NewPseudonyms([]byte("short"))), "5 bytes")
}
