package corpora

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"chaffinch/corpus"
	"chaffinch/internal/testkit/must"
	"chaffinch/serve/gate"
)

// vertical is a small corpus: n documents of sentences about finches and water.
func vertical(n int) string {
	var b strings.Builder
	for i := range n {
		lang := []string{"en", "de"}[i%2]
		fmt.Fprintf(&b, "<doc id=\"d%d\" lang=\"%s\" year=\"%d\" url=\"https://finch.example/%[1]d?a=1&amp;b=<i>\">\n", i, lang, 2000+i)
		for j := range 3 {
			fmt.Fprintf(&b, "<s>\nThe\nfinch\ndrinks\nwater\nnumber%d\n<g/>\n.\n</s>\n", (i+j)%4)
		}
		b.WriteString("<s>\nשלום\nעולם\n</s>\n</doc>\n")
	}
	return b.String()
}

func index(t *testing.T, dir, vert string) {
	t.Helper()
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(vert), dir, corpus.DefaultBuild)))
}

// server answers for two corpora; ask sends a question and decodes the answer.
type server struct {
	http.Handler
	dir string
	set *Set
}

func serve(t *testing.T) *server {
	t.Helper()
	s := &server{dir: t.TempDir()}
	finch, other := filepath.Join(s.dir, "finch"), filepath.Join(s.dir, "other")
	index(t, finch, vertical(10))
	index(t, other, "<doc id=\"o\">\n<s>\nA\nheron\ndrinks\nwater\n</s>\n</doc>\n")
	var err error
	if s.set, err = Open(map[string]string{"finch": finch, "other": other}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.set.Close() })
	mux := http.NewServeMux()
	cfg := huma.DefaultConfig("test", "0")
	cfg.CreateHooks, cfg.RejectUnknownQueryParameters = nil, true
	Register(humago.New(mux, cfg), s.set, gate.New(gate.Config{Workers: 2, Queue: 2}), nil)
	s.Handler = mux
	return s
}

