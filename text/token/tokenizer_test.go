package token_test

import (
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"chaffinch/internal/archive"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	_ "chaffinch/model/data/segmenters"
	"chaffinch/text/token"
)

// checkText checks the contract of a tokenizer on text: tokens in order,
// without overlap, nothing lost, no white space inside; sentences made of whole
// tokens; Split the same as both; the text comes back from its lines.
func checkText(t *testing.T, tok *token.Tokenizer, text string) {
	t.Helper()
	words := tok.Words(text, nil)
	end, valid := 0, utf8.ValidString(text)
	for _, w := range words {
		if w.Start < end || w.End <= w.Start || w.End > len(text) {
			t.Fatalf("%s: token %v after byte %d of %d in %.80q", tok.Lang(), w, end, len(text), text)
		}
		if lost := strings.TrimFunc(text[end:w.Start], token.IsSpace); lost != "" {
			t.Fatalf("%s: lost %q before byte %d", tok.Lang(), lost, w.Start)
		}
		if valid && !utf8.ValidString(text[w.Start:w.End]) {
			t.Fatalf("%s: token %q ends within a character", tok.Lang(), text[w.Start:w.End])
		}
		if strings.IndexFunc(text[w.Start:w.End], token.IsSpace) >= 0 {
			t.Fatalf("%s: white space in token %q", tok.Lang(), text[w.Start:w.End])
		}
		end = w.End
	}
	if lost := strings.TrimFunc(text[end:], token.IsSpace); lost != "" {
		t.Fatalf("%s: lost %q at the end", tok.Lang(), lost)
	}
	sentences := tok.Sentences(text, nil)
	left := words
	for _, s := range sentences {
		if len(left) == 0 || left[0].Start != s.Start {
			t.Fatalf("%s: sentence %v begins with no token", tok.Lang(), s)
		}
		for len(left) > 0 && left[0].End < s.End {
			left = left[1:]
		}
		if len(left) == 0 || left[0].End != s.End {
			t.Fatalf("%s: sentence %v ends with no token: %q", tok.Lang(), s, text[s.Start:s.End])
		}
		left = left[1:]
	}
	if len(left) != 0 {
		t.Fatalf("%s: %d tokens in no sentence", tok.Lang(), len(left))
	}
	w, s := tok.Split(text, nil, nil)
	if !slices.Equal(w, words) || !slices.Equal(s, sentences) {
		t.Fatalf("%s: Split differs from Words and Sentences", tok.Lang())
	}
	checkSentenceWords(t, tok, text, sentences)
	var lines, back bytes.Buffer
	must.Succeed(t, tok.WriteLines(&lines, strings.NewReader(text)))
	if err := token.ReadLines(&back, &lines, "lines"); err != nil || back.String() != text {
		t.Fatalf("%s: %.80q came back as %.80q, %v", tok.Lang(), text, back.String(), err)
	}
}

// checkSentenceWords compares the tokens of sentences with the tokens of each sentence alone.
func checkSentenceWords(t *testing.T, tok *token.Tokenizer, text string, sentences []token.Span) {
	t.Helper()
	var want []token.Span
	for _, s := range sentences {
		for _, w := range tok.Words(text[s.Start:s.End], nil) {
			want = append(want, token.Span{Start: s.Start + w.Start, End: s.Start + w.End})
		}
	}
	if w, s := tok.SentenceWords(text, nil, nil); !slices.Equal(w, want) || !slices.Equal(s, sentences) {
		t.Fatalf("%s: SentenceWords %v of %v differ from the words of each sentence %v of %v in %.80q", tok.Lang(), w, s, want, sentences, text)
	}
}

