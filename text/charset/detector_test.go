package charset

import (
	"strings"
	"testing"
	"unicode/utf8"

	"chaffinch/internal/testkit/must"
	"chaffinch/text/charset/alphabet"
)

// written returns text in an encoding that it fits into.
func written(t testing.TB, name, text string) []byte {
	t.Helper()
	back := reverse(codecOf[name].single())
	var out []byte
	for _, r := range text {
		if b, ok := back[r]; ok {
			out = append(out, b)
		} else if r < utf8.RuneSelf {
			out = append(out, byte(r))
		} else {
			t.Fatalf("%s has no %q", name, r)
		}
	}
	return out
}

const (
	czech   = "Včera večer jsme šli podél řeky až k mlýnu, kde už dávno nikdo nežije. Dveře byly otevřené a ze zahrady voněly růže."
	russian = "Вчера вечером мы шли вдоль реки до самой мельницы, где давно никто не живёт. Двери были открыты, а из сада пахло розами."
	french  = "Hier soir, nous avons longé la rivière jusqu’au moulin où personne n’habite plus. Les portes étaient ouvertes; ça sentait la rosée et l’été."
)

func TestDetect(t *testing.T) {
	for _, c := range []struct{ name, lang, text string }{
		{"windows-1250", "cs", czech}, {"iso-8859-2", "cs", czech}, {"cp852", "cs", czech}, {"mac-latin2", "cs", czech},
		{"windows-1251", "ru", russian}, {"koi8-r", "ru", russian}, {"ibm866", "ru", russian}, {"iso-8859-5", "ru", russian}, {"x-mac-cyrillic", "ru", russian},
		{"windows-1252", "fr", french}, {"macintosh", "fr", french}, {"cp850", "fr", strings.ReplaceAll(french, "’", "'")},
	} {
		for _, wrap := range [][2]string{{"", ""}, {"<html><head><title>News</title><script>var a=1</script></head><body><p>", "</p></body></html>"}} {
			r := Decode(written(t, c.name, wrap[0]+c.text+wrap[1]), "")
			if r.Text != wrap[0]+c.text+wrap[1] || r.Lang != c.lang || r.From != "detected" {
				t.Errorf("%s read as %s in %q: %.60q", c.name, r.Name, r.Lang, r.Text)
			}
			if r.Confidence < 0.5 || r.Confidence > 1 {
				t.Errorf("%s: confidence %v", c.name, r.Confidence)
			}
		}
	}
}

// TestDeclaredWrong gives pages labels that the bytes contradict, and some that
// they do not.
func TestDeclaredWrong(t *testing.T) {
	for _, c := range []struct {
		written, label, want, from string
		text                       string
	}{
		{"windows-1251", "iso-8859-1", "windows-1251", "detected", russian},
		{"koi8-r", "windows-1251", "koi8-r", "detected", russian},
		{"iso-8859-2", "windows-1250", "iso-8859-2", "detected", czech},
		{"windows-1250", "shift_jis", "windows-1250", "detected", czech},
		{"windows-1252", "iso-8859-15", "windows-1252", "detected", french},
		{"windows-1252", "windows-1254", "windows-1254", "http", french}, // the same text
		{"windows-1252", "windows-1252", "windows-1252", "http", "caf\u00e9"},
		{"iso-8859-15", "iso-8859-15", "iso-8859-15", "http", "5 €"},
	} {
		r := Decode(written(t, c.written, c.text), c.label)
		if r.Text != c.text || r.Name != c.want || r.From != c.from {
			t.Errorf("%s declared %s: %s by %s: %.50q", c.written, c.label, r.Name, r.From, r.Text)
		}
	}
}

