package tokenizer

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// bestCut is the unigram model written down plainly: all pieces of each
// prefix, by look-up.
func bestCut(vocab []piece, unknown int, text string) (ids []int64) {
	ids = []int64{}
	lowest := vocab[0].score
	for _, p := range vocab {
		lowest = min(lowest, p.score)
	}
	type best struct {
		score float64
		from  int
		id    int
	}
	nodes := make([]*best, len(text)+1)
	nodes[0] = &best{}
	offer := func(from, to, id int, score float64) {
		if s := nodes[from].score + score; nodes[to] == nil || s > nodes[to].score {
			nodes[to] = &best{s, from, id}
		}
	}
	for from := range text {
		_, width := utf8.DecodeRuneInString(text[from:])
		single := false
		for length := 1; length <= len(text)-from; length++ {
			for id := len(vocab) - 1; id >= 0; id-- {
				if vocab[id].text == text[from:from+length] {
					offer(from, from+length, id, vocab[id].score)
					single = single || length == width
					break
				}
			}
		}
		if !single {
			offer(from, from+width, unknown, lowest-unknownPenalty)
		}
	}
	for at := len(text); at > 0; at = nodes[at].from {
		if n := len(ids); n > 0 && int(ids[n-1]) == unknown && nodes[at].id == unknown {
			continue
		}
		ids = append(ids, int64(nodes[at].id))
	}
	slices.Reverse(ids)
	return ids
}

// TestUnigram compares the search with the plain one, on pieces and texts of
// few letters, so that many pieces overlap.
func TestUnigram(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	letters := []rune("abcé河x")
	word := func(most int) string {
		var s []rune
		for range 1 + rng.IntN(most) {
			s = append(s, letters[rng.IntN(len(letters))])
		}
		return string(s)
	}
	for range 300 {
		vocab := []piece{{"<unk>", 0}}
		for range 1 + rng.IntN(30) {
			vocab = append(vocab, piece{strings.ReplaceAll(word(4), "x", ""), -10 * rng.Float64()})
		}
		u := newUnigram(vocab, 0, false)
		var l lattice
		for range 10 {
			text := word(12)
			got, want := u.encode([]int64{}, []byte(text), &l), bestCut(vocab, 0, text)
			if !slices.Equal(got, want) {
				t.Fatalf("%v: %s: got %v, want %v", vocab, text, got, want)
			}
		}
	}
}

// TestTrie: what is in is found, with its id, and nothing else.
func TestTrie(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	set := map[string]int32{}
	for len(set) < 20000 {
		b := make([]byte, 1+rng.IntN(6))
		for i := range b {
			b[i] = byte(rng.IntN(16) * rng.IntN(17)) // few values often, so that paths are shared
		}
		set[string(b)] = int32(len(set))
	}
	var texts []string
	for s := range set {
		texts = append(texts, s)
	}
	slices.Sort(texts)
	ids := make([]int32, len(texts))
	for i, s := range texts {
		ids[i] = set[s]
	}
	tr := buildTrie(texts, ids)
	for s, id := range set {
		if got := tr.find([]byte(s)); got != id {
			t.Fatalf("%q: %d, want %d", s, got, id)
		}
		longer := s + "\x7f"
		want, ok := set[longer]
		if !ok {
			want = -1
		}
		if got := tr.find([]byte(longer)); got != want {
			t.Fatalf("%q: %d, want %d", longer, got, want)
		}
	}
	if n := len(tr.nodes); n > 400000 {
		t.Errorf("%d nodes for %d pieces", n, len(texts))
	}
}