var fuzzSeeds = []string{
	"a\u200db \u200d\xff\u200b\ufeff\x00\u0301 \r\n\u2028",
	"Mail a.b+c@example.org, see https://example.org/a_(b)?c=d#e. Or www.example.org! <b>no</b> &amp; &#160; #tag @name :-)",
	"It costs 1,000.50, 3.5%, 5km, B52, -3, 1e-5, 12:30, 2020-10-03, the 1980s and '90s; can't, cannot, it's, I'd've",
	"How d’ye do? d'ye, D’YE, can\u00adnot, wan\u00adna.",
	"L'homme qu'il a vu viendra-t-il ? « Oui. » Dell'acqua. Disse-lhe. Je-li to tak? EU:n 3. lokakuuta, z. B. am 3. Oktober",
	"他说:“你好!”然后走了。カタカナとひらがな。สวัสดีครับ ភាសាខ្មែរ မြန်မာဘာသာ བོད་སྐད། हिन्दी है। 5月 👍🏽👨‍👩‍👧🇩🇪",
	"J.R.R. Tolkien, Ph.D., the U.S. Army... e.g. this?! etc.? \"No.\" 'tis ``x'' [12] C++ R&D km/h צה\"ל l·l",
	"a.b.C.d..e...f.-g-.h '' '' \" ( ) [1] . ? ! … : ; ,, -- --- ==> <- ~",
}

func FuzzWords(f *testing.F) {
	for _, c := range sentenceCases {
		f.Add(uint8(0), strings.ReplaceAll(c, "|", ""))
	}
	for i, s := range fuzzSeeds {
		f.Add(uint8(i), s)
	}
	langs := append(token.Languages(), "")
	f.Fuzz(func(t *testing.T, lang uint8, text string) {
		checkText(t, token.For(langs[int(lang)%len(langs)]), text)
	})
}

// TestEveryLanguageOnSeeds checks the contract for all rules.
func TestEveryLanguageOnSeeds(t *testing.T) {
	for _, lang := range append(token.Languages(), "") {
		for _, s := range fuzzSeeds {
			checkText(t, token.For(lang), s)
		}
		checkText(t, token.For(lang), strings.Join(fuzzSeeds, "\n\n"))
		wrapped := must.Get(token.New(token.Config{Lang: lang, Wrapped: true}))(t)
		checkText(t, wrapped, strings.Join(fuzzSeeds, "\n")+"\n\n \r\n\r\nend")
	}
}

// TestLongRuns would not end if the time went with the square of the length.
func TestLongRuns(t *testing.T) {
	testkit.Slow(t)
	units := []string{"a", "A", "1", "1.", "1,", "1-", "1:", "a.", "A.", "a.B", "a-", "a'", "'", "a@", "a@b.", "a+", ".", "?", "…", " ", "\n", ")", "(", "[1]", "\"", "“",
		"-", "<", "<a", "&", "&a", "#", "#a", ":", ":-", "://", "a://", "www.", "x.com/", "\u0301", "\u200d", "\u200b", "漢", "か", "カ", "ก", "เ", "က", "က်", "ក", "់", "བ", "་",
		"。", "\xff", "\xe2\x80", "😀", "😀\u200d", "🇩", "é", "é.", "l'", "’", "n't", ". a", ".) ", "a. \"", "Dr. ", "x·", "\u1361", "\u200e ", "'90", "a:b", "a&", "A&B", "צ\""}
	for _, u := range units {
		for _, lang := range []string{"en", "fr", "fi"} {
			text := strings.Repeat(u, (200<<10)/len(u))
			tok := token.For(lang)
			words, sentences := tok.Split(text, nil, nil)
			if len(words) == 0 && strings.TrimFunc(text, token.IsSpace) != "" || len(sentences) > len(words) {
				t.Errorf("%q: %d tokens, %d sentences", u, len(words), len(sentences))
			}
		}
	}
}

