package latex

import (
	"strings"

	"chaffinch/internal/sets"
)

// known reports whether a macro has a meaning that documents do not change.
func known(name string) bool {
	_, style := styles[name]
	_, heading := headings[name]
	_, symbol := symbols[name]
	return style || heading || symbol || name == "item" || name == "footnote" || name == "begin" || name == "end" || name == "par" || name == "url" || name == "href"
}

// Environments.
var (
	verbatim = sets.Words("verbatim lstlisting minted Verbatim alltt Highlighting code BVerbatim LVerbatim verbatimtab")
	skipped  = sets.Words("comment tikzpicture picture pgfpicture filecontents tikzcd pspicture asy asydef pycode luacode bibdiv prooftree")
	formulas = sets.Words("equation align gather multline eqnarray displaymath math flalign alignat dmath narrowmultline narrowalign")
	lists    = sets.Words("itemize enumerate description compactitem compactenum inparaenum list trivlist tasks easylist")
	tables   = sets.Words("tabular tabularx longtable tabulary supertabular xltabular tblr")
)

// headings contains the levels of headings below the level of sections.
var headings = map[string]int{"part": -1, "chapter": -1, "section": 0, "subsection": 1, "subsubsection": 2, "paragraph": 3, "subparagraph": 4, "addchap": -1, "addsec": 0, "frametitle": 1}

// styles contains the macros with text as their argument, and their elements.
var styles = map[string]string{
	"textbf": "b", "strong": "b", "textit": "i", "emph": "i", "textsl": "i", "texttt": "code", "code": "code", "textsuperscript": "sup", "textsubscript": "sub",
	"textsc": "", "textrm": "", "textsf": "", "textmd": "", "textup": "", "textnormal": "", "underline": "u", "uline": "u", "sout": "s", "text": "", "mbox": "", "hbox": "", "fbox": "", "makebox": "", "framebox": "",
	"centerline": "", "enquote": "q", "uppercase": "", "MakeUppercase": "", "lowercase": "", "ensuremath": "", "textquote": "q", "ul": "u", "hl": "", "sloppypar": "", "boxed": "", "pandocbounded": "", "leftline": "", "rightline": "", "tt*": "",
}

// switches contains the macros that change the style up to the end of a group.
var switches = map[string]string{
	"bf": "b", "bfseries": "b", "it": "i", "itshape": "i", "em": "i", "sl": "i", "slshape": "i", "tt": "code", "ttfamily": "code", "rm": "", "sf": "", "sc": "", "scshape": "", "normalfont": "", "rmfamily": "", "sffamily": "", "upshape": "", "mdseries": "",
	"tiny": "", "scriptsize": "", "footnotesize": "", "small": "", "normalsize": "", "large": "", "Large": "", "LARGE": "", "huge": "", "Huge": "", "centering": "", "raggedright": "", "raggedleft": "", "frontmatter": "", "mainmatter": "", "backmatter": "", "appendix": "",
	"maketitle": "", "tableofcontents": "", "listoffigures": "", "listoftables": "", "printindex": "", "hline": "", "toprule": "", "midrule": "", "bottomrule": "", "fi": "", "else": "", "relax": "", "protect": "", "leavevmode": "", "hfill": "", "hfil": "", "dotfill": "",
	"sloppy": "", "null": "", "makeatletter": "", "makeatother": "", "ignorespaces": "", "unskip": "", "endinput": "", "iftrue": "", "qed": "", "qedhere": "", "doublespacing": "", "singlespacing": "", "onehalfspacing": "", "endfoot": "", "endlastfoot": "", "allowbreak": "",
}

