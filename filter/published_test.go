package filter

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// fineWeb2Set returns the profile fineweb2 with the rules of a file.
func fineWeb2Set(t *testing.T, file string) *Set {
	t.Helper()
	cfg := Default
	must.Succeed(t, cfg.Add("fineweb2"))
	must.Succeed(t, cfg.AddFile([]byte(file)))
	return must.Get(New(cfg))(t)
}

// show formats the limits that FineWeb-2 published for a language, and the first and last stop word.
func show(s *Set, lang string) string {
	limits := s.Limits(lang)
	bound := func(b *float64) string {
		if b == nil {
			return "-"
		}
		return FormatScore(*b)
	}
	length := limits["gopher_quality.mean_word_length"]
	out := fmt.Sprint(bound(length.Min), " ", bound(length.Max))
	for _, name := range []string{"gopher_quality.alphabetic_words", "fineweb.punctuated_lines"} {
		out += " " + bound(limits[name].Min)
	}
	for _, name := range []string{"fineweb.line_breaks", "gopher_repetition.duplicate_lines"} {
		out += " " + bound(limits[name].Max)
	}
	for n := firstTop; n <= lastTop; n++ {
		out += " " + bound(limits[fmt.Sprintf("gopher_repetition.top_%d_gram_chars", n)].Max)
	}
	for n := firstDuplicate; n <= lastDuplicate; n++ {
		out += " " + bound(limits[fmt.Sprintf("gopher_repetition.duplicate_%d_gram_chars", n)].Max)
	}
	var words []string
	if stop := s.rulesOf(lang).stop; stop != nil {
		words = slices.Repeat([]string{""}, len(stop.index))
		for w, i := range stop.index {
			words[i] = w
		}
	}
	if len(words) == 0 {
		return out
	}
	return fmt.Sprintf("%s %d %s %s", out, len(words), words[0], words[len(words)-1])
}

// TestFineWeb2 compares the limits of languages with their files in FineWeb-2's folder configs.
func TestFineWeb2(t *testing.T) {
	const (
		german  = "- 15 0.774 0 0.152 0.263 0.169 0.153 0.137 0.141 0.134 0.126 0.117 0.108 0.098 15 der für"
		chinese = "1 5 0.735 0.106 0.178 0.287 0.256 0.201 0.171 0.198 0.182 0.167 0.154 0.14 0.127 22 的 由"
		english = "3 10 0.8 0.12 0.3 0.3 0.2 0.18 0.16 0.15 0.14 0.13 0.12 0.11 0.1 8 the with"
		unknown = "3 10 0.8 0.12 0.3 0.3 0.2 0.18 0.16 0.15 0.14 0.13 0.12 0.11 0.1"
	)
	s := fineWeb2Set(t, `{}`)
	for lang, want := range map[string]string{
		"de": german, "de-AT": german, "deu": german, "de_CH": german, "zh": chinese, "zh-Hant": chinese, "zh-TW": chinese, "cmn": chinese,
		"cs":  "3 11 0.781 0.06 0.182 0.311 0.206 0.183 0.165 0.168 0.157 0.145 0.133 0.121 0.109 8 v do",
		"ja":  "1 6 0.759 0.096 0.13 0.328 0.239 0.196 0.172 0.243 0.225 0.207 0.19 0.175 0.159 15 の さ",
		"fi":  "3 14 0.755 0.114 0.161 0.293 0.253 0.202 0.179 0.153 0.143 0.133 0.122 0.112 0.101 21 ja the",
		"aai": "3 9 0.8 - 0.071 0.387 0.172 0.17 0.177 0.384 0.376 0.364 0.348 0.329 0.311 23 i nati",
		"en":  english, "en-GB": english, "xx": unknown, "und": unknown, "": unknown, "de-Cyrl": unknown, "not a tag": unknown,
	} {
		must.Equal(t, show(s, lang), want, lang)
	}
	for tag, name := range map[string]string{
		"sr": "srp_Cyrl", "sr-Latn": "srp_Latn", "sr-ME": "srp_Latn", "nb": "nob_Latn", "no": "nob_Latn", "nn": "nno_Latn", "ar": "arb_Arab", "fa": "fas_Arab", "ko": "kor_Hang",
		"yue": "yue_Hani", "sq": "als_Latn", "et": "ekk_Latn", "lv": "lvs_Latn", "ms": "zsm_Latn", "sw": "swh_Latn", "ps": "pbt_Arab", "tw": "twi_Latn", "ak": "twi_Latn", "tl": "fil_Latn",
	} {
		if row := s.published(tag); row == nil || row[0] != name {
			t.Errorf("%q: row %v, want %s", tag, row, name)
		}
	}
	if got := s.Limits("de"); len(got) == 0 || got["fineweb.short_lines"] != (Limit{}) || *got["fineweb.duplicate_line_chars"].Max != 0.1 || *got["gopher_quality.stop_words"].Min != 2 {
		t.Errorf("limits of all languages: %v", got)
	}
	if l := s.Limits("ko"); s.rulesOf("ko").stop != nil || l["gopher_quality.mean_word_length"] != (Limit{}) || l["gopher_quality.alphabetic_words"] != (Limit{}) || *l["fineweb.line_breaks"].Max != 0.196 {
		t.Errorf("limits of Korean, whose words are other words: %v", l)
	}
}

