package rst

import (
	"encoding/csv"
	"strings"
)

// directives contains names of directives by the part of them that is read.
var directives = map[string]string{
	"pre": "code code-block sourcecode parsed-literal doctest testcode testoutput prompt ipython productionlist console-output highlight-block",
	"drop": `image toctree contents index include literalinclude raw highlight currentmodule module py:module py:currentmodule autosummary testsetup testcleanup meta sectnum section-numbering default-role role tabularcolumns graphviz digraph graph uml mermaid plot
		bibliography target-notes header footer cssclass default-domain program sectionauthor codeauthor moduleauthor inheritance-diagram youtube vimeo raw-html
		c:namespace cpp:namespace js:module date unicode comment`,
	"note":    "note warning tip important caution danger error attention hint seealso todo versionadded versionchanged deprecated deprecated-removed versionremoved availability soft-deprecated impl-detail audit-event",
	"titled":  "admonition topic sidebar dropdown tab tab-item grid-item-card card group-tab details collapse",
	"quote":   "epigraph highlights pull-quote blockquote",
	"content": "container compound rst-class only ifconfig hlist centered acks glossary tabs grid grid-item tab-set line-block table-wrapper",
	"heading": "rubric",
	"math":    "math",
	"figure":  "figure",
	"table":   "table list-table csv-table",
	"desc":    "function class method attribute data exception option confval envvar describe object cmdoption staticmethod classmethod decorator property opcode macro type var member directive setting signal reqmeta autoclass autofunction automethod autodata autoexception autoattribute autoproperty",
}

// kinds contains the part of each directive that is read.
var kinds = kindsOf(directives)

func kindsOf(lists map[string]string) map[string]string {
	kinds := map[string]string{}
	for kind, names := range lists {
		for name := range strings.FieldsSeq(names) {
			kinds[name] = kind
		}
	}
	return kinds
}

// directive writes the text of a directive. Of unknown ones, the content is written.
func (w *writer) directive(name, args string, body []string, depth int) {
	kind := kinds[name]
	if _, object, ok := strings.Cut(name, ":"); ok && kind == "" {
		if kind = "desc"; object == "module" || object == "currentmodule" || object == "namespace" {
			kind = "drop"
		}
	}
	if kind == "desc" {
		w.describe(name, args, body, depth)
		return
	}
	options, body := optionsOf(body)
	switch kind {
	case "drop":
	case "pre":
		w.b.Block("pre", strings.Join(body, "\n"))
	case "math":
		if text := strings.TrimSpace(args + " " + strings.Join(body, " ")); text != "" {
			w.b.Block("p", "$"+text+"$")
		}
	case "note":
		w.b.Start("div", "class", "note")
		w.args(args, body, depth)
		w.b.End()
	case "titled":
		w.b.Start("div", "class", "note")
		w.paragraph("p", []string{args})
		w.blocks(body, depth+1)
		w.b.End()
	case "quote":
		w.b.Start("blockquote")
		w.args(args, body, depth)
		w.b.End()
	case "heading":
		w.paragraph("p", []string{args})
	case "figure":
		if len(body) > 0 {
			w.b.Start("figure")
			w.b.Start("figcaption")
			w.short(body, depth)
			w.b.End()
			w.b.End()
		}
	case "table":
		w.tableOf(name, args, options, body, depth)
	default:
		w.blocks(body, depth+1)
	}
}

// args writes the argument of a directive and its content. Lines that follow the argument continue
// it.
func (w *writer) args(args string, body []string, depth int) {
	if args == "" {
		w.blocks(body, depth+1)
		return
	}
	n := untilBlank(body)
	w.blocks(append([]string{args}, body[:n]...), depth+1)
	w.blocks(body[n:], depth+1)
}

// describe writes the description of an object, such as a function.
func (w *writer) describe(name, args string, body []string, depth int) {
	if name == "class" && len(body) == 0 {
		return // a class of HTML
	}
	signatures := []string{args}
	for len(body) > 0 && body[0] != "" && strings.HasSuffix(args, "\\") {
		args, body = body[0], body[1:]
		signatures = append(signatures, args)
	}
	_, body = optionsOf(body)
	w.b.Start("dl")
	for _, s := range signatures {
		if s = strings.TrimSpace(strings.TrimSuffix(s, "\\")); s != "" {
			w.b.Start("dt")
			w.b.Block("code", s)
			w.b.End()
		}
	}
	w.b.Start("dd")
	w.blocks(dedent(body), depth+1)
	w.b.End()
	w.b.End()
}

// optionsOf returns the options that the content of a directive begins with, and the rest.
func optionsOf(body []string) (options map[string]string, rest []string) {
	options = map[string]string{}
	for len(body) > 0 {
		m := fieldMark().FindStringSubmatch(body[0])
		if m == nil {
			break
		}
		options[strings.ToLower(m[1])] = m[2]
		body = body[1:]
		for len(body) > 0 && strings.HasPrefix(body[0], " ") {
			body = body[1:]
		}
	}
	return options, dedent(body)
}

// tableOf writes the table of a directive.
func (w *writer) tableOf(name, args string, options map[string]string, body []string, depth int) {
	heads := len(options["header-rows"]) > 0 && options["header-rows"] != "0"
	switch name {
	case "table":
		w.caption = args
		w.blocks(body, depth+1)
		w.caption = ""
	case "list-table":
		var rows [][][]string
		for n := 0; n < len(body); {
			if body[n] == "" {
				n++
				continue
			}
			if !bullet().MatchString(body[n]) {
				break
			}
			row, size := item(body[n:], len(bullet().FindString(body[n])))
			n += size
			var cells [][]string
			for row = dedent(row); len(row) > 0; {
				m := bullet().FindString(row[0])
				if m == "" {
					row = row[1:]
					continue
				}
				if m == row[0] {
					m += " "
				}
				cell, size := item(row, len(m))
				cells = append(cells, cell)
				row = row[size:]
			}
			rows = append(rows, cells)
		}
		w.table(args, rows, heads, depth)
	case "csv-table":
		text := strings.Join(body, "\n")
		if h := options["header"]; h != "" {
			text, heads = h+"\n"+text, true
		}
		r := csv.NewReader(strings.NewReader(text))
		r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = -1, true, true
		records, err := r.ReadAll()
		if err != nil {
			return
		}
		var rows [][][]string
		for _, record := range records {
			var cells [][]string
			for _, c := range record {
				cells = append(cells, strings.Split(c, "\n"))
			}
			rows = append(rows, cells)
		}
		w.table(args, rows, heads, depth)
	}
}
