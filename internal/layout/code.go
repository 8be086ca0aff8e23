package layout

import (
	"strings"

	"chaffinch/internal/sets"
	"chaffinch/page"
)

// langPrefixes lists the prefixes of the name of a programming language in classes that
// highlighters and the HTML standard use.
var langPrefixes = []string{"language-", "lang-", "highlight-source-", "highlight-", "brush:", "sh_"}

// codeClasses lists classes that only mark text as code. Another class of the element may be the
// name of a language.
var codeClasses = map[string]bool{"sourcecode": true, "highlight": true, "hljs": true, "code": true, "prettyprint": true, "src": true}

// langOf returns the programming language in a class attribute, or "" if there is none.
func langOf(class string) string {
	fields := strings.Fields(class)
	for i, c := range fields {
		low := strings.ToLower(c)
		for _, pre := range langPrefixes {
			if rest, ok := strings.CutPrefix(low, pre); ok {
				if rest == "" && i+1 < len(fields) { // "brush: java"
					rest = strings.ToLower(fields[i+1])
				}
				if rest = strings.TrimRight(rest, ";"); isLang(rest) {
					return rest
				}
			}
		}
	}
	if len(fields) == 2 && codeClasses[strings.ToLower(fields[0])] && knownLangs[strings.ToLower(fields[1])] {
		return strings.ToLower(fields[1])
	}
	return ""
}

// isLang reports whether s can be the name of a language and is not a word such as "none".
func isLang(s string) bool {
	switch s {
	case "", "default", "none", "plain", "text", "plaintext", "nohighlight", "source", "wrapper", "light", "dark", "copy", "lines":
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("+#-_.", c) >= 0) {
			return false
		}
	}
	return len(s) <= 20
}

// knownLangs lists names of languages that are recognised as a class beside a class such as
// "sourceCode".
var knownLangs = sets.Words(`bash c clojure cpp cs csharp css d dart diff elixir erlang fortran go groovy haskell
		html ini java javascript js json julia kotlin latex less lisp lua make makefile markdown matlab nix ocaml objc perl php
		powershell python r rb ruby rust scala scheme scss sh shell sql swift tcl toml ts typescript vb xml yaml zig`)

// MarksCode reports whether the page has text in an element for code.
func MarksCode(p *page.Page) bool {
	for i := range p.Blocks {
		if p.Blocks[i].Kind == page.Code {
			return true
		}
	}
	for i := range p.Elements {
		e := &p.Elements[i]
		switch e.Name {
		case "code", "kbd", "samp", "tt", "pre":
			return true
		}
		if e.Class == "" {
			continue
		}
		class := strings.ToLower(e.Class)
		for _, word := range [...]string{"syntaxhighlight", "codebox", "codeblock", "code-", "hljs", "codemirror", "dp-highlighter"} {
			if strings.Contains(class, word) {
				return true
			}
		}
	}
	return false
}

// CodeText returns the text of the Code n: a line for each block, with its indent. If all is set, it
// includes text that is not kept.
func (n *Node) CodeText(p *page.Page, all bool) string {
	var text []byte
	for i, c := range n.Nodes {
		b := &p.Blocks[c.Index]
		if i > 0 {
			text = append(text, '\n')
		}
		text = append(text, b.Indent...)
		if all {
			text = append(text, b.Text...)
		} else {
			text = append(text, b.Kept()...)
		}
	}
	return string(text)
}