const chineseNews = `本报讯 昨天下午，市交通局召开新闻发布会，介绍了今年冬季公共交通的安排。
局长王小明表示，从下月一日起，全市将新增十二条公交线路，主要连接城北新区和三个火车站。新线路每十分钟一班，首班车早上五点半出发，末班车晚上十一点结束。
记者在现场看到，很多市民对这个消息感到高兴。住在城北的李女士说，她每天上班要换两次车，路上要花一个多小时，有了直达的车以后，时间可以减少一半。
不过，也有人担心票价会上涨。对此，交通局回应说，普通票的价格不变，老人和学生仍然可以免费乘车。
专家认为，发展公共交通是解决城市拥堵的重要办法，但是还需要更多的自行车道和停车场，让人们愿意把汽车留在家里。`

// TestFineWeb2Chinese: Chinese news are kept, which the limits for English drop.
func TestFineWeb2Chinese(t *testing.T) {
	for _, c := range []struct{ file, lang, want string }{
		{`{}`, "zh", ""},
		{`{}`, "zh-Hans", ""},
		{`{"languages": {"zh": {"limits": {"gopher_quality.mean_word_length": {"min": 3}}}}}`, "zh-Hans", "gopher_quality.mean_word_length"},
		{`{"limits": {"gopher_quality.words": {"min": 1000}}}`, "zh", "gopher_quality.words"},
		{`{"limits": {"gopher_quality.alphabetic_words": {"min": 0.99}}, "languages": {"zh": {"limits": {"gopher_quality.alphabetic_words": {}}}}}`, "zh", ""},
		{`{"limits": {"gopher_quality.alphabetic_words": {"min": 0.99}}, "languages": {"de": {"limits": {"gopher_quality.alphabetic_words": {}}}}}`, "zh", "gopher_quality.alphabetic_words"},
		{`{"stop_words": {"zh": ["the", "of"]}}`, "zh", "gopher_quality.stop_words"},
		{`{"stop_words": {"*": ["the", "of"]}}`, "zh", ""},
	} {
		_, d, _ := fineWeb2Set(t, c.file).Scorer().Judge(Text{Lang: c.lang, Whole: chineseNews})
		if d.Rule != c.want {
			t.Errorf("%s %s: dropped by %q, want %q", c.lang, c.file, d, c.want)
		}
	}
	cfg := fineWeb2Set(t, `{}`).Config()
	cfg.LanguageLimits = ""
	s, err := New(cfg)
	must.Succeed(t, err)
	if _, d, _ := s.Scorer().Judge(Text{Lang: "zh", Whole: chineseNews}); d.Rule != "gopher_quality.mean_word_length" {
		t.Errorf("limits for English: dropped by %q", d)
	}
	cfg.LanguageLimits = "fineweb3"
	_, err = New(cfg)
	must.Fail(t, err, `language_limits "fineweb3": wanted fineweb2`)
}

// TestGaps: languages without limits or stop words are counted, unless the rules need none.
func TestGaps(t *testing.T) {
	docs := map[string]int64{"de": 5, "en": 4, "en_US": 1, "xx": 12, "cs-CZ": 1, "ko": 3, "und": 1}
	for _, c := range []struct{ rules, want string }{
		{`{"use": ["fineweb2"]}`, `no limits of FineWeb-2 for "xx" (12 documents), "und" (1 document): judged by the limits for English
no stop words for "xx" (12 documents), "ko" (3 documents), "und" (1 document): not judged by their number`},
		{`{"use": ["fineweb2"], "languages": {"xx": {}}, "stop_words": {"*": ["a"]}}`, `no limits of FineWeb-2 for "und" (1 document): judged by the limits for English`},
		{`{"use": ["gopher_quality"], "stop_words": {"de": ["der"]}}`, `no stop words for "xx" (12 documents), "ko" (3 documents), "cs-CZ" (1 document), "und" (1 document): not judged by their number`},
		{`{"use": ["gopher_quality"], "limits": {"gopher_quality.stop_words": {}}}`, ""},
		{`{"use": ["c4"]}`, ""},
	} {
		cfg := must.Get(ParseConfig([]byte(c.rules)))(t)
		s := must.Get(New(cfg))(t)
		must.Equal(t, strings.Join(s.Gaps(docs).Warnings(), "\n"), c.want, c.rules)
	}
	many := map[string]int64{}
	for i := range 13 {
		many[string(rune('a'+i))] = int64(20 - i)
	}
	if got := (Gaps{NoStopWords: many}).Warnings()[0]; !strings.Contains(got, `"j" (11 documents) and 3 more languages: `) {
		t.Error(got)
	}
}