func TestMixed(t *testing.T) {
	line := "Příliš žluťoučký kůň úpěl ďábelské ódy nad řekou.\n"
	page := strings.Repeat(line, 10) + string(written(t, "windows-1250", "Tahle řádka přišla odjinud, z úplně starého počítače.\n")) + line + "r\xC3 \xC5\x99\n"
	r := Decode([]byte(page), "")
	want := strings.Repeat(line, 10) + "Tahle řádka přišla odjinud, z úplně starého počítače.\n" + line + "r\uFFFD ř\n"
	if r.Text != want || r.Name != "utf-8" || r.Mixed != 1 || r.MixedAs != "windows-1250" || r.Replaced != 1 {
		t.Errorf("%s, %d lines of %s, %d replaced:\n%q", r.Name, r.Mixed, r.MixedAs, r.Replaced, r.Text)
	}
	if at := strings.Index(page, "r\xC3 ") + 1; r.FirstReplaced != at {
		t.Errorf("first replaced at %d, want %d", r.FirstReplaced, at)
	}
}

func TestCandidates(t *testing.T) {
	d := must.Get(New(Default))(t)
	r, found := d.Detect(written(t, "windows-1252", "Der Weg f\u00fchrt durch die Stra\u00dfe, sch\u00f6n und gr\u00fcn."), "", 5)
	if r.Name != "windows-1252" || len(found) != 5 || found[0].Name != r.Name || found[0].Lang != "de" || found[0].Same {
		t.Errorf("%+v %+v", r, found)
	}
	sum := 0.0
	for i, c := range found {
		if !c.Same {
			sum += c.Confidence
		}
		if i > 0 && c.Confidence > found[i-1].Confidence {
			t.Errorf("not in order: %+v", found)
		}
	}
	if sum > 1.0001 {
		t.Errorf("confidences add up to %v: %+v", sum, found)
	}
	if !found[1].Same {
		t.Errorf("German in ISO 8859 reads the same in several encodings: %+v", found)
	}
}

func TestConfig(t *testing.T) {
	raw := written(t, "cp852", czech)
	for _, c := range []struct {
		encodings []string
		web       bool
	}{{nil, false}, {[]string{"web"}, true}, {[]string{"cp852"}, false}, {[]string{"windows-1250", "iso-8859-2"}, true}} {
		d := must.Get(New(Config{Encodings: c.encodings}))(t)
		r := d.Decode(raw, "")
		if IsWeb(r.Name) != c.web || !c.web && r.Text != czech {
			t.Errorf("encodings %q: %s", c.encodings, r.Name)
		}
	}
	must.Fail(t, must.Err(New(Config{Encodings: []string{"klingon"}})), "klingon")
	if _, err := New(Config{Model: "testdata/none.chf"}); err == nil {
		t.Error("a missing model is no error")
	}
	d := must.Get(New(Config{NoMeta: true}))(t)
	if r := d.Decode([]byte("<meta charset=koi8-r> plain"), ""); r.Name != "utf-8" {
		t.Errorf("read the tag: %s", r.Name)
	}
}

// TestOracle compares the scores with those of every trigram on its own.
func TestOracle(t *testing.T) {
	tab := standard().t()
	s := standard().pool.New().(*scratch)
	for _, raw := range [][]byte{written(t, "windows-1250", czech), written(t, "koi8-r", russian), []byte("caf\xE9 \x93x\x94 <b>\xC9T\xC9</b> 5\xA0\xA4"), []byte("\x80\xFF\xFE")} {
		s.sample = excerpts(s.sample[:0], raw)
		context := contexts(nil, raw, highBytes(s.sample))
		tab.context(s, context)
		s.counts.count(s.sample)
		tab.ascii(s)
		for _, c := range codecs {
			if c.single == nil {
				continue
			}
			bits := make([]int32, len(tab.langs))
			sum, _ := tab.glance(s, c.single(), bits)
			tab.pairs(s, c.single(), bits)
			tab.trigrams(s, c.single(), bits)
			want := simple(tab, s, c.single(), context)
			for l := range bits {
				if got := sum + bits[l]; got != want[l] {
					t.Fatalf("%s in %s: %d, one by one %d", tab.langs[l], c.name, got, want[l])
				}
			}
		}
	}
}

