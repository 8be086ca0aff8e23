package corpus

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
)

// sample is a small corpus with columns word, lemma and tag.
const sample = `<doc id="1" lang="en" year="2020">
<p heading="1">
<s>
The	the	D
Cat	cat	N
</s>
</p>
<p heading="0">
<s>
The	the	D
cat	cat	N
saw	see	V
the	the	D
old	old	A
, 	,	P
black	black	A
dog	dog	N
<g/>
.	.	P
</s>
<s>
Dogs	dog	N
saw	see	V
"cats"	cat	N
<g/>
.	.	P
</s>
</p>
</doc>
<doc id="2" lang="de" year="2021">
<p heading="0">
<s>
Der	der	D
Hund	Hund	N
sah	sehen	V
den	der	D
Hund	Hund	N
<g/>
.	.	P
</s>
</p>
</doc>
`

func build(t testing.TB, vert string, columns ...string) *Corpus {
	t.Helper()
	cfg := DefaultBuild
	cfg.Columns = columns
	return buildWith(t, vert, cfg)
}

func buildWith(t testing.TB, vert string, cfg BuildConfig) *Corpus {
	t.Helper()
	dir := t.TempDir()
	must.Succeed(t, must.Err(Build(t.Context(), strings.NewReader(vert), dir, cfg)))
	c := must.Get(Open(dir))(t)
	t.Cleanup(func() { c.Close() })
	return c
}

// buildTemp builds an index whose folder is removed on return; the mapping remains.
func buildTemp(t *rapid.T, vert string, cfg BuildConfig) *Corpus {
	dir := must.Get(os.MkdirTemp("", "corpus-*"))(t)
	defer os.RemoveAll(dir)
	must.Succeed(t, must.Err(Build(t.Context(), strings.NewReader(vert), dir, cfg)))
	return must.Get(Open(dir))(t)
}

// words returns the default attribute of the tokens from start to end.
func (c *Corpus) words(start, end int64) string {
	var ws []string
	for p := start; p < end; p++ {
		ws = append(ws, c.attrs[0].Word(c.attrs[0].At(p)))
	}
	return strings.Join(ws, " ")
}

// found lists the matches of a query.
func found(t testing.TB, c *Corpus, cql string) []string {
	t.Helper()
	q := must.Get(c.Query(t.Context(), cql))(t)
	var out []string
	for m, err := range q.Matches(t.Context()) {
		must.Succeed(t, err)
		s := c.words(m.Start, m.End)
		for i, l := range m.Labels {
			s += fmt.Sprintf(" %s@%d", q.Labels()[i], l)
		}
		out = append(out, s)
	}
	n, err := q.Count(t.Context())
	if err != nil || n != int64(len(out)) {
		t.Errorf("Count = %d, %v, but %d matches", n, err, len(out))
	}
	return out
}

func TestQueries(t *testing.T) {
	c := build(t, sample, "word", "lemma", "tag")
	for _, x := range []struct {
		cql  string
		want string // matches separated by |
	}{
		{`"cat"`, "cat"},
		{`[lc="cat"]`, "Cat|cat"},
		{`"(?i)cat"`, "Cat|cat"},
		{`[lemma="cat"]`, `Cat|cat|"cats"`},
		{`[lemma=="."]`, ".|.|."},
		{`[word="\"cats\""]`, `"cats"`},
		{`'"cats"'`, `"cats"`},
		{`[word="D.*" & tag="N"]`, "Dogs"},
		{`[word="D.*" | tag="V"]`, "saw|Dogs|saw|Der|sah"},
		{`[tag="N" & !(lemma="cat" | lemma="dog")]`, "Hund|Hund"},
		{`[tag="N" & lemma!="cat|dog"]`, "Hund|Hund"},
		{`[tag="D"] [tag="A"]* [tag="N"]`, "The Cat|The cat|Der Hund|den Hund"},
		{`[tag="D"] [tag="A|P"]{1,} [tag="N"]`, "the old , black dog"},
		{`[tag="D"] []{0,1} [tag="N"]`, "The Cat|The cat|Der Hund|den Hund"},
		{`"saw" []{1,2}`, `saw the|saw the old|saw "cats"|saw "cats" .`},
		{`"saw" []? `, `saw|saw the|saw|saw "cats"`},
		{`<s> [tag="N"]`, "Dogs"},
		{`[tag="N"] </s>`, "Cat"},
		{`[] </p>`, "Cat|.|."},
		{`<s/>`, `The Cat|The cat saw the old , black dog .|Dogs saw "cats" .|Der Hund sah den Hund .`},
		{`<s/> containing [lemma="see"] [tag="N"]`, `Dogs saw "cats" .`},
		{`<s/> !containing "saw"`, `The Cat|Der Hund sah den Hund .`},
		{`<p heading="1"/>`, "The Cat"},
		{`[tag="N"] within <doc lang="en"/>`, `Cat|cat|dog|Dogs|"cats"`},
		{`[tag="N"] within <doc lang="en" & year="2021"/>`, ""},
		{`[tag="N"] !within <doc lang="en"/>`, "Hund|Hund"},
		{`[tag="P"] [] within <s/>`, ", black"},
		{`[tag="P"] []`, ", black|. Dogs"},
		{`[tag="N"] [] !within <s/>`, "Cat The"},
		{`"the|The" within (<s/> containing "saw")`, "The|the"},
		{`"old" | "black" "dog"`, "old|black dog"},
		{`("old" | "black") []`, "old ,|black dog"},
		{`1:[tag="N"] []* 2:[tag="N"] & 1.lemma = 2.lemma`,
			`Cat The cat 1@1 2@3|Cat The cat saw the old , black dog . Dogs saw "cats" 1@1 2@13|` +
				`cat saw the old , black dog . Dogs saw "cats" 1@3 2@13|dog . Dogs 1@9 2@11|Hund sah den Hund 1@16 2@19`},
		{`a:"The" [] & a.word != a.lemma`, "The Cat a@0|The cat a@2"},
		{`(meet [tag="N"] "saw" -1 1)`, `cat|Dogs|"cats"`},
		{`(union "old" "black")`, "old|black"},
		{`[]{3} within <p heading="0"/> containing <s>`, "The cat saw|dog . Dogs|. Dogs saw|Dogs saw \"cats\"|Der Hund sah"},
		{`"nothing"`, ""},
		{`[word="[DH].*" & word!="D.*"]`, "Hund|Hund"},
		{`"Hund" []* "."`, "Hund sah den Hund .|Hund ."},
	} {
		if got := strings.Join(found(t, c, x.cql), "|"); got != x.want {
			t.Errorf("%s\n got %s\nwant %s", x.cql, got, x.want)
		}
	}
}

// TestEndOfDocument finds what ends with a structure at the end of a document,
// where only the end is looked for.
func TestEndOfDocument(t *testing.T) {
	c := build(t, "<doc>\na\nb\n</doc>\n<doc>\nc\n<s>\nd\ne\n</s>\n</doc>\n<doc>\nf\n</doc>\n", "word")
	for cql, want := range map[string]string{`[]+ </s>`: "c d e|d e|e", `[]{1,2} </s>`: "d e|e", `<s/> </s>`: "d e",
		`"b" (</doc> within </doc>)`: "b", `"e" (</s> within </doc>)`: "e", `"e" (</s> !within </doc>)`: "", `"f" (</doc> within </doc>)`: "f"} {
		if got := strings.Join(found(t, c, cql), "|"); got != want {
			t.Errorf("%s finds %q, want %q", cql, got, want)
		}
	}
}
