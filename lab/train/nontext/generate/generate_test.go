package generate

import (
	"strings"
	"testing"
	"unicode/utf8"

	"chaffinch/internal/testkit/must"
)

const text = `The ferry to the island leaves at nine in the morning, and it comes back with the mail before dark. Nobody knows why the captain never speaks.
In winter, when the harbour is quiet, Anna Berg sits by the window of the old school and writes letters to her brother in Oslo.
What can be seen of the town is a thin blue line, some smoke, and the tower of a church. The boats that lie there belong to Peter, who mends them himself.
"It will rain," said Peter, although the sky was clear; and then he went down to the quay, where two men from Bergen were waiting for him with a broken engine.
They had come over the mountains by bus. Their engine was older than both of them together, but they would not hear of a new one.`

const chinese = `渡船每天早上九点开往小岛，天黑以前带着邮件回来。没有人知道船长为什么从来不说话。冬天港口很安静，安娜坐在旧学校的窗边，给她在奥斯陆的哥哥写信。
从镇上能看到的只有一条细细的蓝线、一些烟，还有教堂的塔楼。停在那里的船是彼得的，他自己修理它们。他说要下雨了，虽然天空很晴朗；然后他走到码头，两个从卑尔根来的人带着一台坏了的发动机在那里等他。
他们坐公共汽车翻过山来。那台发动机比他们两个人的年纪加起来还要大，可是他们不愿意听人说起新的。我们在甲板上坐了很久，看着海鸥跟着船飞，谁也没有说话，因为风太大了。`

// TestKinds: every kind makes documents of about the length, again the same from the
// same seed, in languages with and without spaces.
func TestKinds(t *testing.T) {
	for lang, good := range map[string]string{"en": text, "zh": chinese} {
		m := newMaker(lang, []string{good, good, good, good, good})
		if m.empty() {
			t.Fatalf("%s: too little text", lang)
		}
		for _, k := range Kinds {
			for seed := range uint64(8) {
				made := m.document(k, good, seed)
				if made == good || len(made) < len(good)/4 || len(made) > 6*len(good) || !utf8.ValidString(made) {
					t.Errorf("%s %s %d: %d bytes of %d: %.200s", lang, k.Name, seed, len(made), len(good), made)
				}
				if made != m.document(k, good, seed) {
					t.Errorf("%s %s: the same seed makes another text", lang, k.Name)
				}
				if strings.Contains(made, "\x00") {
					t.Errorf("%s %s: an empty slot", lang, k.Name)
				}
			}
			if m.document(k, good, 1) == m.document(k, good, 2) {
				t.Errorf("%s %s: another seed makes the same text", lang, k.Name)
			}
		}
	}
}

// TestMix: kinds come in turn; where there is too little text nothing is made.
func TestMix(t *testing.T) {
	texts := []Text{{"en", text}, {"xx", "too little"}, {"en", text + "\n" + text}, {"en", text}}
	kinds := must.Get(KindsNamed([]string{"lists", "markov"}))(t)
	made := Mix(texts, kinds, 7)
	if len(made) != 3 || made[0].Kind != "lists" || made[1].Kind != "markov" || made[1].Of != 2 || made[2].Kind != "lists" {
		t.Errorf("made %+v", made)
	}
	must.Fail(t, must.Err(KindsNamed([]string{"stufing"})), "did you mean stuffing?")
}
