package corpus

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

// The oracle evaluates a query by its definition: a node is the set of all its
// spans in a document, a sequence is the product of such sets, a repetition the
// union of their powers. It knows nothing of lists, anchors and limits.

type oracleStruct struct {
	start, end int
	attrs      map[string]string
}

type oracleCorpus struct {
	tokens  []map[string]string
	structs map[string][]oracleStruct
}

// span is a match with its labels, as "1=5 2=7 ".
type span struct {
	i, j  int
	binds string
}

type relation map[span]bool

type oracle struct {
	c      *oracleCorpus
	lo, hi int
}

func (o *oracle) spans(n node) relation {
	out := relation{}
	switch n := n.(type) {
	case tokenNode:
		for i := o.lo; i < o.hi; i++ {
			if n.cond == nil || holds(n.cond, o.c.tokens[i]) {
				out[span{i, i + 1, ""}] = true
			}
		}
	case seqNode:
		out = o.empty()
		for _, p := range n.parts {
			out = product(out, o.spans(p))
		}
	case altNode:
		for _, b := range n.branches {
			for s := range o.spans(b) {
				out[s] = true
			}
		}
	case repeatNode:
		part, power := o.spans(n.part), o.empty()
		for k := 0; n.max < 0 && k <= n.min+o.hi-o.lo+1 || k <= n.max; k++ {
			if k >= n.min {
				for s := range power {
					out[s] = true
				}
			}
			power = product(power, part)
		}
	case tagNode:
		for _, s := range o.c.structs[n.name] {
			if n.cond != nil && !holds(n.cond, s.attrs) {
				continue
			}
			switch {
			case n.side == tagOpen && o.lo <= s.start && s.start < o.hi:
				out[span{s.start, s.start, ""}] = true
			case n.side == tagClose && o.lo < s.end && s.end <= o.hi:
				out[span{s.end, s.end, ""}] = true
			case n.side == tagWhole && o.lo <= s.start && s.start < o.hi && s.end <= o.hi:
				out[span{s.start, s.end, ""}] = true
			}
		}
	case labelNode:
		for s := range o.spans(n.part) {
			out[span{s.i, s.j, bind(fmt.Sprintf("%s=%d ", n.label, s.i), s.binds)}] = true
		}
	case meetNode:
		other := o.spans(n.other)
		for s := range o.spans(n.part) {
			for t := range other {
				if s.i+n.lo <= t.i && t.i <= s.i+n.hi && t.i < o.hi {
					out[s] = true
				}
			}
		}
	case filterNode:
		other := o.spans(n.other)
		tag, isTag := n.other.(tagNode)
		for s := range o.spans(n.part) {
			has := false
			switch {
			case !n.containing && isTag && tag.side == tagWhole:
				for _, x := range o.c.structs[tag.name] {
					has = has || (tag.cond == nil || holds(tag.cond, x.attrs)) && x.start <= s.i && s.i < x.end && s.j <= x.end
				}
			case !n.containing:
				for t := range other {
					has = has || t.i <= s.i && s.j <= t.j
				}
			default:
				for t := range other {
					has = has || s.i <= t.i && t.i < s.j && t.j <= s.j
				}
			}
			if has != n.not {
				out[s] = true
			}
		}
	}
	return out
}

func (o *oracle) empty() relation {
	out := relation{}
	for i := o.lo; i <= o.hi; i++ {
		out[span{i, i, ""}] = true
	}
	return out
}

func product(a, b relation) relation {
	from := map[int][]span{}
	for t := range b {
		from[t.i] = append(from[t.i], t)
	}
	out := relation{}
	for s := range a {
		for _, t := range from[s.j] {
			out[span{s.i, t.j, bind(s.binds, t.binds)}] = true
		}
	}
	return out
}

// bind joins labels; the labels of b win.
func bind(a, b string) string {
	all := map[string]string{}
	for _, f := range append(strings.Fields(a), strings.Fields(b)...) {
		name, at, _ := strings.Cut(f, "=")
		all[name] = at
	}
	var out []string
	for n, at := range all {
		out = append(out, n+"="+at+" ")
	}
	slices.Sort(out)
	return strings.Join(out, "")
}

func holds(c cond, attrs map[string]string) bool {
	switch c := c.(type) {
	case andCond:
		return !slices.ContainsFunc(c.parts, func(p cond) bool { return !holds(p, attrs) })
	case orCond:
		return slices.ContainsFunc(c.parts, func(p cond) bool { return holds(p, attrs) })
	case notCond:
		return !holds(c.part, attrs)
	case valueCond:
		name := c.attr
		if name == "" {
			name = "word"
		}
		have, want := attrs[name], c.value
		switch {
		case c.order != "":
			return map[order]bool{"<": have < want, "<=": have <= want, ">": have > want, ">=": have >= want}[c.order]
		case c.literal && c.fold.letterCase:
			return strings.EqualFold(have, want) != c.not
		case c.literal:
			return (have == want) != c.not
		case c.fold.letterCase:
			want = "(?i:" + want + ")"
		}
		return regexp.MustCompile(`^(?:`+want+`)$`).MatchString(have) != c.not
	}
	panic(c)
}

