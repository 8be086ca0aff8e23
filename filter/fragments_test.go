package filter

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

func judgeBy(t *testing.T, group string, in Text) string {
	t.Helper()
	cfg := Default
	cfg.Use = []string{group}
	set := must.Get(New(cfg))(t)
	s := set.Scorer()
	in.Paras = parasOf(in.Whole)
	_, d, drop := s.Judge(in)
	if !drop {
		return ""
	}
	d.Explanation = s.Explain(d)
	return d.String()
}

// TestFragments: short documents and lists are dropped; stories are kept, also without spaces.
func TestFragments(t *testing.T) {
	const story = "The ferry leaves at nine and comes back with the mail. In winter nobody came to see the old captain by his window."
	list := strings.Repeat("Blue lantern, used\nHarbour map 1:5000\nDr. Smith Inc.\nRopes and nets\n", 12)
	for text, want := range map[string]string{
		story: "",
		"„" + strings.Repeat(story+" ", 4) + "”\n" + list: "",
		"The ferry leaves at nine.":                       "fragments.words 5 < 20",
		"":                                                "fragments.words 0 < 20",
		list:                                              "fragments.sentences 0 < 1",
		"It came at nine to us.\n" + list:                 "fragments.within 0.0",
		strings.Repeat("เรือออกจากเกาะตอนเก้าโมงเช้าและกลับมาพร้อมจดหมาย ", 5): "",
		strings.Repeat("word ", 200_001): "fragments.words 200001 > 200000",
		strings.Repeat("ጉዳዩ የተነሳው የጉባዔውን ስም ወደ ዌልሽ ፓርላማ ለመቀየር ነው፡፡ ", 3):      "",
		strings.Repeat("ਬਿਜਨਸ ਸੈਕਟਰੀ ਨੇ ਕਿਹਾ ਕਿ ਯੂਕੇ ਹਮੇਸ਼ਾ ਲਈ ਪਛਤਾਏਗਾ| ", 3): "",
		strings.Repeat("The mail came at nine to us.\u200f ", 4):              "",
		strings.Repeat("Home | About us | Contact | Prices and terms |\n", 9): "fragments.sentences 0 < 1",
		strings.Repeat("Նա կատակում էր մամուլի նորություններից: ", 5):         "",
		"船は九時に出て、郵便と一緒に戻ってきます。冬には誰も老船長を訪ねませんでした。":                             "",
	} {
		lang := "en"
		if strings.Contains(text, "เรือ") {
			lang = "th"
		}
		if strings.Contains(text, "Նա") {
			lang = "hy"
		}
		if strings.Contains(text, "ਯੂਕੇ") {
			lang = "pa"
		}
		if strings.Contains(text, "船") {
			lang = "ja"
		}
		if got := judgeBy(t, "fragments", Text{Lang: lang, Whole: text}); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%.60q: %q, want %q", text, got, want)
		}
	}
}

// TestMixed: lines in other languages than the document, detected or given.
func TestMixed(t *testing.T) {
	const (
		en = "The ferry to the island leaves at nine in the morning and comes back with the mail.\n"
		de = "Die Fähre zur Insel fährt morgens um neun Uhr ab und kommt mit der Post zurück.\n"
		fr = "Le bateau pour l'île part à neuf heures du matin et revient le soir avec le courrier.\n"
	)
	for text, want := range map[string]string{
		"":                        "",
		en + en:                   "",
		en + en + en + de:         "",
		en + en + de:              "languages.other 0.3",
		en + de + de + fr + "Oui": "languages.other 0.7",
		de + de:                   "languages.other 1 > 0.3 (de 158 characters)",
	} {
		if got := judgeBy(t, "languages", Text{Lang: "en", Whole: text}); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := judgeBy(t, "languages", Text{Lang: "en", Whole: en + "a\nb\n", Langs: []string{"de", "", "de"}}); got != "languages.other 1 > 0.3 (de 84 characters)" {
		t.Errorf("languages that are known: %q", got)
	}
	must.Equal(t, judgeBy(t, "languages", Text{Lang: "deu", Whole: de}), "", "German by its other code")
	if got := judgeBy(t, "languages", Text{Lang: "tlh", Whole: en + en + de}); got != "" {
		t.Errorf("a language that is not known: %q", got)
	}
	must.Equal(t, judgeBy(t, "languages", Text{Lang: "nb", Whole: en, Langs: []string{"da"}}), "", "Danish for Norwegian")
}
