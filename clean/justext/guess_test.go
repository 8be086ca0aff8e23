package justext

import (
	"testing"

	"chaffinch/page"
)

func TestGuess(t *testing.T) {
	for _, c := range []struct{ want, text string }{
		{"en", "It was not the council that closed the line, it was the winter, and there was nothing that could be done about it."},
		{"de", "Das Holz dafür kommt aus dem Gemeindewald und kostet nichts außer der Arbeit, es zu schlagen und zu sägen."},
		{"ru", "Когда мы купили этот дом, вокруг него не было ни одного дерева, и соседи говорили, что здесь ничего не растёт."},
		{"el", "Η γιαγιά μου έφτιαχνε αυτή τη σούπα κάθε φορά που κάποιος στο σπίτι ήταν κρυωμένος, και δεν είχε γράψει τη συνταγή."},
		{"fr", "Le bateau est parti ce matin avec tous les enfants du village, et personne ne sait quand il va revenir dans le port."},
		{"es", "El barco ha salido esta mañana con todos los niños del pueblo, y nadie sabe cuándo va a volver al puerto."},
		{"ja", "港の市場は朝の五時に始まります。Market を歩く。"},
		{"zh", "港口的市场早上五点开始，船一艘接一艘地回来。"},
		{"th", "ตลาดที่ท่าเรือเริ่มตอนตีห้า"},
		{"", "one two"},
		{"", "xq zzkp wvtr bnmq qqrt plkj mnbv zxcv lkjh"},
		{"", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"},
		{"", ""},
	} {
		p := &page.Page{Blocks: []page.Block{{Text: c.text}, {Text: "the and of that is not hidden words of it all the same", Hidden: true}}}
		if got := Guess(p); got != c.want {
			t.Errorf("%q: guessed %q, want %q", c.text, got, c.want)
		}
	}
}

func BenchmarkGuess(b *testing.B) {
	text := ""
	for len(text) < 10000 {
		text += "It was not the council that closed the line, it was the winter, and there was nothing that could be done. "
	}
	p := &page.Page{Blocks: []page.Block{{Text: text}}}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Guess(p)
	}
}