// find returns the matches as "start-end".
func (c *oracleCorpus) find(t *queryTree, document string) []string {
	var out []string
	for _, r := range c.regions(document) {
		o := &oracle{c, r[0], r[1]}
		found := map[[2]int]bool{}
		for s := range o.spans(t.root) {
			if s.i < s.j && c.keeps(t, s) {
				found[[2]int{s.i, s.j}] = true
			}
		}
		var spans [][2]int
		for s := range found {
			spans = append(spans, s)
		}
		slices.SortFunc(spans, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
		for _, s := range spans {
			out = append(out, fmt.Sprintf("%d-%d", s[0], s[1]))
		}
	}
	return out
}

// bindings returns the distinct ways to match, sorted.
func (c *oracleCorpus) bindings(t *queryTree, document string) (out []string) {
	for _, r := range c.regions(document) {
		for s := range (&oracle{c, r[0], r[1]}).spans(t.root) {
			if s.i < s.j && c.keeps(t, s) {
				fields := strings.Fields(s.binds)
				slices.Sort(fields)
				out = append(out, fmt.Sprint(s.i, s.j, fields))
			}
		}
	}
	slices.Sort(out)
	return out
}

func (c *oracleCorpus) keeps(t *queryTree, s span) bool {
	at := map[string]int{}
	for _, f := range strings.Fields(s.binds) {
		name, v, _ := strings.Cut(f, "=")
		n, err := strconv.Atoi(v)
		if err != nil {
			panic(err) // the oracle wrote it
		}
		at[name] = n
	}
	for _, x := range t.constraints {
		i, ok := at[x.left.label]
		if x.freq && x.right.label == "" {
			if !ok || i >= len(c.tokens) || !slices.Contains([]order{">="}, x.order) || c.freq(x.left.attr, i) < x.number {
				return false
			}
			continue
		}
		j, ok2 := at[x.right.label]
		if !ok || !ok2 || i >= len(c.tokens) || j >= len(c.tokens) {
			return false
		}
		same := c.tokens[i][x.left.attr] == c.tokens[j][x.right.attr]
		if x.freq {
			same = c.freq(x.left.attr, i) == c.freq(x.right.attr, j)
		}
		if same == x.not {
			return false
		}
	}
	return true
}

// freq is how many tokens have the value of token i.
func (c *oracleCorpus) freq(attr string, i int) (n int64) {
	for _, t := range c.tokens {
		if t[attr] == c.tokens[i][attr] {
			n++
		}
	}
	return n
}

// regions are the documents and the text between them.
func (c *oracleCorpus) regions(document string) (out [][2]int) {
	at := 0
	for _, d := range c.structs[document] {
		if d.start > at {
			out = append(out, [2]int{at, d.start})
		}
		if d.end > d.start {
			out = append(out, [2]int{d.start, d.end})
		}
		at = d.end
	}
	if at < len(c.tokens) {
		out = append(out, [2]int{at, len(c.tokens)})
	}
	return out
}

// drawCorpus makes a vertical and the data of the oracle about it.
func drawCorpus(t *rapid.T) (string, *oracleCorpus) {
	c := &oracleCorpus{structs: map[string][]oracleStruct{}}
	var b strings.Builder
	tokens := func(label string) {
		for range rapid.IntRange(0, 4).Draw(t, label) {
			w := rapid.SampledFrom([]string{"a", "a", "b", "A", "ab", "ba"}).Draw(t, "word")
			g := rapid.SampledFrom([]string{"x", "y"}).Draw(t, "tag")
			fmt.Fprintf(&b, "%s\t%s\n", w, g)
			c.tokens = append(c.tokens, map[string]string{"word": w, "tag": g, "lc": strings.ToLower(w)})
		}
	}
	inside := func(name, attr string, body func()) {
		s := oracleStruct{start: len(c.tokens), attrs: map[string]string{"k": attr}}
		fmt.Fprintf(&b, "<%s k=%q>\n", name, attr)
		body()
		fmt.Fprintf(&b, "</%s>\n", name)
		s.end = len(c.tokens)
		c.structs[name] = append(c.structs[name], s)
	}
	value := rapid.SampledFrom([]string{"1", "2"})
	for _, name := range []string{"doc", "s", "e"} { // all names are known
		inside(name, "1", func() {})
	}
	for range rapid.IntRange(1, 3).Draw(t, "documents") {
		tokens("before")
		inside("doc", value.Draw(t, "k"), func() {
			for range rapid.IntRange(0, 3).Draw(t, "sentences") {
				inside("s", value.Draw(t, "k"), func() { tokens("sentence") })
				if rapid.IntRange(0, 3).Draw(t, "empty") == 0 {
					v := value.Draw(t, "k")
					fmt.Fprintf(&b, "<e k=%q/>\n", v)
					c.structs["e"] = append(c.structs["e"], oracleStruct{len(c.tokens), len(c.tokens), map[string]string{"k": v}})
				}
				tokens("between")
			}
		})
	}
	if len(c.tokens) == 0 {
		b.WriteString("a\tx\n")
		c.tokens = append(c.tokens, map[string]string{"word": "a", "tag": "x", "lc": "a"})
	}
	return b.String(), c
}

// drawQuery makes a query.
func drawQuery(t *rapid.T, depth int) string {
	pick := func(label string, xs ...string) string { return rapid.SampledFrom(xs).Draw(t, label) }
	if depth <= 0 {
		return pick("leaf", `[]`, `"a"`, `"b"`, `"a.*"`, `".*b"`, `[lc="a"]`, `[tag="x"]`, `[tag!="x" & word="a|b"]`, `[word="ab?" | tag="y"]`,
			`[!(word="a" & tag="x")]`, `[word=="a"]`, `[word!=="a"]`, `"(?i)A"`, `"c"`, `[word="[a-b]+"]`, `"A"%c`, `"A.*"%c`, `[word=="AB"%c]`, `[tag="X"%cd]`, `[word>="ab"]`, `[word<"ab"]`, `<s k>1/>`, `<doc k<="1"/>`,
			`<s>`, `</s>`, `<s/>`, `<s k="1"/>`, `<s k="1">`, `</s k="2">`, `<e/>`, `<e>`, `<doc>`, `</doc>`, `<doc k="2"/>`)
	}
	sub := func() string { return "(" + drawQuery(t, depth-1-rapid.IntRange(0, 2).Draw(t, "less")) + ")" }
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0, 1, 2:
		return sub() + " " + sub()
	case 3:
		return sub() + " | " + sub()
	case 4, 5:
		return sub() + pick("times", "?", "*", "+", "{2}", "{0,2}", "{1,3}", "{2,}")
	case 6:
		return sub() + pick("filter", " within ", " !within ", " containing ", " !containing ") + sub()
	case 7:
		if rapid.Bool().Draw(t, "containing") {
			return pick("tag", "<s/>", `<s k="1"/>`, "<e/>", "<doc/>") + pick("filter", " containing ", " !containing ") + sub()
		}
		return sub() + pick("filter", " within ", " !within ") + pick("tag", "<s/>", `<s k="1"/>`, `<doc k="1"/>`)
	case 8:
		return fmt.Sprintf("(meet %s %s %s)", sub(), sub(), pick("window", "-1 1", "-2 0", "1 2"))
	}
	return pick("label", "1:", "2:") + sub()
}