// TestLongParagraphs cuts long paragraphs into parts, reports them, and gives the text back.
func TestLongParagraphs(t *testing.T) {
	testkit.Slow(t)
	words := strings.Repeat("two words ", token.MaxParagraph/8)
	for _, c := range []struct {
		name, text string
		wrapped    bool
		paragraphs int64
		line       int64
	}{
		{"short", "a b\nc d\n", false, 0, 0},
		{"words", "a\n" + words + "\nb\n" + words, false, 2, 2},
		{"one word", strings.Repeat("x", 2*token.MaxParagraph+5), false, 1, 1},
		{"wide characters", strings.Repeat("火", token.MaxParagraph), false, 1, 1},
		{"wrapped", strings.Repeat("two words\n", token.MaxParagraph/8) + "\nb\n", true, 1, 0},
		{"wrapped, one line", "a\n" + words + "\nb\n\nc\n", true, 1, 2},
	} {
		tok := must.Get(token.New(token.Config{Lang: "en", Wrapped: c.wrapped}))(t)
		var lines, back strings.Builder
		err := tok.WriteLines(&lines, strings.NewReader(c.text))
		var cut *token.CutError
		if errors.As(err, &cut); (err == nil) != (c.paragraphs == 0) || cut != nil && (cut.Paragraphs != c.paragraphs || c.line > 0 && cut.Line != c.line) {
			t.Errorf("%s: %v, wanted %d paragraphs from line %d", c.name, err, c.paragraphs, c.line)
		}
		if err := token.ReadLines(&back, strings.NewReader(lines.String()), c.name); err != nil || back.String() != c.text {
			t.Errorf("%s: %d bytes came back as %d, %v", c.name, len(c.text), back.Len(), err)
		}
		if strings.Contains(lines.String(), "\nwor\n") || !utf8.ValidString(lines.String()) {
			t.Errorf("%s: a word or character is cut", c.name)
		}
	}
}

// TestRoundTrip checks the contract on text of all available languages.
func TestRoundTrip(t *testing.T) {
	for _, name := range []string{"text/ntrex.tar.zst", "text/ml.tar.zst"} {
		langs := 0
		err := archive.Walk(testkit.Data(t, name), func(name string, r io.Reader) error {
			if path.Ext(name) != ".txt" {
				return nil
			}
			langs++
			b, err := io.ReadAll(io.LimitReader(r, 16<<10))
			if err == nil {
				checkText(t, token.For(strings.TrimSuffix(path.Base(name), ".txt")), string(b))
			}
			return err
		})
		if err != nil || langs < 100 {
			t.Errorf("%s: %d files, %v", name, langs, err)
		}
	}
}