// TestErrors: messages say what was found and what is wanted.
func TestErrors(t *testing.T) {
	const model = `"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["<pad>",0]]}`
	for _, c := range []struct{ json, want string }{
		{`{`, "tokenizer x.json: byte 1: "},
		{`{"version":"2.0"}`, `version "2.0", wanted 1.0`},
		{`{"version":"1.0"}`, `no "model"`},
		{`{"version":"1.0","model":{"type":"BPE"}}`, `model: type "BPE", wanted Unigram`},
		{`{"version":"1.0","model":{"type":"WordPiece"}}`, `type "WordPiece", wanted Unigram`},
		{`{"version":"1.0","model":{"type":"Unigram","unk_id":0,"vocab":{"a":1}}}`, "wanted a list of pairs"},
		{`{"version":"1.0","model":{"type":"Unigram","unk_id":0,"vocab":[]}}`, "0 pieces"},
		{`{"version":"1.0","model":{"type":"Unigram","unk_id":0,"vocab":[["a"]]}}`, `["a"]: wanted [piece, score]`},
		{`{"version":"1.0","model":{"type":"Unigram","unk_id":0,"vocab":[["a","b"]]}}`, `wanted [piece, score]`},
		{`{"version":"1.0","model":{"type":"Unigram","vocab":[["a",1]]}}`, "no unk_id"},
		{`{"version":"1.0","model":{"type":"Unigram","unk_id":1,"vocab":[["a",1]]}}`, "unk_id 1, wanted one below"},
		{`{"version":"1.0","model":{"type":"Unigram","unk_id":0,"vocab":[["a",1]]}}`, "no token for padding"},
		{`{"version":"1.0","padding":{"pad_id":2},` + model + `}`, "padding: id 2, wanted one below 2"},
		{`{"version":"1.0","truncation":{"direction":"Up","max_length":2},` + model + `}`, `direction "Up"`},
		{`{"version":"1.0","added_tokens":[{"id":9,"content":"x"}],` + model + `}`, `added_tokens[0]: id 9 for "x"`},
		{`{"version":"1.0","added_tokens":[{"id":-1,"content":"x"}],` + model + `}`, `added_tokens[0]: id -1`},
		{`{"version":"1.0","normalizer":{"type":"BertNormalizer"},` + model + `}`, `normalizer: type "BertNormalizer", wanted Precompiled`},
		{`{"version":"1.0","normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Moon"}]},` + model + `}`, `normalizer: step 2: type "Moon"`},
		{`{"version":"1.0","normalizer":{"type":"Precompiled","precompiled_charsmap":"!"},` + model + `}`, "precompiled_charsmap: illegal base64"},
		{`{"version":"1.0","normalizer":{"type":"Precompiled","precompiled_charsmap":"AAAA"},` + model + `}`, "precompiled_charsmap: 3 bytes"},
		{`{"version":"1.0","normalizer":{"type":"Precompiled","precompiled_charsmap":"/////wAAAAA="},` + model + `}`, "a trie of 4294967295 bytes"},
		{`{"version":"1.0","normalizer":{"type":"Replace","content":"x"},` + model + `}`, "replace: no pattern"},
		{`{"version":"1.0","normalizer":{"type":"Replace","pattern":{"Regex":"(?=x)"},"content":"x"},` + model + `}`, "replace: error parsing regexp"},
		{`{"version":"1.0","pre_tokenizer":{"type":"ByteLevel"},` + model + `}`, `pre_tokenizer: type "ByteLevel", wanted WhitespaceSplit`},
		{`{"version":"1.0","pre_tokenizer":{"type":"Metaspace","replacement":"ab"},` + model + `}`, `replacement "ab", wanted one character`},
		{`{"version":"1.0","pre_tokenizer":{"type":"Metaspace","replacement":"_","prepend_scheme":"often"},` + model + `}`, `prepend_scheme "often"`},
		{`{"version":"1.0","post_processor":{"type":"ByteLevel"},` + model + `}`, `post_processor: type "ByteLevel"`},
		{`{"version":"1.0","post_processor":{"type":"TemplateProcessing","single":[]},` + model + `}`, "no $A"},
		{`{"version":"1.0","post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>"}}]},` + model + `}`, `no ids for "<s>"`},
		{`{"version":"1.0","post_processor":{"type":"TemplateProcessing","single":[{"Sequence":{"id":"B"}}]},` + model + `}`, "wanted special tokens and the text $A once"},
		{`{"version":"1.0","post_processor":{"type":"BertProcessing","cls":["a",7],"sep":["b",0]},` + model + `}`, "special token with id 7"},
		{`{"version":"1.0","post_processor":{"type":"BertProcessing","sep":["b",0]},` + model + `}`, "cls: 0 values"},
		{`{"version":"1.0","normalizer":` + strings.Repeat(`{"type":"Sequence","normalizers":[`, 12) + strings.Repeat("]}", 12) + `,` + model + `}`, "nested deeper than 8"},
	} {
		if _, err := Parse("x.json", []byte(c.json)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.120s: %v, want %q", c.json, err, c.want)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.json")); err == nil || !strings.Contains(err.Error(), "open tokenizer: ") {
		t.Error(err)
	}
}

// TestScore: numbers are read as serde_json reads them, near the nearest.
func TestScore(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
		ok   bool
	}{
		{"0", 0, true}, {"-0.0", 0, true}, {"-13.25", -13.25, true}, {"1e3", 1000, true}, {"-1.5E-2", -.015, true}, {"123456789012345678901234567890", 1.2345678901234567e29, true},
		{"1e400", 0, false}, {"-1e-320", -1e-320, true}, {"1e99999", 0, false}, {"null", 0, false}, {`"1"`, 0, false}, {"true", 0, false}, {"[]", 0, false}, {"", 0, false},
	} {
		got, ok := parseScore([]byte(c.text))
		if ok != c.ok || ok && math.Abs(got-c.want) > 1e-15*math.Abs(c.want)+5e-324 {
			t.Errorf("%s: %v %v, want %v %v", c.text, got, ok, c.want, c.ok)
		}
	}
	// 39501283168792725 becomes ...724 as a float, and the quotient is the
	// number below the nearest.
	if got, _ := parseScore([]byte("-3.9501283168792725")); got != -float64(39501283168792725)/1e16 {
		t.Errorf("%v", got)
	}
}

