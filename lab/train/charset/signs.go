package charset

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"chaffinch/text/charset/alphabet"
)

// signCounts counts symbols and cases by the classes of their neighbours, over all languages.
type signCounts struct {
	behind map[uint16]*[alphabet.Classes + 1]float64 // of a symbol after a class
	before map[uint16]*[alphabet.Classes]float64     // of a class after a symbol
	gaps   [alphabet.Classes + 1]float64             // of non-letters after a class
	after  [alphabet.Classes]float64                 // of a class after white space
	cases  [alphabet.Classes][alphabet.Classes][2]float64
}

// add counts a line.
func (s *signCounts) add(line string) { s.weigh(line, 1) }

func (s *signCounts) weigh(line string, w float64) {
	if s.behind == nil {
		s.behind, s.before = map[uint16]*[alphabet.Classes + 1]float64{}, map[uint16]*[alphabet.Classes]float64{}
	}
	var a, b alphabet.Glyph
	var rb rune = ' '
	a.Class, b.Class = alphabet.Space, alphabet.Space
	for _, r := range line + "\n" {
		if r > 0xFFFF {
			r = alphabet.RareHan
		}
		_, c, symbol := alphabet.LetterOf(r)
		before := b.Class
		if b.Symbol != 0 && r == rb {
			before = alphabet.Classes
		}
		if c == alphabet.Space || c == alphabet.Punct || c == alphabet.Number {
			s.gaps[before] += w
		}
		if symbol {
			row := s.behind[uint16(r)]
			if row == nil {
				row = new([alphabet.Classes + 1]float64)
				s.behind[uint16(r)] = row
				s.before[uint16(r)] = new([alphabet.Classes]float64)
			}
			row[before] += w
		}
		if b.Symbol != 0 {
			s.before[uint16(rb)][c] += w
		} else if b.Class == alphabet.Space {
			s.after[c] += w
		}
		switch c {
		case alphabet.Lower:
			s.cases[a.Class][b.Class][0] += w
		case alphabet.Upper:
			s.cases[a.Class][b.Class][1] += w
		}
		a, b, rb = b, alphabet.Glyph{Class: c}, r
		if symbol {
			b.Symbol = 1
		}
	}
}

// typographic returns line with typographic punctuation: straight quotes and hyphens are replaced
// by the i-th of several styles.
func typographic(line string, i int) string {
	quotes := [...][4]string{
		{"“", "”", "‘", "’"}, {"„", "“", "‚", "‘"}, {"«", "»", "‹", "›"}, {"\"", "\"", "'", "'"},
		{"„", "”", "‚", "’"}, {"« ", " »", "‹", "’"}, {"”", "”", "’", "’"}, {"\"", "\"", "'", "’"},
	}[i%8]
	var b strings.Builder
	open := false
	runes := []rune(line)
	for j, r := range runes {
		switch {
		case r == '"':
			if open = !open; open {
				b.WriteString(quotes[0])
			} else {
				b.WriteString(quotes[1])
			}
		case r == '\'' && j > 0 && unicode.IsLetter(runes[j-1]):
			b.WriteString(quotes[3])
		case r == '\'':
			b.WriteString(quotes[2])
		case r == '-' && j > 0 && runes[j-1] == ' ' && i%3 > 0:
			b.WriteString([...]string{"", "–", "—"}[i%3])
		default:
			b.WriteRune(r)
		}
	}
	if i%16 == 3 {
		return strings.Replace(b.String(), "...", "…", 1)
	}
	if i%64 == 5 {
		return quotes[0] + b.String() + quotes[1]
	}
	return b.String()
}

