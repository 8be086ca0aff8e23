// Package latex converts the running text of LaTeX sources to HTML: headings, paragraphs, lists,
// simple tables, captions and notes. Formulas are kept as their source between dollar signs.
// Citations and references are dropped, simple macros of the document are expanded, and nothing is
// included from other files.
//
// Unstable: this package may change in any release.
package latex

import (
	"context"
	"strconv"
	"strings"

	"chaffinch/format/document"
	"chaffinch/internal/lazyregexp"
	"chaffinch/text/charset"
)

const (
	maxDepth    = 24      // arguments and macros within one another
	maxExpanded = 1 << 20 // bytes that macros of the document write in all
	maxMacro    = 4000    // bytes of a macro of the document
	maxArg      = 1 << 16 // bytes of an argument
	maxFailed   = 100     // arguments without an end; further ones are text
	maxOpen     = 200     // groups and environments within one another
)

// Read converts LaTeX. Errors are from ctx.
func Read(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
	if err := ctx.Err(); err != nil {
		return document.Document{}, err
	}
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", " ").Replace(charset.Decode(raw, "").Text)
	w := &writer{ctx: ctx, b: document.NewBuilder(limits), macros: map[string]user{}, left: maxExpanded, missing: map[string]bool{}}
	preamble, body, whole := strings.Cut(text, `\begin{document}`)
	if whole {
		if n := strings.LastIndex(body, `\end{document}`); n >= 0 {
			body = body[:n]
		}
	} else {
		preamble, body = "", text
	}
	w.top = 2 // without a title, sections are still below it
	if chapters().MatchString(body) {
		w.top = 3
	}
	meta := document.Meta{}
	w.preamble(uncommented(preamble))
	p := w.fork()
	for name, arg := range titles(preamble + body[:min(len(body), maxArg)]) {
		switch text := p.plain(arg); name {
		case "title":
			meta.Title = text
		case "date":
			if !strings.Contains(arg, `\today`) {
				meta.Date = text
			}
		case "author":
			for a := range strings.SplitSeq(strings.ReplaceAll(arg, `\\`, `\and`), `\and`) {
				if a = p.plain(a); a != "" && len(a) < 60 && !strings.Contains(a, "@") && len(meta.Authors) < 20 {
					meta.Authors = append(meta.Authors, a)
				}
			}
		}
	}
	w.b.Head(meta)
	if meta.Title != "" {
		w.b.Block("h1", meta.Title)
	}
	w.run(body)
	w.endPara()
	w.b.Close(0)
	for i := 0; i < len(w.notes) && !w.done(); i++ {
		w.b.Start("aside", "role", document.Footnote, "id", "note-"+strconv.Itoa(i+1))
		w.stack = w.stack[:0]
		w.run(w.notes[i])
		w.endPara()
		w.b.Close(0)
	}
	return w.b.Document(), ctx.Err()
}

var (
	chapters = lazyregexp.New(`\\chapter\*?[\[{]`)
	titleOf  = lazyregexp.New(`\\(title|author|date)\s*(?:\[[^\]]*\])?\{`)
	comment  = lazyregexp.New(`(?m)(^|[^\\%])%.*\n?`)
)

// uncommented returns text without comments.
func uncommented(text string) string { return comment().ReplaceAllString(text, "$1") }

// titles returns the arguments of \title, \author and \date.
func titles(text string) map[string]string {
	found := map[string]string{}
	text = uncommented(text)
	for _, m := range titleOf().FindAllStringSubmatchIndex(text, 20) {
		if name, end := text[m[2]:m[3]], brace(text, m[1]-1); end > 0 && found[name] == "" {
			found[name] = text[m[1]:end]
		}
	}
	return found
}

// brace returns the offset of the brace that closes the one at an offset, -1 if there is none
// within the limit.
func brace(text string, at int) int {
	depth := 0
	for i := at; i < min(len(text), at+maxArg); i++ {
		switch text[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// user is a macro of the document.
type user struct {
	args     int
	first    string // default of the first argument
	optional bool   // the first argument is optional
	body     string
}

var define = lazyregexp.New(`\\(?:re|provide|Declare)?(?:new|robust)?(?:command|Robust[cC]ommand|def)\*?\s*\{?\s*\\([A-Za-z]+)\s*\}?((?:\s*\[[^\]\n]*\])*|(?:#\d)*)\s*\{`)

// preamble reads the macros of a preamble.
func (w *writer) preamble(text string) {
	for failed := 0; failed < maxFailed; {
		m := define().FindStringSubmatchIndex(text)
		if m == nil {
			return
		}
		end := brace(text, m[1]-1)
		if end < 0 {
			failed++
			text = text[m[1]:]
			continue
		}
		w.define(text[m[2]:m[3]], text[m[4]:m[5]], text[m[1]:end])
		text = text[end:]
	}
}

var bracketed = lazyregexp.New(`\[([^\]]*)\]`)

// define stores a macro.
func (w *writer) define(name, args, body string) {
	if len(body) > maxMacro || len(w.macros) > 5000 || known(name) {
		return
	}
	u := user{body: body, args: strings.Count(args, "#")}
	for i, m := range bracketed().FindAllStringSubmatch(args, 2) {
		if i == 0 {
			u.args, _ = strconv.Atoi(m[1])
		} else {
			u.first, u.optional = m[1], true
		}
	}
	if u.args <= 9 {
		w.macros[name] = u
	}
}
