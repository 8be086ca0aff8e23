package build

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/jsonscan"
	"chaffinch/internal/sorts"
	"chaffinch/internal/wordtable"
	"chaffinch/page/weburl/registered"
	"chaffinch/text/token"
)

// digest holds the counts of one page, or of one record, for the report. Workers compute digests;
// a [tally] adds them up in the order of the pages.
type digest struct {
	ID, URL, Lang, Site, PageType string
	Registers                     []string
	// Whole indicates that the whole page was removed.
	Whole bool
	// Kept and Removed count the kept and the removed text. Nil if there is no record of it.
	Kept, Removed *part
}

// part counts a part of the text of a page.
type part struct {
	Amount // without pages
	// Tokens is the number of words of UAX 29. Words holds the counts of distinct words in lower
	// case, in the order of their first occurrence. Both are zero for a page outside of the sample.
	Tokens int64
	Words  []wordCount
	Roles  []named
	// Reasons counts removed text by reason, in the order of the names. It is nil for kept text.
	Reasons []removal
}

// wordCount is a word and the number of its occurrences.
type wordCount struct {
	word []byte
	n    int64
}

// named is the amount of text of a role.
type named struct {
	Name string
	Amount
}

// removal is the text of a page that was removed for one reason.
type removal struct {
	Why string
	Amount
	// First is the page that is kept instead, Limit the value and the limit of the rule.
	First, Limit string
	// Text is an excerpt: the bytes that a sample shows, and one more only if it is truncated.
	Text string
}

// digester computes digests. It is not safe for concurrent use, and a digest is valid until the
// next call.
type digester struct {
	// sampling selects the pages whose words are counted.
	sampling sampling
	spans    []token.Span
	lower    []byte
	parts    [2]partCounter
	shown    []piece  // of the kept text of a page
	pieces   []piece  // of the removed text of a page
	excerpts [][]byte // of the removed text, by reason
	label    verdict  // the last one that was explained
}

// verdict is the verdict of a labeller on a block, and its explanation.
type verdict struct{ by, label, why string }

// partCounter counts a part.
type partCounter struct {
	part
	words wordtable.Table[int64]
}

// head returns a digest with the fields of a record that describe its page.
func (r *record) head() digest {
	return digest{
		ID: r.ID, URL: r.URL, Lang: r.Lang, Site: registered.Site(cmp.Or(r.URL, r.Canonical)), PageType: r.PageType, Registers: r.Registers,
	}
}

// digest returns the digest of the record of the kept text of a page and of the record of its
// removed text. One of both may be nil.
func (d *digester) digest(kept, removed *record) *digest {
	x := cmp.Or(kept, removed).head()
	if kept != nil {
		x.Kept = d.kept(kept)
	}
	if removed != nil {
		x.Whole, x.Removed = removed.isWhole(), d.removed(removed)
	}
	return &x
}

// kept counts a kept page.
func (d *digester) kept(r *record) *part {
	return d.count(r, 0, func(add func(role, text string) Amount) {
		texts(r.Blocks, func(_ int, p *piece) { add(p.Role, p.Text) })
	})
}

// removed counts a page that was removed as a whole, or the removed parts of a page.
func (d *digester) removed(r *record) *part {
	whole, reasons := r.isWhole(), []removal{}
	x := d.count(r, 1, func(add func(role, text string) Amount) {
		texts(r.Blocks, func(top int, p *piece) {
			text := p.lost(whole)
			if text == "" || p.Hidden {
				return
			}
			why, first := r.why(top, p, &d.label)
			k := slices.IndexFunc(reasons, func(y removal) bool { return y.Why == why })
			if k < 0 {
				k = len(reasons)
				reasons = append(reasons, removal{Why: why, First: first})
				if k == len(d.excerpts) {
					d.excerpts = append(d.excerpts, nil)
				}
				d.excerpts[k] = d.excerpts[k][:0]
			}
			reasons[k].Amount.add(add(p.Role, text), 1)
			d.excerpts[k] = appendExcerpt(d.excerpts[k], text)
		})
	})
	for i := range reasons {
		reasons[i].Text = string(d.excerpts[i])
	}
	sorts.Func(reasons, func(a, b removal) int { return strings.Compare(a.Why, b.Why) })
	if whole {
		why, first := r.whole()
		var all []byte
		for i := range reasons {
			all = appendExcerpt(all, reasons[i].Text)
		}
		reasons = []removal{{Why: why, First: first, Limit: r.limit(), Amount: x.Amount, Text: string(all)}}
	}
	x.Reasons = reasons
	return x
}

// appendExcerpt appends the text of a block to an excerpt.
func appendExcerpt(dst []byte, text string) []byte {
	room := sampleBytes + 1 - len(dst)
	if room <= 0 {
		return dst
	}
	if len(dst) > 0 {
		dst = append(dst, '\n')
	}
	for len(text) > room && room > 0 && !utf8.RuneStart(text[room]) {
		room--
	}
	return append(dst, text[:min(len(text), room)]...)
}