// signPatterns lists uses of symbols that are rare in running text, with their weights.
var signPatterns = []struct {
	n    float64
	text string
}{
	{600, "© 2005 Name"}, {300, "Copyright © 1999-2005"}, {150, "Name® and Name™, name®."}, {400, "£5 £20.5 (£3) 5£"}, {400, "€5 € 20 5 € 100€ (€3)"},
	{300, "20 °C 20°C 5° N"}, {250, "§ 12 §5 (§ 3) §§ 3"}, {600, "text · text · text"}, {500, "• item text"}, {200, "a ½ b 2½ ¼ ¾"}, {200, "3 × 4 3×4"},
	{200, "± 5 ±3"}, {400, "n. º 5 nº 5 1º 2ª la 3ª"}, {100, "5 ¥ ¥500 ¢ 5¢"}, {100, "10 m² m³ km² 5²"}, {60, "µm 5 µg"}, {800, "» text » text"}, {400, "« text"},
	{500, "a b, c d. e: f"}, {300, "¿Que? ¡Ay! (¿si?)"}, {300, "word… word …word word…"}, {800, "word – word — word, 1990–1995 word—word"}, {100, "† 1950 ‡ 5"},
	{40, "─────────── ══════════ ████ ░░░░"}, {20, "│ text │ text │"}, {20, "║ text ║ text ║"}, {10, "┌─────┐ └─────┘ ├──┤ ┬ ┴ ┼ ╔════╗ ╚════╝ ╠══╣"},
	{40, "¬ ¦ ¨ ¯ ´ ¸ ÷ ¶ ‰ ¹ ³"}, {30, "№ 5 №5"}, {200, "„text“ ‚text‘ »text« ›text‹"}, {300, "l’eau d’un it’s don’t"}, {100, "■ text □ ▪ text ● ○ ★ ☆ → ←"},
	{400, "text\u00a0: text\u00a0! 5\u00a0000 \u00a0\u00a0\u00a0\u00a0 text"}, {20, "≤ ≥ ≠ ≈ ∞ √ ∑ ∏ π ∫ ∂ Δ"}, {5, "˚ ˝ ˛ ˇ ˆ ˜ ˙ ˘"},
	{2000, "。 、 字，字。字、字「字」字！字？（字）"}, {300, "・カ・ラ　字　字『字』【字】字：字；字〜"},
}

func (s *signCounts) patterns() {
	for _, p := range signPatterns {
		s.weigh(p.text, p.n)
	}
}

// inUnits returns -log2 p in units, at most 255.
func inUnits(p float64) uint8 {
	return uint8(min(max(math.Round(-math.Log2(p)*alphabet.Unit), 0), 255))
}

// rows returns the costs of the symbols in ascending order.
func (s *signCounts) rows() (rows []alphabet.SymbolRow) {
	symbols := slices.Sorted(maps.Keys(s.behind))
	all, after := 0.0, 0.0
	for _, n := range s.gaps {
		all += n
	}
	for _, n := range s.after {
		after += n
	}
	for _, c := range symbols {
		row := alphabet.SymbolRow{Symbol: c}
		n := 0.0
		for _, m := range s.behind[c] {
			n += m
		}
		if n < 0.5 || c == '¤' { // the currency sign hardly occurs, though some texts mention it
			continue
		}
		for k, m := range s.behind[c] {
			const pseudo = 200
			row.Behind[k] = min(inUnits((m+pseudo*n/all)/(s.gaps[k]+pseudo)), (alphabet.CostSymbol-3)*alphabet.Unit)
		}
		total := 0.0
		for _, m := range s.before[c] {
			total += m
		}
		for k, m := range s.before[c] {
			const pseudo = 8
			general := (s.after[k] + 1) / (after + float64(alphabet.Classes))
			p := (m + float64(pseudo*general)) / (total + pseudo)
			row.Before[k] = uint8(alphabet.Even + min(max(math.Round(-math.Log2(p/general)*alphabet.Unit), -4*alphabet.Unit), 8*alphabet.Unit))
		}
		rows = append(rows, row)
	}
	return rows[:min(len(rows), 250)]
}

// caseCosts returns the costs of small letters and capitals.
func (s *signCounts) caseCosts() (t [alphabet.Classes][alphabet.Classes][2]uint8) {
	for a := range t {
		for b := range t[a] {
			n := s.cases[a][b]
			sum := n[0] + n[1]
			for k := range n {
				t[a][b][k] = min(inUnits((n[k]+4)/(sum+8)), 9*alphabet.Unit)
			}
		}
	}
	return t
}