// TestMaxLength: special tokens count, a limit below their number leaves no
// piece, and the pieces that stay are those of the whole.
func TestMaxLength(t *testing.T) {
	tok := load(t, "xlmr")
	text := []byte("The mill by the river <mask> has been still since the flood")
	whole := tok.Encode(nil, text)
	for n := 1; n <= len(whole)+2; n++ {
		tok.SetMaxLength(n)
		got := tok.Encode([]int64{7}, text)
		want := append([]int64{7, 0}, whole[1:max(1, min(n, len(whole))-1)]...)
		if want = append(want, 2); !slices.Equal(got, want) {
			t.Errorf("%d: got %v, want %v", n, got, want)
		}
	}
}

// TestInvalid: bytes that are no UTF-8 are one U+FFFD a run.
func TestInvalid(t *testing.T) {
	tok := load(t, "xlmr")
	got, want := tok.Encode(nil, []byte("mill\xff\xfe\x80 river\xc3")), tok.Encode(nil, []byte("mill\uFFFD river\uFFFD"))
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestGrowth: a file whose replacements grow without end costs no more than
// the budget.
func TestGrowth(t *testing.T) {
	step := `{"type":"Replace","pattern":{"String":"a"},"content":"aaaa"}`
	tok, err := Parse("grow", fmt.Appendf(nil, `{"version":"1.0","normalizer":{"type":"Sequence","normalizers":[%s]},"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["<pad>",0],["a",1]]}}`,
		strings.Repeat(step+",", 40)+step))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(tok.Encode(nil, []byte("a"))); n != maxGrowth+minRoom {
		t.Errorf("%d pieces", n)
	}
}

// TestNoAllocations: once warm, a line costs no memory; a normalization form
// of golang.org/x/text up to two pieces of it.
func TestNoAllocations(t *testing.T) {
	for name, most := range map[string]float64{"xlmr": 0, "metaspace": 0, "bytes": 2, "lower": 4} {
		tok := load(t, name)
		lines := testLines(t)
		var ids []int64
		var s scratch // not of the pool, which the race detector empties
		encode := func() {
			for _, l := range lines {
				ids = tok.pieces(ids[:0], l, &s, 0, -1)
			}
		}
		encode()
		if n := testing.AllocsPerRun(10, encode); n > most*float64(len(lines)) {
			t.Errorf("%s: %v allocations for %d lines", name, n, len(lines))
		}
	}
}

func testLines(t testing.TB) [][]byte {
	t.Helper()
	b, err := os.ReadFile("../testdata/lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(b), []byte("\n"))
}

func BenchmarkEncode(b *testing.B) {
	tok, lines := load(b, "xlmr"), testLines(b)
	var ids []int64
	size := 0
	for _, l := range lines {
		size += len(l) + 1
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range lines {
			ids = tok.Encode(ids[:0], l)
		}
	}
}

func FuzzTokenizer(f *testing.F) {
	for _, name := range []string{"xlmr", "metaspace", "bytes", "lower"} {
		b, err := os.ReadFile("../testdata/" + name + ".tokenizer.json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"version":"1.0","normalizer":{"type":"Replace","pattern":{"Regex":"a+?|"},"content":"b"},"pre_tokenizer":{"type":"Metaspace","replacement":"_","split":false},` +
		`"post_processor":{"type":"Sequence","processors":[{"type":"BertProcessing","cls":["a",0],"sep":["b",1]}]},"model":{"type":"Unigram","unk_id":0,"vocab":[["<pad>",0],["",-1e308],["a",1e308]]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		tok, err := Parse("fuzz", b)
		if err != nil {
			return
		}
		for _, e := range []string{"", "The mill <mask> ﬁne　① é", "河边的磨坊 \r\n x", "a\xff"} {
			check(t, tok, []byte(e))
		}
	})
}

func FuzzEncode(f *testing.F) {
	toks := []*Tokenizer{load(f, "xlmr"), load(f, "metaspace"), load(f, "bytes"), load(f, "lower")}
	for i, e := range examples(f) {
		if i%7 == 0 {
			f.Add([]byte(e.Text))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, tok := range toks {
			check(t, tok, b)
		}
	})
}

// check encodes a text twice and looks at what must hold of any ids.
func check(t *testing.T, tok *Tokenizer, text []byte) {
	t.Helper()
	ids := tok.Encode(nil, text)
	for _, id := range ids {
		if id < 0 || id >= int64(tok.Size()) {
			t.Fatalf("%q: id %d of %d", text, id, tok.Size())
		}
	}
	if n := len(tok.before) + len(tok.behind); len(ids) < n || tok.MaxLength() > 0 && len(ids) > max(n, tok.MaxLength()) {
		t.Fatalf("%q: %d ids", text, len(ids))
	}
	if again := tok.Encode(nil, text); !slices.Equal(again, ids) {
		t.Fatalf("%q: %v, then %v", text, ids, again)
	}
	if valid := tok.Encode(nil, bytes.ToValidUTF8(text, []byte("\uFFFD"))); !slices.Equal(valid, ids) {
		t.Fatalf("%q: %v, made valid %v", text, ids, valid)
	}
}
