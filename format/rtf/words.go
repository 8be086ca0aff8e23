package rtf

import (
	"fmt"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/document/flow"
	"chaffinch/internal/sets"
)

// characters contains the control words for characters.
var characters = map[string]rune{
	"emdash": '—', "endash": '–', "lquote": '‘', "rquote": '’', "ldblquote": '“', "rdblquote": '”', "bullet": '•', "emspace": '\u2003', "enspace": '\u2002', "qmspace": '\u2005',
	"zwj": '\u200d', "zwnj": '\u200c', "zwbo": '\u200b', "zwnbo": '\u2060', "ltrmark": '\u200e', "rtlmark": '\u200f', "tab": '\t', "line": '\n', "softline": '\n', "lbr": '\n',
}

// dropped contains destinations without text of the document.
var dropped = sets.Words(`aftncn aftnsep aftnsepc annotation atnauthor atndate atnicn atnid atnparent atnref atntime atrfend atrfstart background bkmkend bkmkstart
	colorschememapping colortbl comment company datafield datastore defchp defpap docvar factoidname falt fchars filetbl fldtype fontemb fontfile footnotesep formfield ftncn ftnsep ftnsepc
	generator gridtbl hlinkbase keycode latentstyles lchars listpicture listtext manager mmathPr nextfile nonesttables nonshppict objalias objclass objdata object objname
	objsect oldcprops oldpprops oldsprops oldtprops operator panose passwordhash pgp pgptbl picprop pict pnseclvl pntext pntxta pntxtb printim private protstart protend
	protusertbl rsidtbl revtbl rxe shprslt sn sp staticval subject sv svb tc template themedata tleft txe upr userprops wgrffmtfilter windowcaption writereservation xe xmlattrname
	xmlclose xmlname xmlnstbl xmlopen`)

// restored contains destinations with text of the document within dropped ones.
var restored = sets.Words("dptxbxtext result shptxt ud")

// starred contains destinations that are read although their groups begin with \*.
var starred = sets.Words("fldinst listtable listoverridetable nesttableprops pn shpinst do ud dptxbxtext shptxt footnote")

// skip skips the text of the group, except of destinations that are restored.
func (g *group) skip() { g.prior, g.dest = g.dest, skipped }

// word reads a control word with its parameter n.
func (r *reader) word(word string, n int, has bool) {
	g := r.g
	if g.starred {
		g.starred = false
		if !starred[word] {
			g.skip()
			return
		}
	}
	if restored[word] && g.dest == skipped {
		g.dest = g.prior
		if word != "ud" && word != "result" {
			r.pushBox()
		}
		return
	}
	if g.dest == skipped {
		return
	}
	switch word { // destinations with definitions
	case "stylesheet":
		g.dest, r.defined, r.current = styles, "", 0
		return
	case "fonttbl":
		g.dest, r.defined = fonts, ""
		return
	}
	if dropped[word] {
		g.skip()
		return
	}
	switch g.dest {
	case fonts:
		r.fontWord(word, n)
	case styles:
		r.styleWord(word, n)
	case information:
		r.infoWord(word, n)
	case lists, overrides:
		r.listed.word(word, n, len(r.groups))
	case instruction:
	default:
		r.bodyWord(word, n, has)
	}
}

// on reports whether a control word that is a switch is on.
func on(n int, has bool) bool { return !has || n != 0 }

// bodyWord reads a control word of the text.
func (r *reader) bodyWord(word string, n int, has bool) {
	g := r.g
	if c, ok := characters[word]; ok {
		r.add(string(c))
		return
	}
	switch word {
	case "ansicpg":
		r.setCodes(codePage(n))
	case "mac":
		r.setCodes("macintosh")
	case "pc":
		r.setCodes("cp437")
	case "pca":
		r.setCodes("cp850")
	case "deflang":
		r.lang, g.lang = n, n
	case "uc":
		g.unicode = max(0, min(n, 16))
	case "f":
		r.setFont(n)
	case "deff":
		r.deff = n
	case "b":
		g.bold = on(n, has)
	case "i":
		g.italic = on(n, has)
	case "v":
		g.hidden = on(n, has)
	case "deleted":
		g.deleted = on(n, has)
	case "super", "up":
		g.raised = raised(1, on(n, has))
	case "sub", "dn":
		g.raised = raised(-1, on(n, has))
	case "nosupersub":
		g.raised = 0
	case "lang":
		if g.lang = n; n == 1024 {
			g.lang = 0
		}
	case "plain":
		g.bold, g.italic, g.hidden, g.deleted, g.raised, g.lang = false, false, false, false, 0, r.lang
		r.setFont(r.deff)
	case "info":
		g.dest = information
	case "listtable":
		g.dest = lists
	case "listoverridetable":
		g.dest = overrides
	case "fldinst":
		g.dest, r.defined = instruction, ""
	case "field":
		g.href = ""
	case "footnote":
		r.pushNote()
	case "header", "headerl", "headerr", "headerf":
		r.pushPart("header", document.PageHeader)
	case "footer", "footerl", "footerr", "footerf":
		r.pushPart("footer", document.PageFooter)
	case "shpinst", "do":
		g.skip()
	default:
		r.paraWord(word, n)
	}
}

