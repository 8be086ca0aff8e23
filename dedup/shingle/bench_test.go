package shingle

import (
	"strings"
	"testing"
)

// BenchmarkNGrams hashes text to the n-grams of a setting.
func BenchmarkNGrams(b *testing.B) {
	english := strings.Repeat("The committee's report, published in 1998, said that most of the villages along the river had lost half of their people. ", 200)
	texts := []struct{ name, text string }{
		{"english", english},
		{"french", strings.Repeat("L’été dernier, la forêt près du château était déjà fermée à cause de la sécheresse; les élèves n’y sont pas allés. ", 200)},
		{"russian", strings.Repeat("В прошлом году, когда река вышла из берегов, жители деревни переехали в город и начали новую жизнь. ", 200)},
		{"chinese", strings.Repeat("去年夏天，河水泛滥的时候，村民们搬到了城里，开始了新的生活。", 200)},
		{"thai", strings.Repeat("เมื่อปีที่แล้วน้ำท่วมหมู่บ้านและชาวบ้านได้ย้ายเข้าไปอยู่ในเมือง ", 200)},
		{"hindi", strings.Repeat("पिछले साल जब नदी में बाढ़ आई तो गाँव के लोग शहर में चले गए और नया जीवन शुरू किया। ", 200)},
	}
	run := func(name string, cfg Config, text string) {
		b.Run(name, func(b *testing.B) {
			s := New(cfg)
			var tokens, grams []uint64
			raw := []byte(text)
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				tokens = s.Tokens(tokens[:0], raw, false)
				grams = NGrams(grams[:0], tokens, cfg.N)
			}
		})
	}
	for _, t := range texts {
		run("default/"+t.name, Default, t.text)
	}
	run("fineweb/english", FineWeb, english)
	run("textdedup/english", TextDedup, english)
	run("datajuicer/english", DataJuicer, english)
	run("nemo/english", NeMo, english)
}