// tokenCases hold a text each: tokens parted by blanks, or by "|" where nothing
// stands between them; "#" before the first token of a sentence but the first.
var tokenCases = []struct{ lang, text string }{
	{"en", `He ca|n't|, can|not and wo|n't|; it|'s John|'s|, I|'d|'ve "|gone|" at 9 a.m. Monday|. # It cost $|1,000.50 (|3.5|%|)|.`},
	{"en", `See https://example.org/a_(b)?c=d|. # Mail a.b@example.org or visit www.example.org/x|, example.com|. # The end|.`},
	{"en", `The U.S. Army met Dr. J. R. Smith|, Ph.D.|, in St. Louis|. # In the U.S. # The 1980s|, the '90s and B52s|; 5|km at 20 °C|.`},
	{"en", `"|Stop|!|" she said|. # "|Why|?|" # He left|... # And then|? # (|He ran|.|) [|3|] # Next one|.`},
	{"en", `Wait|... what|?! # No. 5 is well-known -- rock'n'roll|, C++ and R&D|. # Yahoo|! was here|.`},
	{"de", `Am 3. Oktober traf Hr. Dr. Krause|, z. B. im Haus Nr. 5|, Frau A. Berg|. # Das geht|'s|, usw. # Er kam|.`},
	{"de", `Er zahlte 1.000,50 Euro|. # „|Nichts hält|“|, schrieb er|. # Die 2. Bundesliga und der 1. FC Köln|. # Um 12.30 Uhr am 24.12.2020|.`},
	{"fr", `L'|homme qu'|il a vu viendra|-t-il aujourd'hui ? # « Oui ! » dit|-elle|. # M. Dupont|, c.-à-d. Jean|, n'|est|-ce pas|, donne|-le|-moi|. # J'|ai 3 000,5 €|.`},
	{"fr", `Jusqu'|où l'|a|-t-on vu ? # Au 1er étage|, n° 5|, p. 12|. # C'est-à-dire rendez-vous à 12h30|.`},
	{"es", `El Sr. Pardo|, D. Juan y la Dra. Ruiz viven en EE.UU. desde el s. XIX|. # ¿|Qué quiere|? # ¡|Nada|! # Cuesta 1.000,50 € (|pág. 5|)|.`},
	{"es", `En EE. UU. Juan vio a CC. OO. y los JJ. OO. de Sídney|, AA. VV. Madrid|. # Vive en EE. UU. # La ley|.`},
	{"ca", `Als EE. UU. Joan|, a. C. Roma|. # Fi|.`},
	{"de", `Er fuhr z. B. Berlin|, d. h. Kreuzberg|, v. Chr. Rom|, Frankfurt a. M. Süd an|. # Ende|.`},
	{"cs", `Firma s. r. o. Brno|, př. n. l. Řím|. # Konec|.`},
	{"it", `Scrive AA. VV. Roma|, SS. MM. Vittorio|, a. C. Roma|. # Fine|.`},
	{"hu", `Kr. e. Róma|, i. sz. Athén|. # Vége|.`},
	{"el", `Το 300 π. Χ. Ρώμη|. # Τέλος|.`},
	{"en", `Use e. g. The Times|. # We met|, e. g. London|, U. S. Army|.`},
	{"it", `L'|acqua dell'|Adige|, un po' d'|aria e c'|è|. # Il dott. Rossi e la prof.ssa Bianchi nell'|a.C. Perche' no|? # E' vero|.`},
	{"pt", `Disse|-lhe que tornou|-se o Sr. Dr. Silva|, p. ex.|, no séc. XX|. # Fá-lo-ia|? # A Sra. Dª Maria mora na Av. Brasil|, n.º 5|. # O 1.º lugar|.`},
	{"nl", `'s Avonds zag dhr. Jansen zo'n auto's en foto's|, d.w.z. m.b.v. dr. De Vries|. # Hij kwam om 10.30 uur in 's-Gravenhage|.`},
	{"sv", `Enligt bl.a. EU:s regler|, dvs. den 3:e maj kl. 10.30|, t.ex. i USA:s S:t Paul|. # Det var allt|.`},
	{"fi", `Se oli 3. lokakuuta EU:n ja Nokia Oyj:n mukaan|, esim. klo 10.30|. # Hän tuli 1900-luvulla|.`},
	{"cs", `Dne 5|. května přišel Ing. Novák|, tzv. pán|, např. z ul. Dlouhé č. 5|. # Je|-li to tak|? # Bylo 1 000,5 Kč|. # Karel IV|. se narodil 14|. 5|. 1316|.`},
	{"pl", `Ok. godz. 10.30|, tj. 5 maja 2020 r. przyszedł dr Nowak|, m.in. z ul. Długiej 5|. # W XX w. było 1 000,5 zł|. # Koniec|.`},
	{"ru", `В 1985 г. он|, т.е. А. С. Иванов|, переехал в г. Москву на ул. Лесная|, д. 5|, и т.д. # Потом было 1 000,5 руб. # «|Да|»|, — сказал он|. # Кто-то|.`},
	{"da", `Den 3. maj kom hr. Jensen|, bl.a. fra Kbh|. # Det kostede 1.000,50 kr. og f.eks. mere|.`},
	{"ca", `L'|aigua d'|aquí|, l'|il·lús Sr. Puig|, p. ex. al c. Major|. # Digues|-m|'ho i fes|-ho|.`},
	{"ro", `S-|a dus într-|o zi la dl. Popescu|, nr. 5|, ș.a.m.d. # L-|am văzut|. # Dă|-mi|-l|!`},
	{"tr", `Ankara'da 3. sınıfta Dr. Yılmaz|, vb. geldi|. # İstanbul'un 5. günü|.`},
	{"el", `Ο κ. Παπαδόπουλος ήρθε στις 5 π.μ. # Τι θέλεις|; # Δεν ξέρω|· έφυγε|.`},
	{"hi", `राम गया|। # वह आया|॥ # "|क्या|?|" # उसने कहा|।`},
	{"zh", `他|说|:|“|你好|!|”|# 然后|我们|走|了|。|# “|真的|?|”|# 价格|是|1,000.50|元|。`},
	{"ja", `今日|は|晴れ|です|。|# 「|カタカナ|」|と|平|仮名|。`},
	{"th", `สวัสดี|ครับ ประเทศ|ไทย`},
	{"km", `ផ្ទះ|នៅ|ក្នុង|ភូមិ|។|# ខ្ញុំ|ទៅ|ផ្ទះ|៕`},
	{"my", `ဆရာ|ကို|၊ ဆရာ|ကို|။|# ဆရာ|ကို|။`},
	{"lo", `ໂຮງຮຽນ|ຂອງ|ລາວ|. # ລາວ|ໄປ|ຕະຫຼາດ|.`},
	{"bo", `སངས་རྒྱས་|ཀྱི་|བསྟན་པ|། # བཀྲ་ཤིས་|བདེ་|ལེགས|།`},
	{"und", `他|说|:|“|你|好|!|”|# 然|后|走|了|。|# “|真|的|?|”|# 她|问|。|# 价|格|是|1,000.50|元|。`},
	{"und", `今|日|は|晴|れです|。|# 「|カタカナ|」|とひらがな|。`},
	{"und", `ส|วั|ส|ดี|ค|รั|บ กา|ร|ท|ด|ส|อ|บ`},
	{"ar", `قال|: "|هل أنت|؟|" # ثم ذهب|. # نعم|، 5.5 كم|.`},
	{"uk", `Він|, тобто О. М. Шевченко|, мешкав у м. Київ на вул. Садовій|, 5|. # П'ять років п’ятого|.`},
	{"hu", `A 3. nap dr. Kovács|, ill. Nagy úr jött|, stb. # Ez 1848. március 15-én volt|.`},
}