// dropped contains the macros without text and the number of their arguments.
var dropped = countOf(map[int]string{
	1: `label ref eqref pageref autoref cref Cref nameref vref cite citep citet citealp citeauthor citeyear parencite textcite autocite footcite nocite index glossary gls input include includegraphics includeonly usepackage RequirePackage documentclass
		documentstyle bibliographystyle bibliography printbibliography vspace hspace pagestyle thispagestyle pagenumbering phantomsection vskip hskip title author date hypersetup graphicspath usetikzlibrary newtheorem theoremstyle
		newcounter stepcounter refstepcounter addtocounter color pagecolor stretch vphantom hphantom phantom setlist lstset geometry includesvg institute affiliation email address keywords subjclass footnotemark newlength newif ifx ifthenelse
		bibitem pdfbookmark markright tikzset pgfplotsset captionsetup newglossaryentry newacronym cline cmidrule rowcolor cellcolor columncolor arraybackslash includepdf todo hyphenation lstinputlisting listfiles ProvidesFile ProvidesPackage NeedsTeXFormat setmainfont setsansfont setmonofont setmainlanguage newgeometry AxiomC UnaryInfC BinaryInfC TrinaryInfC RightLabel LeftLabel indexsee indexdef selectfont foreach`,
	2: `setcounter setlength addtolength addcontentsline markboth newenvironment renewenvironment rule fancyhead titleformat titlespacing DeclareMathOperator definecolor newsavebox setbox let numberwithin addbibresource AtBeginDocument inputminted`,
	3: "addtocontents hyperdef DeclareUnicodeCharacter colorlet SetKwInOut",
})

func countOf(lists map[int]string) map[string]int {
	counts := map[string]int{}
	for n, names := range lists {
		for name := range strings.FieldsSeq(names) {
			counts[name] = n
		}
	}
	return counts
}

// symbols contains the macros that are characters.
var symbols = map[string]string{
	"%": "%", "&": "&", "$": "$", "#": "#", "_": "_", "{": "{", "}": "}", " ": " ", "\n": " ", ",": "\u202f", ";": " ", ":": " ", "!": "", "/": "", "-": "", "@": "", "quad": " ", "qquad": " ", "space": " ", "enspace": " ", "thinspace": "\u202f",
	"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
	"ldots": "…", "dots": "…", "textellipsis": "…", "textendash": "–", "textemdash": "—", "textbackslash": `\`, "textasciitilde": "~", "textasciicircum": "^", "textbar": "|", "textless": "<", "textgreater": ">", "textunderscore": "_", "textbraceleft": "{", "textbraceright": "}",
	"textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“", "textquotedblright": "”", "textquotesingle": "'", "textquotedbl": `"`, "guillemotleft": "«", "guillemotright": "»", "glqq": "„", "grqq": "“", "flqq": "«", "frqq": "»", "quotedblbase": "„", "lq": "‘", "rq": "’",
	"LaTeX": "LaTeX", "TeX": "TeX", "LaTeXe": "LaTeX2e", "XeTeX": "XeTeX", "XeLaTeX": "XeLaTeX", "LuaTeX": "LuaTeX", "BibTeX": "BibTeX", "S": "§", "P": "¶", "dag": "†", "ddag": "‡", "copyright": "©", "textcopyright": "©", "textregistered": "®", "texttrademark": "™", "pounds": "£", "euro": "€", "texteuro": "€",
	"textdegree": "°", "degree": "°", "textbullet": "•", "textperiodcentered": "·", "textmu": "µ", "textonehalf": "½", "textonequarter": "¼", "texttimes": "×", "textpm": "±", "slash": "/", "textvisiblespace": "␣", "lbrack": "[", "rbrack": "]", "textasteriskcentered": "*", "nobreakspace": " ", "textrightarrow": "→", "textleftarrow": "←", "today": "",
}

// accents contains the combining marks of accents.
var accents = map[string]rune{"'": '\u0301', "`": '\u0300', "^": '\u0302', `"`: '\u0308', "~": '\u0303', "=": '\u0304', ".": '\u0307', "u": '\u0306', "v": '\u030c', "H": '\u030b', "c": '\u0327', "k": '\u0328', "r": '\u030a', "d": '\u0323', "b": '\u0331'}