// count counts the texts of a record that each adds. add returns the amount of a text.
func (d *digester) count(r *record, i int, each func(add func(role, text string) Amount)) *part {
	p := &d.parts[i]
	words := d.sampling.holds(r.ID)
	p.words.Reset()
	p.part = part{Words: p.Words[:0], Roles: p.Roles[:0]}
	each(func(name, text string) Amount {
		a := amount(text)
		p.Amount.add(a, 1)
		name = role(name)
		k := slices.IndexFunc(p.Roles, func(x named) bool { return x.Name == name })
		if k < 0 {
			k = len(p.Roles)
			p.Roles = append(p.Roles, named{Name: name})
		}
		p.Roles[k].Amount.add(a, 1)
		if words {
			p.Tokens += d.words(text, &p.words)
		}
		return a
	})
	for word, n := range p.words.All() {
		p.Words = append(p.Words, wordCount{word, *n})
	}
	return &p.part
}

// words counts the words of a text and returns their number. Long words are counted, but not added.
func (d *digester) words(text string, into *wordtable.Table[int64]) int64 {
	d.spans = token.Words(text, d.spans[:0])
	for _, s := range d.spans {
		if s.End-s.Start > maxWordBytes {
			continue
		}
		d.lower = d.lower[:0]
		for i := s.Start; i < s.End; i++ {
			c := text[i]
			if c >= utf8.RuneSelf {
				for _, r := range text[i:s.End] {
					d.lower = utf8.AppendRune(d.lower, unicode.ToLower(r))
				}
				break
			}
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			d.lower = append(d.lower, c)
		}
		*into.At(d.lower, maxPageWords)++
	}
	return int64(len(d.spans))
}

// maxPageWords exceeds the number of words of the largest page.
const maxPageWords = 1 << 31

// append appends the digest as a line of JSON.
func (x *digest) append(dst []byte) []byte {
	dst = append(dst, '{')
	for _, f := range [...]struct{ name, value string }{{"id", x.ID}, {"url", x.URL}, {"lang", x.Lang}, {"site", x.Site}, {"page_type", x.PageType}} {
		dst = appendField(dst, f.name, f.value)
	}
	if len(x.Registers) > 0 {
		dst = append(appendKey(dst, "register"), '[')
		for i, name := range x.Registers {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = jsonscan.AppendString(dst, name)
		}
		dst = append(dst, ']')
	}
	if x.Whole {
		dst = append(appendKey(dst, "whole"), "true"...)
	}
	if x.Kept != nil {
		dst = x.Kept.append(appendKey(dst, "kept"))
	}
	if x.Removed != nil {
		dst = x.Removed.append(appendKey(dst, "removed"))
	}
	return append(dst, '}', '\n')
}