// TestOracle compares queries on corpora that are drawn at random with their
// definition.
func TestOracle(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		vert, oc := drawCorpus(t)
		cfg := DefaultBuild
		cfg.Columns = []string{"word", "tag"}
		cfg.Document = rapid.SampledFrom([]string{"doc", ""}).Draw(t, "document")
		cfg.Memory = rapid.SampledFrom([]int64{1, 1 << 20}).Draw(t, "memory")
		c := buildTemp(t, vert, cfg)
		defer c.Close()
		for range 5 {
			cql := drawQuery(t, 3)
			if strings.Contains(cql, "1:") && strings.Contains(cql, "2:") && rapid.Bool().Draw(t, "constraint") {
				cql += rapid.SampledFrom([]string{" & 1.word = 2.word", " & 1.tag != 2.tag", " & f(1.word) >= 2", " & f(1.lc) = f(2.tag)", " & f(1.lc) >= 3 & 1.tag = 2.tag"}).Draw(t, "constraint")
			}
			tree := must.Get(parseCQL(cql))(t)
			q := must.Get(c.Query(t.Context(), cql))(t)
			var got []string
			for m, err := range q.Matches(t.Context()) {
				must.Succeed(t, err)
				got = append(got, fmt.Sprintf("%d-%d", m.Start, m.End))
			}
			if want := oc.find(tree, cfg.Document); !slices.Equal(got, want) {
				t.Fatalf("%s\n got %v\nwant %v\nin\n%s", cql, got, want, vert)
			}
			got = nil
			for m, err := range q.Bindings(t.Context(), 0, c.Size()) {
				must.Succeed(t, err)
				fields := []string{}
				for i, at := range m.Labels {
					if at >= 0 {
						fields = append(fields, fmt.Sprintf("%s=%d", q.Labels()[i], at))
					}
				}
				slices.Sort(fields)
				got = append(got, fmt.Sprint(m.Start, m.End, fields))
			}
			slices.Sort(got)
			if want := oc.bindings(tree, cfg.Document); !slices.Equal(got, want) {
				t.Fatalf("bindings of %s\n got %v\nwant %v\nin\n%s", cql, got, want, vert)
			}
		}
	})
}
