package langid_test

import (
	"math"
	"sync"
	"testing"

	_ "chaffinch/model/data/languages"

	"chaffinch/internal/testkit/must"
	"chaffinch/text/langid"
)

// TestDetect covers each script and the most common languages with sentences
// of our own.
func TestDetect(t *testing.T) {
	d := must.Get(langid.New(langid.Default))(t)
	for _, c := range []struct{ want, text string }{
		{"en", "The old bridge was closed for three weeks because of the flood."},
		{"de", "Die alte Brücke war wegen des Hochwassers drei Wochen gesperrt."},
		{"fr", "Le vieux pont est resté fermé trois semaines à cause de la crue."},
		{"es", "El puente viejo estuvo cerrado tres semanas por la crecida del río."},
		{"it", "Il vecchio ponte è rimasto chiuso tre settimane a causa della piena."},
		{"nl", "De oude brug was drie weken dicht vanwege de overstroming."},
		{"cs", "Starý most byl kvůli povodni tři týdny zavřený."},
		{"sk", "Starý most bol pre povodeň tri týždne zatvorený."},
		{"pl", "Stary most był zamknięty przez trzy tygodnie z powodu powodzi."},
		{"fi", "Vanha silta oli tulvan takia kolme viikkoa suljettuna."},
		{"hu", "A régi híd három hétig zárva volt az árvíz miatt."},
		{"ru", "Старый мост из-за наводнения был закрыт три недели."},
		{"uk", "Старий міст через повінь був закритий три тижні."},
		{"el", "Η παλιά γέφυρα έμεινε κλειστή τρεις εβδομάδες."},
		{"ar", "بقي الجسر القديم مغلقا ثلاثة أسابيع بسبب الفيضان."},
		{"fa", "پل قدیمی به خاطر سیل سه هفته بسته بود."},
		{"he", "הגשר הישן היה סגור שלושה שבועות בגלל השיטפון."},
		{"hi", "बाढ़ के कारण पुराना पुल तीन हफ़्ते बंद रहा।"},
		{"th", "สะพานเก่าปิดสามสัปดาห์เพราะน้ำท่วม"},
		{"ja", "古い橋は洪水のために三週間閉鎖されていた。"},
		{"ko", "오래된 다리는 홍수 때문에 삼 주 동안 닫혀 있었다."},
		{"zh-Hans", "那座旧桥因为洪水关闭了三个星期。"},
		{"zh-Hant", "那座舊橋因為洪水關閉了三個星期。"},
		{"sr", "Стари мост је због поплаве био затворен три недеље."},
	} {
		if g := d.Detect(c.text); g.Lang != c.want {
			t.Errorf("%s: %v, wanted %s", c.text, g, c.want)
		}
	}
	for _, text := range []string{"", "   ", "12345 67.8 %", "\xff\xfe\x00"} {
		if g := d.Detect(text); g.Lang != langid.Undetermined && g.Lang != langid.NoLanguage {
			t.Errorf("%q: %v, wanted no language", text, g)
		}
	}
}

// TestConfig rejects what cannot be.
func TestConfig(t *testing.T) {
	for _, c := range []langid.Config{{MinConfidence: 2}, {MinConfidence: math.NaN()}, {MaxBytes: -1}, {Langs: []string{"tlh"}}, {Model: "missing.chf"}} {
		if _, err := langid.New(c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
	d := must.Get(langid.New(langid.Config{Langs: []string{"de", "en"}}))(t)
	if g := d.Detect("Le vieux pont est resté fermé trois semaines."); g.Lang == "fr" {
		t.Error("fr is not one of the languages that can occur")
	}
}

// Texts of many words, of which the detector reads as many as it wants.
const (
	longEnglish = "The old bridge was closed for three weeks because of the flood. When the water fell again, people found that the stones under the house had moved in the night."
	longRussian = "Старый мост из-за наводнения был закрыт три недели. Когда вода спала, люди увидели, что камни под домом за ночь сдвинулись."
)

// TestConcurrent wants the same answers from many goroutines, and none of them
// to allocate.
func TestConcurrent(t *testing.T) {
	d := must.Get(langid.New(langid.Default))(t)
	texts := []string{
		longEnglish, "Die alte Brücke war wegen des Hochwassers drei Wochen gesperrt, und alle fuhren einen Umweg.", longRussian, "Starý most bol zatvorený", "<a href=\"x\">", "e\u0301te\u0301", "",
	}
	var want []langid.Guess
	for _, s := range texts {
		want = append(want, d.Detect(s))
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				for i, s := range texts {
					if g := d.Detect(s); g != want[i] {
						t.Errorf("%q: %v, alone %v", s, g, want[i])
					}
				}
			}
		})
	}
	wg.Wait()
}

// TestNoise wants what is no language to be called so, and short or strange
// language not.
func TestNoise(t *testing.T) {
	d := must.Get(langid.New(langid.Config{}))(t)
	for _, s := range []string{
		"https://www.example.com/a/b-c/index.php?id=4711&sort=asc", "for (i = 0; i < n; i++) { sum += a[i]; }", "12.04.2019 | 14:30 | 1,204.50 | 17 %",
		"{\"id\": 17, \"tags\": [1, 2, 3], \"ok\": true}", "SGVsbG8gd29ybGQhIFRoaXMgaXMgYSB0ZXN0Lg==", "<div class=\"nav_item\"><a href=\"#\">&nbsp;</a></div>",
	} {
		if g := d.Detect(s); g.Lang != langid.NoLanguage {
			t.Errorf("%q: %v, wanted no language", s, g)
		}
	}
	for _, s := range []string{
		"Good morning", "Chapter 12: The House", "Öffnungszeiten: Mo-Fr 9-17 Uhr", "It costs $25 (about 20 euros).", "Click on File > Save as...", "今日は2019年です。",
		"See https://example.com/ for more about the history of the bridge and its builders.",
	} {
		if g := d.Detect(s); g.Lang == langid.NoLanguage {
			t.Errorf("%q: %v, wanted a language", s, g)
		}
	}
}
