package corpus

import (
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestKeywordsByRepeatedValue: a value that a structure has twice counts once.
func TestKeywordsByRepeatedValue(t *testing.T) {
	c := build(t, "<doc register=\"a|a\">\nx\ny\n</doc>\n<doc register=\"b\">\nz\nz\n</doc>\n", "word")
	list := must.Get(FindKeywordsBy(t.Context(), c, "doc.register", 0, KeywordConfig{}))(t)
	if len(list) != 2 || list[0].Value != "a" || list[0].Tokens != 2 || list[1].Value != "b" {
		t.Errorf("parts %+v", list)
	}
}
