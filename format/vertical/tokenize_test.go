package vertical_test

import (
	"strings"
	"testing"

	"chaffinch/format/vertical"
)

// TestTokenize turns a prevertical as jusText and SpiderLing write it into a
// vertical.
func TestTokenize(t *testing.T) {
	const in = `<doc id="1" lang="de" title="A &amp; B">
<p class="good" heading="0">
Der Brunnen ist tief. Wer hat ihn gegraben?
  Eine Zeile mit  Luft.
</p>
<p class="good" lang="en">
1 &lt; 2 &amp; so on
</p>
<p>
<s class="good">
One sentence. Not two.
</s>
</p>
</doc>
`
	const want = `<doc id="1" lang="de" title="A & B">
<p class="good" heading="0">
<s>
Der
Brunnen
ist
tief
<g/>
.
</s>
<s>
Wer
hat
ihn
gegraben
<g/>
?
</s>
<sp s="&#10;&#32;&#32;"/>
<s>
Eine
Zeile
mit
<sp s="&#32;&#32;"/>
Luft
<g/>
.
</s>
</p>
<p class="good" lang="en">
<s>
1
<
2
&
so
on
</s>
</p>
<p>
<s class="good">
One
sentence
<g/>
.
Not
two
<g/>
.
</s>
</p>
</doc>
`
	var out strings.Builder
	rep, tokens, err := vertical.Tokenize(&out, strings.NewReader(in), vertical.ReaderConfig{Strict: true}, "", nil)
	if err != nil || out.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out.String(), want)
	}
	if rep.Lines != 14 || tokens != 27 {
		t.Errorf("%d lines, %d tokens", rep.Lines, tokens)
	}
	got := texts(t, out.String(), vertical.ReaderConfig{Strict: true})
	if len(got) != 3 || got[0] != "Der Brunnen ist tief. Wer hat ihn gegraben?\n  Eine Zeile mit  Luft." || got[1] != "1 < 2 & so on" || got[2] != "One sentence. Not two." {
		t.Errorf("text %q", got)
	}
	if _, _, err := vertical.Tokenize(&out, strings.NewReader("<doc>\n<p>\nopen\n"), vertical.ReaderConfig{Strict: true}, "en", nil); err == nil || !strings.Contains(err.Error(), "<p> is not closed before the end of the file") {
		t.Errorf("open structures: %v", err)
	}
}
