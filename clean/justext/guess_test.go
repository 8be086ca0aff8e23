package justext

import (
	"math"
	"slices"
	"testing"
	"unicode"

	"chaffinch/page"
)

func TestLanguage(t *testing.T) {
	const en = "It was not the council that closed the line, it was the winter, and there was nothing that could be done about it."
	const de = "Das Holz dafür kommt aus dem Gemeindewald und kostet nichts außer der Arbeit, es zu schlagen und zu sägen."
	for _, c := range []struct{ want, declared, text string }{
		{"en", "", en},
		{"en-GB", "en-GB", en},
		{"en", "de", en},
		{"de", "", de},
		{"de", "en", de},
		{"ru", "", "Когда мы купили этот дом, вокруг него не было ни одного дерева, и соседи говорили, что здесь ничего не растёт."},
		{"el", "x-klingon", "Η γιαγιά μου έφτιαχνε αυτή τη σούπα κάθε φορά που κάποιος στο σπίτι ήταν κρυωμένος, και δεν είχε γράψει τη συνταγή."},
		{"fr", "", "Le bateau est parti ce matin avec tous les enfants du village, et personne ne sait quand il va revenir dans le port."},
		{"es", "", "El barco ha salido esta mañana con todos los niños del pueblo, y nadie sabe cuándo va a volver al puerto."},
		{"ja", "en", "港の市場は朝の五時に始まります。Market を歩く。"},
		{"zh", "", "港口的市场早上五点开始，船一艘接一艘地回来。"},
		{"zh-Hant", "zh-Hant", "港口的市場早上五點開始。"},
		{"th", "", "ตลาดที่ท่าเรือเริ่มตอนตีห้า"},
		{"", "", "one two"},
		{"de", "de", "one two"},
		{"", "", "xq zzkp wvtr bnmq qqrt plkj mnbv zxcv lkjh"},
		{"", "", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"},
		{"", "", ""},
	} {
		p := &page.Page{Blocks: []page.Block{{Text: "Home"}, {Text: c.text}, {Text: "the and of that is not hidden words of it all the same", Hidden: true}}}
		if got := Language(p, c.declared); got != c.want {
			t.Errorf("%q declared %q: language %q, want %q", c.text, c.declared, got, c.want)
		}
	}
}

// TestGuesserWords wants each word of the embedded lists to count for the
// languages that have it and for no other.
func TestGuesserWords(t *testing.T) {
	g := guessTable()
	langs := map[string][]int{}
	for i, lang := range g.langs {
		for _, w := range Embedded(lang).Words() {
			langs[w] = append(langs[w], i)
		}
	}
	if len(langs) < 10000 {
		t.Fatalf("%d words in all lists", len(langs))
	}
	for w, at := range langs {
		got, want := make([]int, len(g.langs)), make([]int, len(g.langs))
		for _, i := range at {
			want[i]++
		}
		if g.count([]byte(w), got); !slices.Equal(got, want) {
			t.Errorf("%q counts for %d, want %d", w, got, want)
		}
	}
	for i, lang := range g.langs {
		l := Embedded(lang)
		if want := math.Log(l.Cover / float64(l.Len())); g.hit[i] != want || g.cover[i] != l.Cover {
			t.Errorf("%s: log probability %v, want %v", lang, g.hit[i], want)
		}
	}
}

// TestUnspacedScript compares the short cuts for letters and scripts with the
// tables of package unicode.
func TestUnspacedScript(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if got, want := wideTable().isLetter(r), unicode.IsLetter(r); got != want {
			t.Fatalf("%U is a letter: %v, want %v", r, got, want)
		}
		want := slices.IndexFunc(unspacedScripts, func(s unspacedScript) bool { return unicode.In(r, s.table...) })
		if got := scriptOf(r); unicode.IsLetter(r) && got != want {
			t.Fatalf("%U has script %d, want %d", r, got, want)
		}
	}
}

func BenchmarkGuessTable(b *testing.B) {
	for b.Loop() {
		newGuesser(EmbeddedLists())
	}
}

func BenchmarkLanguage(b *testing.B) {
	text := ""
	for len(text) < 10000 {
		text += "It was not the council that closed the line, it was the winter, and there was nothing that could be done. "
	}
	p := &page.Page{Blocks: []page.Block{{Text: text}}}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Language(p, "")
	}
}