func raised(to int8, on bool) int8 {
	if !on {
		return 0
	}
	return to
}

// setFont sets the encoding of the text in a font.
func (r *reader) setFont(n int) {
	f := r.fonts[n]
	r.g.charset, r.g.symbol = r.codes, f.symbol
	if f.charset != "" {
		r.g.charset = f.charset
	}
}

// setCodes sets the code page of the document.
func (r *reader) setCodes(name string) {
	if name != "" {
		r.codes = name
		r.g.charset = name
	}
}

// fontWord reads a control word of the table of fonts.
func (r *reader) fontWord(word string, n int) {
	f := r.fonts[r.font]
	switch word {
	case "f":
		r.font = n
		return
	case "fcharset":
		f.charset = charsets[n]
		f.symbol = n == 2
	case "cpg":
		if name := codePage(n); name != "" {
			f.charset = name
		}
	default:
		return
	}
	if len(r.fonts) < 1<<16 {
		r.fonts[r.font] = f
	}
}

// endFont reads the name of a font.
func (r *reader) endFont() {
	f := r.fonts[r.font]
	if strings.HasPrefix(strings.TrimSpace(r.defined), "Symbol") {
		f.symbol, f.charset = true, ""
		r.fonts[r.font] = f
	} else if f.symbol { // letters of other symbol fonts have no meaning, but may be wrongly declared
		f.symbol = false
		r.fonts[r.font] = f
	}
	r.defined = ""
}

// styleWord reads a control word of the style sheet.
func (r *reader) styleWord(word string, n int) {
	switch word {
	case "s":
		r.current = n
	case "cs", "ts", "ds":
		r.current = -1
		return
	}
	s := r.styles[r.current]
	if s == nil {
		if len(r.styles) >= 1<<16 {
			return
		}
		s = &style{based: -1, outline: -1}
		r.styles[r.current] = s
	}
	switch word {
	case "sbasedon":
		s.based = n
	case "outlinelevel":
		s.outline = n
	}
}

// endStyle reads the name of a style.
func (r *reader) endStyle() {
	if s := r.styles[r.current]; s != nil && r.current >= 0 {
		if name := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(r.defined), ";")); name != "" {
			s.name = name
		}
	}
	r.defined, r.current = "", 0
}

// styleOf returns the role, element and outline level of a style, through the styles that it is
// based on.
func (r *reader) styleOf(n int) (role, tag string, outline int) {
	outline = -1
	known := false
	for range 32 {
		s := r.styles[n]
		if s == nil {
			break
		}
		if outline < 0 {
			outline = s.outline
		}
		name, _, _ := strings.Cut(s.name, ",") // aliases follow
		if !known {
			role, tag, known = flow.RoleOf(name)
		}
		if level, ok := strings.CutPrefix(strings.ToLower(name), "heading "); ok && outline < 0 && len(level) == 1 && level[0] >= '1' && level[0] <= '9' {
			outline = int(level[0] - '1')
		}
		n = s.based
	}
	return role, tag, outline
}

// infoWord reads a control word of the information about the document.
func (r *reader) infoWord(word string, n int) {
	switch word {
	case "title", "author", "doccomm", "creatim":
		r.g.property, r.defined = word, ""
	case "yr", "mo", "dy":
		if r.g.property == "creatim" {
			r.created[map[string]int{"yr": 0, "mo": 1, "dy": 2}[word]] = n
		}
	default:
		if characters[word] == 0 {
			r.g.property = "-"
		}
	}
}

func (r *reader) endProperty(name string) {
	text := strings.TrimSpace(r.defined)
	r.defined = ""
	switch name {
	case "title":
		r.meta.Title = text
	case "author":
		if text != "" {
			r.meta.Authors = []string{text}
		}
	case "doccomm":
		r.meta.Description = text
	}
}

func date(c [3]int) string {
	if c[0] > 9999 || c[1] < 1 || c[1] > 12 || c[2] < 1 || c[2] > 31 {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", c[0], c[1], c[2])
}
