package vertical

// batch is a part of a vertical that is processed by one run of a tagger.
type batch struct {
	// lines are the output lines. ends are the positions in them where the columns of each
	// token are inserted.
	lines []byte
	ends  []int
	// words holds the tokens in the form of the tagger's input. Token i is
	// words[starts[i]:starts[i+1]].
	words  []byte
	starts []int
	// rows are the columns of each token as output, in text.
	rows []row
	text []byte
	// why describes the failures of sentences that the last run left over.
	why map[int]string
	// sents are the sentences.
	sents []sent
	open  int // first token of the current sentence
	line  int64
	doc   string
	// lang and docLang are the languages of the current paragraph and document.
	lang, docLang string

	err      error // of its taggers
	problems []problem
	report   TaggerReport
}

// row is a piece of batch.text. It is empty for a token without columns.
type row struct{ from, to int }

// sent is a sentence of a batch: its tokens and its position.
type sent struct {
	first, end int
	line       int64
	doc        string
	// lang and docLang are the languages of its paragraph and document.
	lang, docLang string
}

func newBatch(doc, lang string) *batch {
	return &batch{doc: doc, lang: lang, docLang: lang, starts: []int{0}}
}

// token adds a token. The tagger receives its decoded word without control characters, which
// would end its line or column.
func (b *batch) token(l *Line) {
	if len(b.ends) == b.open {
		b.line = l.Number
	}
	b.lines = AppendLine(b.lines, l)
	b.ends = append(b.ends, len(b.lines)-1)
	for _, c := range l.Fields[0] {
		if c < 0x20 || c == 0x7f {
			c = '_'
		}
		b.words = append(b.words, c)
	}
	b.starts = append(b.starts, len(b.words))
}

// end ends the current sentence, if it has a token.
func (b *batch) end() {
	if n := len(b.ends); n > b.open {
		b.sents = append(b.sents, sent{b.open, n, b.line, b.doc, b.lang, b.docLang})
		b.open = n
	}
}

// word returns a token in the form of the tagger's input.
func (b *batch) word(i int) []byte { return b.words[b.starts[i]:b.starts[i+1]] }

// input returns the tagger's input for the sentences.
func (b *batch) input(sents []int, style string) []byte {
	n := 0
	for _, i := range sents {
		n += b.starts[b.sents[i].end] - b.starts[b.sents[i].first] + b.sents[i].end - b.sents[i].first + 9
	}
	in := make([]byte, 0, n)
	for _, i := range sents {
		if style == "tags" {
			in = append(in, "<s>\n"...)
		}
		for k := b.sents[i].first; k < b.sents[i].end; k++ {
			in = append(in, b.word(k)...)
			in = append(in, '\n')
		}
		switch style {
		case "tags":
			in = append(in, "</s>\n"...)
		case "blank":
			in = append(in, '\n')
		}
	}
	return in
}

// count adds the results of b to rep.
func (b *batch) count(rep *TaggerReport) {
	rep.Sentences += int64(len(b.sents))
	rep.Tokens += int64(len(b.ends))
	rep.SentencesLeft += b.report.SentencesLeft
	rep.TokensLeft += b.report.TokensLeft
	rep.Short += b.report.Short
	rep.Extra += b.report.Extra
	rep.Starts += b.report.Starts
	rep.Deaths += b.report.Deaths
}

// merge appends the lines with their columns.
func (b *batch) merge(dst []byte, columns int) []byte {
	last := 0
	for i, end := range b.ends {
		dst = append(dst, b.lines[last:end]...)
		last = end
		if r := b.rows[i]; r.to > r.from {
			dst = append(dst, b.text[r.from:r.to]...)
			continue
		}
		for range columns {
			dst = append(dst, '\t')
		}
	}
	return append(dst, b.lines[last:]...)
}
