package lines

import (
	"slices"
	"testing"
)

// TestUnmeasured: what cannot be measured depends on language and script.
func TestUnmeasured(t *testing.T) {
	for _, c := range []struct {
		lang               string
		lines              []string
		words, cases, gaps bool
	}{
		{"en", []string{"The ferry left the harbour at noon.", "Home | News"}, false, false, false},
		{"en", []string{"the ferry left the harbour at noon", "home"}, false, true, false},
		{"tlh", []string{"Heghlu'meH QaQ jajvam, jIH DujwIj je."}, true, false, false},
		{"zh-Hans", []string{"上个星期三，位于山谷尽头的小学举行了一个简单的仪式。", "首页", "Home"}, true, true, true},
		{"th", []string{"สะพานแห่งนี้สร้างขึ้นเมื่อหกสิบปีก่อน"}, true, true, true},
	} {
		s := new(sheet)
		read(s, c.lang, c.lines)
		got := s.unmeasured(nil)
		for name, want := range map[string]bool{"function": c.words, "function-share": c.words, "capitals": c.cases, "start-upper": c.cases, "longest": c.gaps, "unspaced": c.gaps, "chars": false, "commas": false} {
			if has := slices.Contains(got, column(slices.Index(columnNames[:], name))); has != want {
				t.Errorf("%s %q: column %s left out: %v, want %v", c.lang, c.lines[0], name, has, want)
			}
		}
	}
}