func TestTokens(t *testing.T) {
	for _, c := range tokenCases {
		text := strings.NewReplacer("|# ", "", "# ", "", "|", "").Replace(c.text)
		words, sentences := token.For(c.lang).Split(text, nil, nil)
		var got strings.Builder
		sentence := 0
		for i, w := range words {
			if i > 0 && words[i-1].End == w.Start {
				got.WriteByte('|')
			} else if i > 0 {
				got.WriteByte(' ')
			}
			if sentence < len(sentences) && sentences[sentence].Start == w.Start {
				if sentence++; sentence > 1 {
					got.WriteString("# ")
				}
			}
			got.WriteString(text[w.Start:w.End])
		}
		if got.String() != c.text {
			t.Errorf("%s\n got %s\nwant %s", c.lang, got.String(), c.text)
		}
		checkText(t, token.For(c.lang), text)
	}
}

// TestAllocations: sentences and tokens are found without allocations, once the results have grown.
func TestAllocations(t *testing.T) {
	tok, text := token.For("en"), strings.Repeat(benchTexts["en"], 3)
	words, sentences := tok.SentenceWords(text, nil, nil)
	if n := testing.AllocsPerRun(10, func() {
		words, sentences = tok.Split(text, words[:0], sentences[:0])
		words, sentences = tok.SentenceWords(text, words[:0], sentences[:0])
		sentences = tok.Sentences(text, sentences[:0])
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
