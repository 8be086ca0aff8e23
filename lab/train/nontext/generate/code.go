package generate

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

func number(r *rand.Rand) string {
	switch r.IntN(6) {
	case 0:
		return fmt.Sprintf("%d.%02d", r.IntN(1000), r.IntN(100))
	case 1:
		return fmt.Sprintf("%02d:%02d", r.IntN(24), r.IntN(60))
	case 2:
		return fmt.Sprintf("%d-%02d-%02d", 1990+r.IntN(40), 1+r.IntN(12), 1+r.IntN(28))
	case 3:
		return fmt.Sprintf("%d%%", r.IntN(101))
	}
	return fmt.Sprint(r.IntN(10_000))
}

// code generates lines of code, logs or tables, with or without line breaks, some with sentences of
// the document between them.
func (m *maker) code(r *rand.Rand, d *source) string {
	names := make([]string, between(r, 5, 30))
	for i := range names {
		names[i] = m.identifier(r)
	}
	line := pick(r, []func(*rand.Rand, []string) string{m.statement, m.statement, m.logLine, m.tableRow, m.tableRow, m.record, m.markup})
	sep := pick(r, []string{" ", "\n", "\n", " ; ", " "})
	prose := pick(r, []float64{0, 0, 0.1, 0.2})
	var b strings.Builder
	for n := 0; n < len(d.units); {
		l := line(r, names)
		if r.Float64() < prose {
			s := d.sentence(r)
			gaps := make([]string, len(s))
			for i := range s {
				gaps[i] = s[i].gap
			}
			l = strings.TrimSpace(m.join(wordsOf(s), gaps, true))
		}
		b.WriteString(l)
		b.WriteString(sep)
		n += max(1, len(strings.Fields(l)))
	}
	return b.String()
}

// identifier returns a program identifier.
func (m *maker) identifier(r *rand.Rand) string {
	w := common(r, m.content)
	switch r.IntN(4) {
	case 0:
		return w + capital(common(r, m.content))
	case 1:
		return w + "_" + common(r, m.content)
	case 2:
		return string([]rune(w)[:1])
	}
	return w
}

func (m *maker) statement(r *rand.Rand, names []string) string {
	a, b, c := pick(r, names), pick(r, names), pick(r, names)
	switch r.IntN(9) {
	case 0:
		return fmt.Sprintf("%s = %s(%s, %s);", a, b, c, number(r))
	case 1:
		return fmt.Sprintf("if (%s == %s) { return %s; }", a, b, c)
	case 2:
		return fmt.Sprintf("for (int i = 0; i < %s.length; i++) {", a)
	case 3:
		return fmt.Sprintf("def %s(%s, %s=None):", a, b, c)
	case 4:
		return fmt.Sprintf("var %s = function(%s) { %s.%s(); };", a, b, c, a)
	case 5:
		return fmt.Sprintf("SELECT %s, %s FROM %s WHERE %s = %s;", a, b, c, a, number(r))
	case 6:
		return fmt.Sprintf(".%s #%s { margin: %dpx; color: #%06x; }", a, b, r.IntN(40), r.IntN(1<<24))
	case 7:
		return "} else {"
	}
	return fmt.Sprintf("%s.%s = %q; // %s", a, b, c, common(r, m.content))
}

func (m *maker) logLine(r *rand.Rand, names []string) string {
	return fmt.Sprintf("%d-%02d-%02d %02d:%02d:%02d %s [%s] %s: %s %s", 2000+r.IntN(27), 1+r.IntN(12), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60),
		pick(r, []string{"INFO", "WARN", "ERROR", "debug"}), pick(r, names), common(r, m.content), pick(r, m.content), number(r))
}

func (m *maker) tableRow(r *rand.Rand, names []string) string {
	cells := make([]string, between(r, 3, 8))
	sep := pick(r, []string{" ", " | ", "\t", ", "})
	for i := range cells {
		switch r.IntN(3) {
		case 0:
			cells[i] = pick(r, m.names)
		default:
			cells[i] = number(r)
		}
	}
	return strings.Join(cells, sep)
}

func (m *maker) record(r *rand.Rand, names []string) string {
	fields := make([]string, between(r, 2, 6))
	for i := range fields {
		fields[i] = fmt.Sprintf("%q: %s", pick(r, names), pick(r, []string{number(r), fmt.Sprintf("%q", common(r, m.content)), "null", "true"}))
	}
	return "{" + strings.Join(fields, ", ") + "},"
}

func (m *maker) markup(r *rand.Rand, names []string) string {
	a := pick(r, names)
	return fmt.Sprintf("<%s class=\"%s\" id=\"%s-%d\">%s</%s>", a, pick(r, names), pick(r, names), r.IntN(100), common(r, m.content), a)
}