// simple scores a sample trigram by trigram.
func simple(t *tables, s *scratch, runes *[256]rune, context []byte) []int32 {
	total := make([]int32, len(t.langs))
	n := int32(0)
	part := make([]int32, len(t.langs))
	sum := int32(0)
	at := func(b byte) *alphabet.Glyph { return &t.glyphs[runes[fold[b]]] }
	a := byte(' ')
	for _, c := range context {
		p, q := at(a), at(c)
		sum += int32(q.Cost)
		t.add(part, alphabet.Key(alphabet.Unigram, 0, 0, q.Letter), 1)
		t.add(part, alphabet.Key(alphabet.Backoff1, 0, 0, p.Letter), 1)
		t.add(part, alphabet.Key(alphabet.Bigram, 0, p.Letter, q.Letter), 1)
		n++
		a = fold[c]
	}
	n = n * contextWeight / 8
	sum = sum * contextWeight / 8
	for l := range part {
		total[l] = part[l]*contextWeight/8 + sum
	}
	x, y := byte(' '), byte(' ')
	for _, z := range s.sample {
		z = fold[z]
		if (x|y|z)&0x80 != 0 {
			a, b, c := at(x), at(y), at(z)
			clear(part)
			t.add(part, alphabet.Key(alphabet.Unigram, 0, 0, c.Letter), 1)
			t.add(part, alphabet.Key(alphabet.Backoff1, 0, 0, b.Letter), 1)
			t.add(part, alphabet.Key(alphabet.Bigram, 0, b.Letter, c.Letter), 1)
			t.add(part, alphabet.Key(alphabet.Backoff2, 0, a.Letter, b.Letter), 1)
			t.add(part, alphabet.Key(alphabet.Trigram, a.Letter, b.Letter, c.Letter), 1)
			for l := range part {
				total[l] += part[l] + int32(c.Cost) + t.around(a, b, c)
			}
			n++
		}
		x, y = y, z
	}
	for l, f := range t.floors {
		total[l] += n * int32(f)
	}
	return total
}

// TestFewLetters reads pages in which too few letters are beyond ASCII to name
// a language: the encoding is named all the same.
func TestFewLetters(t *testing.T) {
	english := strings.Repeat("The ferry leaves the harbour at nine, and the keeper of the light waves to it. ", 20)
	for _, c := range []struct{ text, lang string }{
		{english + "\x93Never\x94, he said, \x96 and left.", ""},
		{english + "The caf\xe9 is open.", ""},
		{strings.Repeat("Die F\xe4hre f\xe4hrt \xfcber den Fluss und die G\xe4ste gr\xfc\xdfen sch\xf6n. ", 5), "de"},
	} {
		r := Decode([]byte(c.text), "")
		if r.Name != "windows-1252" || r.From != "detected" || r.Lang != c.lang {
			t.Errorf("...%q: %s, %s, language %q; wanted windows-1252, detected, %q", c.text[len(c.text)-30:], r.Name, r.From, r.Lang, c.lang)
		}
	}
}

// TestHalfUTF8 decodes pages that declare UTF-8 and of which half is UTF-8.
func TestHalfUTF8(t *testing.T) {
	const text = "Größe, Käse und „Übermut“ – schön für Jürgen, sagte René."
	legacy := string(written(t, "windows-1252", text))
	for _, sep := range []string{" ", "\n"} {
		raw := []byte("<meta charset=utf-8><p>" + text + sep + legacy)
		r := Decode(raw, "")
		if r.Name != "utf-8" || r.From != "meta" || !strings.Contains(r.Text, text) || sep == "\n" && (r.Mixed != 1 || strings.Count(r.Text, text) != 2) {
			t.Errorf("%s by %s: %q", r.Name, r.From, r.Text)
		}
	}
	if r := Decode([]byte("<meta charset=utf-8><p>"+legacy), ""); r.Name != "windows-1252" || !strings.Contains(r.Text, text) {
		t.Errorf("%s: %q", r.Name, r.Text)
	}
}