// append appends the part as an object. Its words are one string: "the 12 of 7".
func (p *part) append(dst []byte) []byte {
	dst = append(dst, '{')
	dst = p.Amount.append(dst)
	if p.Tokens > 0 {
		dst = strconv.AppendInt(appendKey(dst, "tokens"), p.Tokens, 10)
		dst = append(p.appendWords(append(appendKey(dst, "counts"), '"')), '"')
	}
	dst = append(appendKey(dst, "roles"), '[')
	for i := range p.Roles {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendField(append(dst, '{'), "name", p.Roles[i].Name)
		dst = append(p.Roles[i].Amount.append(dst), '}')
	}
	dst = append(dst, ']')
	if p.Reasons != nil {
		dst = append(appendKey(dst, "reasons"), '[')
		for i := range p.Reasons {
			if i > 0 {
				dst = append(dst, ',')
			}
			r := &p.Reasons[i]
			dst = appendField(append(dst, '{'), "why", r.Why)
			dst = r.Amount.append(dst)
			dst = appendField(dst, "first", r.First)
			dst = appendField(dst, "limit", r.Limit)
			dst = append(appendField(dst, "text", r.Text), '}')
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// appendWords appends the counts of words in the form that readWords parses.
func (p *part) appendWords(dst []byte) []byte {
	for i, w := range p.Words {
		if i > 0 {
			dst = append(dst, ' ')
		}
		if bytes.ContainsAny(w.word, `"\`) {
			quoted := jsonscan.AppendString(nil, string(w.word))
			dst = append(dst, quoted[1:len(quoted)-1]...)
		} else {
			dst = append(dst, w.word...)
		}
		dst = strconv.AppendInt(append(dst, ' '), w.n, 10)
	}
	return dst
}

// append appends the words and bytes as fields.
func (a Amount) append(dst []byte) []byte {
	dst = strconv.AppendInt(appendKey(dst, "words"), a.Words, 10)
	return strconv.AppendInt(appendKey(dst, "bytes"), a.Bytes, 10)
}

// appendKey appends the name of a field, after a comma if it is not the first of its object.
func appendKey(dst []byte, name string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(append(append(dst, '"'), name...), '"', ':')
}

// appendField appends a field with a string, unless it is empty.
func appendField(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	return jsonscan.AppendString(appendKey(dst, name), value)
}

// read parses a digest into x and its parts into parts, whose memory it reuses. The words refer to line.
func (x *digest) read(line []byte, parts *[2]part) error {
	*x = digest{}
	s := &jsonscan.Scanner{B: line}
	return s.Object(func(key []byte) (err error) {
		switch string(key) {
		case "id":
			x.ID, err = text(s)
		case "url":
			x.URL, err = text(s)
		case "lang":
			x.Lang, err = text(s)
		case "site":
			x.Site, err = text(s)
		case "page_type":
			x.PageType, err = text(s)
		case "register":
			err = small(s, &x.Registers)
		case "whole":
			err = small(s, &x.Whole)
		case "kept":
			x.Kept = &parts[0]
			err = x.Kept.read(s)
		case "removed":
			x.Removed = &parts[1]
			err = x.Removed.read(s)
		default:
			err = s.Skip()
		}
		return err
	})
}

// read parses a part into p, whose memory it reuses.
func (p *part) read(s *jsonscan.Scanner) error {
	reasons := p.Reasons[:0]
	*p = part{Words: p.Words[:0], Roles: p.Roles[:0]}
	return s.Object(func(key []byte) (err error) {
		switch string(key) {
		case "tokens":
			p.Tokens, err = integer(s)
		case "counts":
			err = p.readWords(s)
		case "roles":
			err = s.Array(func() error {
				p.Roles = append(p.Roles, named{})
				r := &p.Roles[len(p.Roles)-1]
				return s.Object(func(key []byte) (err error) {
					if string(key) == "name" {
						r.Name, err = text(s)
						return err
					}
					return r.Amount.read(s, key)
				})
			})
		case "reasons":
			p.Reasons = reasons
			err = s.Array(func() error {
				p.Reasons = append(p.Reasons, removal{})
				return p.Reasons[len(p.Reasons)-1].read(s)
			})
		default:
			err = p.Amount.read(s, key)
		}
		return err
	})
}

func (x *removal) read(s *jsonscan.Scanner) error {
	return s.Object(func(key []byte) (err error) {
		switch string(key) {
		case "why":
			x.Why, err = text(s)
		case "first":
			x.First, err = text(s)
		case "limit":
			x.Limit, err = text(s)
		case "text":
			x.Text, err = text(s)
		default:
			err = x.Amount.read(s, key)
		}
		return err
	})
}

// read parses the value of a field of an amount, or skips another field.
func (a *Amount) read(s *jsonscan.Scanner, key []byte) (err error) {
	switch string(key) {
	case "words":
		a.Words, err = integer(s)
	case "bytes":
		a.Bytes, err = integer(s)
	default:
		err = s.Skip()
	}
	return err
}

// readWords parses the counts of words.
func (p *part) readWords(s *jsonscan.Scanner) error {
	b, err := s.Str()
	if err != nil {
		return err
	}
	if bytes.IndexByte(b, '\\') >= 0 {
		if b, _, err = jsonscan.Unquote(nil, b, len(b)+utf8.UTFMax); err != nil {
			return err
		}
	}
	for len(b) > 0 {
		word, rest, _ := bytes.Cut(b, []byte{' '})
		number, rest, _ := bytes.Cut(rest, []byte{' '})
		n, ok := 0, len(number) > 0 && len(number) < 18
		for _, c := range number {
			n, ok = 10*n+int(c-'0'), ok && '0' <= c && c <= '9'
		}
		if !ok {
			return fmt.Errorf("word %q with the count %q, wanted a number", word, number)
		}
		p.Words = append(p.Words, wordCount{word, int64(n)})
		b = rest
	}
	return nil
}

// integer parses an integer of 64 bits.
func integer(s *jsonscan.Scanner) (int64, error) {
	b, err := s.Value()
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(string(b), 10, 64)
}

// texts calls fn for each block with text. top is the index, among the top-level blocks with
// text, of the block that contains it.
func texts(list []piece, fn func(top int, p *piece)) {
	top := 0
	var walk func(p *piece) (any bool)
	walk = func(p *piece) (any bool) {
		if strings.TrimSpace(p.Text) != "" {
			fn(top, p)
			any = true
		}
		for i := range p.Blocks {
			any = walk(&p.Blocks[i]) || any
		}
		return any
	}
	for i := range list {
		if walk(&list[i]) {
			top++
		}
	}
}

// amount returns the amount of text.
func amount(text string) Amount {
	return Amount{Words: int64(token.Count(text)), Bytes: int64(len(text))}
}