// get asks by path and parameters, which are "name=value".
func (s *server) get(t *testing.T, path string, params ...string) *httptest.ResponseRecorder {
	t.Helper()
	q := url.Values{}
	for _, p := range params {
		name, value, _ := strings.Cut(p, "=")
		q.Add(name, value)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/v1/corpora"+path+"?"+q.Encode(), nil))
	return w
}

// ask decodes the answer into v.
func (s *server) ask(t *testing.T, v any, path string, params ...string) {
	t.Helper()
	w := s.get(t, path, params...)
	if w.Code != 200 {
		t.Fatalf("%s %v: status %d: %s", path, params, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), v); err != nil {
		t.Fatalf("%s: %v: %s", path, err, w.Body)
	}
}

// open opens an index to compare with.
func (s *server) open(t *testing.T, name string) *corpus.Corpus {
	t.Helper()
	c := must.Get(corpus.Open(filepath.Join(s.dir, name)))(t)
	t.Cleanup(func() { c.Close() })
	return c
}

// TestHits pages through a concordance, and compares it with the concordance of the library.
func TestHits(t *testing.T) {
	s := serve(t)
	q := must.Get(s.open(t, "finch").Query(t.Context(), `"finch" []{1,2} "water"`))(t)
	for _, more := range [][]string{nil, {"sort=right"}, {"samplenum=12", "sampleseed=7"}, {"view=sentence"}, {"filter=doc.lang=\"de\""}, {"waitfortotal=true"}} {
		var all []Hit
		params := append([]string{"patt=" + q.String(), "refs=doc.id,doc.year", "number=7"}, more...)
		for first := 0; ; first += 7 {
			var page Hits
			s.ask(t, &page, "/finch/hits", append(params, fmt.Sprintf("first=%d", first))...)
			want := int64(30)
			if slices.Contains(more, "filter=doc.lang=\"de\"") {
				want = 15
			}
			late := !page.Exact && page.Total < want && !slices.Contains(more, "waitfortotal=true") // counting took longer than countWait
			if page.First != first || !late && (page.Total != want || !page.Exact) {
				t.Errorf("%v: total %d, exact %v, first %d", more, page.Total, page.Exact, page.First)
			}
			all = append(all, page.Hits...)
			if len(page.Hits) < 7 {
				break
			}
		}
		if more == nil {
			cfg := corpus.DefaultConcordance
			cfg.Refs = []string{"doc.id", "doc.year"}
			k := must.Get(q.Concordance(t.Context(), cfg))(t)
			i := 0
			for line, err := range k.Lines(t.Context()) {
				if err != nil || i >= len(all) || !reflect.DeepEqual(all[i], hitOf(line, cfg.Refs)) {
					t.Fatalf("line %d: %v: %+v", i, err, line)
				}
				i++
			}
			if i != len(all) {
				t.Errorf("%d lines, the library has %d", len(all), i)
			}
		}
		if want := map[string]int{"samplenum=12": 12, "filter=doc.lang=\"de\"": 15}[slices.Concat(more, []string{""})[0]]; want > 0 && len(all) != want {
			t.Errorf("%v: %d lines, wanted %d", more, len(all), want)
		}
	}
	var rtl Hits
	s.ask(t, &rtl, "/finch/hits", `patt="עולם"`, "number=1")
	if len(rtl.Hits) != 1 || !rtl.Hits[0].RTL {
		t.Errorf("right to left: %+v", rtl.Hits)
	}
	var none Hits
	s.ask(t, &none, "/finch/hits", `patt="heron"`)
	if none.Total != 0 || !none.Exact || none.Hits == nil {
		t.Errorf("without matches: %+v", none)
	}
}

// TestTotal: a partial count is marked as partial, and counting ends.
func TestTotal(t *testing.T) {
	s := serve(t)
	w := s.get(t, "/finch/count", `patt=[]`)
	var last Counted
	for lines := bufio.NewScanner(w.Body); lines.Scan(); {
		must.Succeed(t, json.Unmarshal(lines.Bytes(), &last))
	}
	if want := s.open(t, "finch").Size(); last.Total != want || !last.Exact || last.PerMillion != 1e6 {
		t.Errorf("counted %+v, wanted %d", last, want)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	index(t, filepath.Join(s.dir, "large"), vertical(100))
	q := must.Get(s.open(t, "large").Query(t.Context(), "[] []"))(t)
	k := must.Get(q.Concordance(t.Context(), corpus.ConcordanceConfig{View: corpus.KWIC, Uncounted: true}))(t)
	if _, _, err := total(gone, q, k, &openCorpus{}, &hitsInput{Asked: Asked{Patt: "[] []"}, Page: Page{Number: 5, Format: "json"}}, 5); err == nil {
		t.Error("counting goes on when the client has left")
	}
}

// TestCutShort: a count that is cut short says so in its last line.
func TestCutShort(t *testing.T) {
	w := httptest.NewRecorder()
	writeCounts(w, 100, func(say func(n int64, exact bool)) error {
		say(5, false)
		return context.DeadlineExceeded
	})
	lines := strings.Split(strings.TrimSpace(w.Body.String()), "\n")
	var first Counted
	var last struct {
		Status int
		Detail string
		Exact  bool
	}
	if len(lines) != 2 || json.Unmarshal([]byte(lines[0]), &first) != nil || json.Unmarshal([]byte(lines[1]), &last) != nil {
		t.Fatalf("%q", lines)
	}
	if first.Total != 5 || first.Exact || last.Status != 504 || last.Exact || !strings.Contains(last.Detail, "took too long") {
		t.Errorf("%q", lines)
	}
}

// TestLists compares lists with the lists of the library.
func TestLists(t *testing.T) {
	s := serve(t)
	c := s.open(t, "finch")
	type object = map[string]any
	same := func(first, n int, want any, err error, path string, params ...string) {
		t.Helper()
		must.Succeed(t, err)
		var got, whole object
		s.ask(t, &got, path, params...)
		b, _ := json.Marshal(want)
		json.Unmarshal(b, &whole)
		whole["rows"] = whole["rows"].([]any)[first:][:n]
		whole["first"] = float64(first)
		if !reflect.DeepEqual(got, whole) {
			t.Errorf("%s:\n%v, wanted\n%v", path, got, whole)
		}
	}
	f, err := c.Freqs(t.Context(), `"number.*"`, corpus.FreqConfig{By: []string{"word", "doc.lang"}})
	same(1, 3, f, err, "/finch/freq", `patt="number.*"`, "group=word,doc.lang", "first=1", "number=3")
	w, err := c.WordList(t.Context(), corpus.WordListConfig{NGram: 2, Words: true, DocFreq: true})
	same(0, 4, w, err, "/finch/words", "n=2", "number=4", "words=true", "docf=true")
	k, err := c.Collocations(t.Context(), `"water"`, corpus.CollocationConfig{From: -2, Sort: "tscore", MinHits: 3, MinFreq: 5})
	same(0, 2, k, err, "/finch/collocations", `patt="water"`, "from=-2", "to=0", "sort=tscore", "number=2")
	k, err = c.Collocations(t.Context(), `<doc year="2003"> []`, corpus.CollocationConfig{MinHits: 1, MinFreq: 1})
	same(0, 2, k, err, "/finch/collocations", `patt=<doc year="2003"> []`, "min_hits=0", "min_freq=0", "number=2")
	kw, err := corpus.FindKeywords(t.Context(), c, s.open(t, "other"), corpus.KeywordConfig{Sort: "logl", NGram: 1, Smoothing: 1})
	same(0, 2, kw, err, "/finch/keywords", "reference=other", "number=2", "sort=logl")
}

// TestDocs lists documents with and without a query.
func TestDocs(t *testing.T) {
	s := serve(t)
	var docs Docs
	s.ask(t, &docs, "/finch/docs", "first=8")
	if docs.Total != 10 || len(docs.Docs) != 2 || docs.Docs[1].Refs["doc.id"] != "d9" || docs.Docs[1].Hits != 0 || docs.Docs[1].Tokens != 20 {
		t.Errorf("%+v", docs)
	}
	s.ask(t, &docs, "/finch/docs", `patt="number0"`, `filter=doc.year>=2004`)
	hits := map[string]int64{}
	for _, d := range docs.Docs {
		hits[d.Refs["doc.id"]] = d.Hits
	}
	if want := map[string]int64{"d4": 1, "d6": 1, "d7": 1, "d8": 1}; !reflect.DeepEqual(hits, want) || docs.Total != 4 {
		t.Errorf("%v, wanted %v; %d", hits, want, docs.Total)
	}
}

// TestSmall: dispersion, snippet, values, and what is in the corpora.
func TestSmall(t *testing.T) {
	s := serve(t)
	var d Dispersion
	s.ask(t, &d, "/finch/dispersion", `patt="finch"`, `filter=doc.year<2005`, "bins=4")
	if d.Hits != 15 || !slices.Equal(d.Bins, []int64{8, 7, 0, 0}) {
		t.Errorf("dispersion %+v", d)
	}
	var n Snippet
	s.ask(t, &n, "/finch/snippet", "start=20", "end=22", "context=3")
	if n.Left != "" || n.Match != "The finch" || n.Right != " drinks water number1" || n.Refs["doc.url"] != "https://finch.example/1?a=1&b=<i>" {
		t.Errorf("snippet %+v", n)
	}
	s.ask(t, &n, "/finch/snippet", "start=25", "end=26", "context=2")
	if n.Left != "water number1" || n.Match != "." || n.Right != " The finch" {
		t.Errorf("snippet %+v", n)
	}
	var v Values
	s.ask(t, &v, "/finch/values", "prefix=number", "number=3")
	if len(v.Values) != 3 || v.Values[0].Freq < v.Values[2].Freq || !strings.HasPrefix(v.Values[0].Value, "number") {
		t.Errorf("values %+v", v)
	}
	s.ask(t, &v, "/finch/values", "attr=doc.lang")
	if want := []corpus.ValueFreq{{Value: "de", Freq: 5}, {Value: "en", Freq: 5}}; !slices.Equal(v.Values, want) {
		t.Errorf("values %+v, wanted %v", v, want)
	}
	var all Corpora
	s.ask(t, &all, "")
	if len(all.Corpora) != 2 || all.Corpora[0].Name != "finch" || all.Corpora[0].Tokens != 200 {
		t.Errorf("corpora %+v", all)
	}
	var one Info
	s.ask(t, &one, "/other")
	if one.Tokens != 4 || one.Attributes[0].Name != "word" {
		t.Errorf("corpus %+v", one)
	}
}

// TestExport: other formats have every row, unless a number is asked for.
func TestExport(t *testing.T) {
	s := serve(t)
	for _, c := range []struct {
		path   string
		params []string
		rows   int
	}{
		{"/finch/hits", []string{"patt=[]", "refs=doc.id"}, 200},
		{"/finch/hits", []string{"patt=[]", "number=7", "first=198"}, 2},
		{"/finch/freq", []string{"patt=[]", "group=word"}, 11},
		{"/finch/words", nil, 11},
		{"/finch/words", []string{"number=5", "first=2"}, 5},
		{"/finch/collocations", []string{`patt="water"`}, 10},
		{"/finch/keywords", []string{"reference=other"}, 11},
		{"/finch/docs", nil, 10},
		{"/finch/docs", []string{"number=3", "first=8"}, 2},
	} {
		w := s.get(t, c.path, append(c.params, "format=csv")...)
		rows, err := csv.NewReader(w.Body).ReadAll()
		if err != nil || w.Code != 200 || len(rows) != c.rows+1 {
			t.Errorf("%s %v: %v, status %d, %d rows, wanted %d", c.path, c.params, err, w.Code, len(rows)-1, c.rows)
		}
		if got := w.Header().Get("Content-Disposition"); !strings.HasPrefix(got, `attachment; filename="finch-`) {
			t.Errorf("%s: %s", c.path, got)
		}
	}
}

// TestWordColumns: a table of words has only the columns that were requested, none with zeros.
func TestWordColumns(t *testing.T) {
	s := serve(t)
	for params, want := range map[string]string{
		"first=0":           "word,freq,per_million",
		"docf=true":         "word,freq,per_million,docf",
		"sort=aldf":         "word,freq,per_million,arf,aldf",
		"arf=true&dp=doc":   "word,freq,per_million,arf,aldf,dp,dpnorm",
		"docf=true&sort=dp": "word,freq,per_million,docf,dp,dpnorm",
	} {
		head, _, _ := strings.Cut(s.get(t, "/finch/words", append(strings.Split(params, "&"), "format=csv")...).Body.String(), "\n")
		if head != want {
			t.Errorf("%s: columns %s, want %s", params, head, want)
		}
	}
}

// TestProblems: an error in a request is reported with its place.
func TestProblems(t *testing.T) {
	s := serve(t)
	for _, c := range []struct {
		path   string
		params []string
		status int
		says   string
	}{
		{"/finsh/hits", []string{`patt="x"`}, 404, "did you mean finch?"},
		{"/finch/hits", nil, 422, "patt"},
		{"/finch/hits", []string{`patt="x`}, 422, `"at":0`},
		{"/finch/hits", []string{`patt=[word="a"] [wrd="b"]`}, 422, `"at":`},
		{"/finch/hits", []string{`patt="x"`, `filter=doc.nope="x"`}, 422, "query.filter"},
		{"/finch/hits", []string{`patt="x"`, "sort=upwards"}, 422, "upwards"},
		{"/finch/hits", []string{`patt="x"`, "first=-1"}, 422, "query.first"},
		{"/finch/hits", []string{`patt="x"`, "format=pdf"}, 422, "query.format"},
		{"/finch/hits", []string{`patt="x"`, "numbr=3"}, 422, "query.numbr"},
		{"/finch/freq", []string{`patt="x"`}, 422, "query.group"},
		{"/finch/freq", []string{`patt="x"`, "group=lemma"}, 422, "lemma"},
		{"/finch/words", []string{"pattern=(("}, 422, "(("},
		{"/finch/words", []string{"n=7"}, 422, "query.n"},
		{"/finch/collocations", []string{`patt="x"`, "sort=best"}, 422, "best"},
		{"/finch/keywords", nil, 422, "reference"},
		{"/finch/keywords", []string{"reference=nothing"}, 422, "wanted one of"},
		{"/finch/hits", []string{`patt="x"`, "number=10001"}, 422, "use pages with first"},
		{"/finch/hits", []string{`patt="x"`, "number=1000000000"}, 422, "10000"},
		{"/finch/words", []string{"number=100001"}, 422, "use pages with first"},
		{"/finch/docs", []string{"number=10001"}, 422, "format=jsonl"},
		{"/finch/hits", []string{`patt="x"`, "first=9223372036854775807"}, 422, "query.first"},
		{"/finch/snippet", []string{"start=5", "end=5"}, 422, "tokens 5 to 5"},
		{"/finch/snippet", []string{"start=5", "end=500"}, 422, "below 200"},
		{"/finch/values", []string{"attr=doc.nope"}, 422, "nope"},
		{"/finch/values", []string{"attr=nope"}, 422, `corpus finch: no attribute \"nope\"`},
		{"/finch/docs", []string{`filter=doc.lang="xx"`}, 422, "corpus finch: no token where"},
		{"/finch/keywords", []string{"frequency_list=en", "smoothing=Inf"}, 422, `smoothing: \"+Inf\": wanted a finite number`},
		{"/finch/terms", []string{"smoothing=inf"}, 422, "query.smoothing"},
		{"/finch/trends", []string{"by=doc.year", "max_q=NaN"}, 422, "query.max_q"},
	} {
		w := s.get(t, c.path, c.params...)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) || w.Header().Get("Content-Type") != "application/problem+json" || strings.Contains(w.Body.String(), s.dir) {
			t.Errorf("%s %v: status %d, %s: %s", c.path, c.params, w.Code, w.Header().Get("Content-Type"), w.Body)
		}
	}
}

// TestReopened: a corpus whose index was made anew is asked anew, and who reads the old
// one reads it to the end.
func TestReopened(t *testing.T) {
	s := serve(t)
	old, done, err := s.set.get(t.Context(), "finch")
	must.Succeed(t, err)
	index(t, filepath.Join(s.dir, "finch"), vertical(3))
	var info Info
	s.ask(t, &info, "/finch")
	if info.Tokens != 60 {
		t.Errorf("%d tokens", info.Tokens)
	}
	if old.Text(198, 200) != "שלום עולם" {
		t.Error("the old one was closed while it was in use")
	}
	done()
	broken := filepath.Join(s.dir, "broken")
	must.Write(t, broken, "broken")
	must.Succeed(t, os.Rename(broken, filepath.Join(s.dir, "finch", "index.chf")))
	s.ask(t, &info, "/finch")
	if info.Tokens != 60 {
		t.Errorf("%d tokens once the index is broken: the old one serves on", info.Tokens)
	}
}

// ending is a context whose time is over after some looks at it.
type ending struct {
	context.Context
	left *atomic.Int64
}

func (e ending) Err() error {
	if e.left.Add(-1) < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestDeadlines: what is not answered in time is a problem with status 504, whenever the time
// is over before the head of the answer is written.
func TestDeadlines(t *testing.T) {
	s := serve(t)
	for _, path := range []string{
		`/finch/count?patt=[]+[]`, `/finch/hits?patt=[]+[]&waitfortotal=true`, `/finch/hits?patt=[]&sort=doc.id`, `/finch/hits?patt=[]+[]&format=csv`, `/finch/freq?patt=[]+[]&group=word`,
		`/finch/freq?patt=[]+[]&group=doc.lang&format=xlsx`, `/finch/words?pattern=.*a.*`, `/finch/words?n=2&docf=true&arf=true&format=tsv`, `/finch/collocations?patt=[]+[]`,
		`/finch/keywords?reference=other`, `/finch/docs?patt=[]+[]`, `/finch/docs?format=jsonl`, `/finch/dispersion?patt=[]+[]`, `/finch/values`, `/finch/hits?patt=[]&filter=doc.lang=".*e.*"`,
	} {
		late, looks := 0, int64(0)
		for ; ; looks++ {
			left := new(atomic.Int64)
			left.Store(looks)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequestWithContext(ending{t.Context(), left}, "GET", "/v1/corpora"+path, nil))
			if left.Load() >= 0 {
				break // it needed no more
			}
			if late++; w.Code != 504 || w.Header().Get("Content-Type") != "application/problem+json" {
				t.Errorf("%s: status %d, %q after %d looks at the time: %.100s", path, w.Code, w.Header().Get("Content-Type"), looks, w.Body)
				break
			}
		}
		if late == 0 {
			t.Errorf("%s never looks at the time", path)
		}
	}
}

// TestClosed: a corpus that is in use when the set is closed is closed by its last user.
func TestClosed(t *testing.T) {
	s := serve(t)
	c, done, err := s.set.get(t.Context(), "finch")
	must.Succeed(t, err)
	must.Succeed(t, s.set.Close())
	if w := s.get(t, "/finch"); w.Code != 503 {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
	if c.Bytes() == 0 || c.Text(198, 200) != "שלום עולם" {
		t.Error("closed while it was in use")
	}
	done()
	if c.Bytes() != 0 {
		t.Error("not closed when nobody uses it")
	}
	if err := s.set.Close(); err != nil {
		t.Errorf("twice: %v", err)
	}
}

// TestFaults: a request that ends in a panic, before or while it is answered, gives its
// place back.
func TestFaults(t *testing.T) {
	s := serve(t)
	g := gate.New(gate.Config{Workers: 1})
	a := &api{s.set, g, noParts}
	c, fault := s.set.entries["finch"].now, func(huma.Context) { panic("a fault") }
	for name, prepare := range map[string]func(source) (func(huma.Context), error){
		"before": func(source) (func(huma.Context), error) { panic("a fault") },
		"while":  func(source) (func(huma.Context), error) { return fault, nil },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: the panic is gone", name)
				}
			}()
			answer := must.Get(a.stream(t.Context(), Of{Corpus: "finch"}, prepare))(t)
			answer.Body(nil)
		}()
		if n := g.Stats().Working; n != 0 {
			t.Errorf("%s: %d places are taken", name, n)
		}
	}
	if err := s.set.Close(); err != nil || c.Bytes() != 0 {
		t.Errorf("%v: somebody still uses the corpus", err)
	}
}
