package vertical

import (
	"strings"
	"testing"

	"chaffinch/format/conllu"
	"chaffinch/internal/testkit/must"
)

// TestFromConllu converts documents, paragraphs, sentences and multiword tokens.
func TestFromConllu(t *testing.T) {
	const in = `# newdoc id = a
# meta::genre = news
# newpar
# sent_id = a-1
# text = Don't go du.
1-2	Don't	_	_	_	_	_	_	_	_
1	Do	do	AUX	VB	Mood=Imp	3	aux	_	_
2	n't	not	PART	RB	_	3	advmod	_	_
3	go	go	VERB	VB	_	0	root	_	_
4-5	du	_	_	_	_	_	_	_	SpaceAfter=No
4	de	de	ADP	_	_	3	case	_	_
5	le	le	DET	_	Gender=Masc	3	det	_	_
6	.	.	PUNCT	_	_	3	punct	_	_

# newpar
1	_	_	PUNCT	_	_	_	_	_	_

# newdoc id = b
1	x	_	_	_	_	_	_	_	_

`
	const want = `<doc id="a" genre="news">
<p>
<s id="a-1">
Do	do	AUX	VB	Mood=Imp	do-v
<g/>
n't	not	PART	RB		not-x
go	go	VERB	VB		go-v
du	de+le	ADP+DET	+	+Gender=Masc	de-i+le-x
<g/>
.	.	PUNCT			.-x
</s>
</p>
<p>
<s>
_	_	PUNCT			_-x
</s>
</p>
</doc>
<doc id="b">
<p>
<s>
x					
</s>
</p>
</doc>
`
	var out strings.Builder
	n := must.Get(FromConllu(&out, conllu.NewReader("x.conllu", strings.NewReader(in))))(t)
	if got := out.String(); got != want || n != 7 {
		t.Errorf("%d tokens:\n%s\nwanted\n%s", n, got, want)
	}
	if _, err := FromConllu(&out, conllu.NewReader("x.conllu", strings.NewReader("1\ta\n"))); err == nil || !strings.Contains(err.Error(), "x.conllu:1") {
		t.Error(err)
	}
}

// TestToConlluNumbers: documents without an id have different ones, and so have their sentences.
func TestToConlluNumbers(t *testing.T) {
	const in = "<doc>\n<s>\na\n</s>\n</doc>\n<doc>\n<s>\nb\n</s>\n</doc>\n"
	const want = `# newdoc id = doc1
# sent_id = doc1-1
# text = a
1	a	_	_	_	_	_	_	_	_

# newdoc id = doc2
# sent_id = doc2-1
# text = b
1	b	_	_	_	_	_	_	_	_

`
	var out strings.Builder
	must.Get(ToConllu(&out, NewReader(strings.NewReader(in), ReaderConfig{Columns: 1}), []string{"word"}))(t)
	if got := out.String(); got != want {
		t.Errorf("%s\nwanted\n%s", got, want)
	}
}

// TestToConlluUnderscore: the space after the word "_" is missing in the line of that word.
func TestToConlluUnderscore(t *testing.T) {
	const in = "<doc id=\"a\">\n<s>\na\tX\n_\tX\n<g/>\n.\tX\ndu\tADP+DET\n<g/>\n_\tX\n</s>\n</doc>\n"
	const want = `# newdoc id = a
# sent_id = a-1
# text = a _. du_
1	a	_	X	_	_	_	_	_	_
2	_	_	X	_	_	_	_	_	SpaceAfter=No
3	.	_	X	_	_	_	_	_	_
4	du	_	ADP+DET	_	_	_	_	_	SpaceAfter=No
5	_	_	X	_	_	_	_	_	_

`
	var out strings.Builder
	n := must.Get(ToConllu(&out, NewReader(strings.NewReader(in), ReaderConfig{Columns: 2}), []string{"word", "pos"}))(t)
	if got := out.String(); got != want || n != 5 {
		t.Errorf("%d tokens:\n%s\nwanted\n%s", n, got, want)
	}
}
