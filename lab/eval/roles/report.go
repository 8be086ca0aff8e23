package roles

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"chaffinch/internal/table"
	"chaffinch/page"
)

// WriteText writes the figures of a result for reading in a terminal: all roles, the confusion
// matrix, and the second annotation.
func WriteText(w io.Writer, r *Result) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s: %d pages, %d blocks, %d words\n", r.System, r.Pages, r.Blocks.total(), r.Words.total())
	for _, n := range r.Notes {
		fmt.Fprintf(out, "note: %s\n", n)
	}
	t := table.New("", ">accuracy", "", ">kappa", "", ">macro F", "", ">by words", "")
	overall := func(name string, r *Result) {
		t.Add(name, percent(r.Accuracy.Value), interval(r.Accuracy), kappa(r.Kappa.Value), "", percent(r.MacroF.Value), interval(r.MacroF), percent(r.WordAccuracy.Value), interval(r.WordAccuracy))
	}
	overall(r.System, r)
	if s := r.Second; s != nil {
		overall(fmt.Sprintf("second reading of %d pages", s.Pages), s)
	}
	if err := t.Write(out, ""); err != nil {
		return err
	}
	fmt.Fprintln(out)
	t = table.New("role", ">blocks", ">P", ">R", ">F", "", ">second", ">words", ">P", ">R", ">F", "")
	for _, f := range r.Roles {
		t.Add(f.Role.String(), strconv.Itoa(f.Blocks), percent(f.Precision.Value), percent(f.Recall.Value), percent(f.F.Value), interval(f.F), percent(f.Second),
			strconv.Itoa(f.Words), percent(f.WordPrecision.Value), percent(f.WordRecall.Value), percent(f.WordF.Value), interval(f.WordF))
	}
	if err := t.Write(out, ""); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nblocks: rows are the annotated roles, columns the predicted roles")
	if err := writeMatrix(out, r); err != nil {
		return err
	}
	return out.Flush()
}

// writeMatrix writes the number of blocks by gold role and predicted role.
func writeMatrix(w io.Writer, r *Result) error {
	var given []page.Role
	head := []string{""}
	for role := page.NoRole; int(role) < count; role++ {
		if r.Blocks.given(role) > 0 {
			given = append(given, role)
			head = append(head, ">"+short(role))
		}
	}
	t := table.New(head...)
	for role := page.RoleTitle; int(role) < count; role++ {
		if r.Blocks.gold(role) == 0 {
			continue
		}
		row := []string{role.String()}
		for _, g := range given {
			cell := strconv.Itoa(r.Blocks[role][g])
			if cell == "0" {
				cell = "·"
			}
			row = append(row, cell)
		}
		t.Add(row...)
	}
	return t.Write(w, "")
}

// short returns the heading of a column of the matrix.
func short(r page.Role) string {
	if r == page.NoRole {
		return "none"
	}
	return r.String()[:min(len(r.String()), 5)]
}

// WriteGroups writes a line for each group of pages.
func WriteGroups(w io.Writer, groups []*Result) error {
	if len(groups) == 0 {
		return nil
	}
	t := table.New(groups[0].Field, ">pages", ">blocks", ">accuracy", ">kappa", ">macro F", ">by words")
	for _, g := range groups {
		t.Add(g.Value, strconv.Itoa(g.Pages), strconv.Itoa(g.Blocks.total()), percent(g.Accuracy.Value), kappa(g.Kappa.Value), percent(g.MacroF.Value), percent(g.WordAccuracy.Value))
	}
	return t.Write(w, "")
}

// WriteErrors writes the blocks with a wrong role as a table (TSV): page, number of the block from
// 0, byte range, gold role, role of the second annotation, predicted role, text.
func WriteErrors(w io.Writer, s *Set, o *Output) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "page\tblock\tstart\tend\tgold\tsecond\tgiven\ttext")
	for _, p := range s.Pages {
		for _, b := range p.Blocks {
			given := page.NoRole
			if roles := o.Roles[p.Item]; roles != nil {
				given = roles[b.Index]
			}
			if given == b.Gold {
				continue
			}
			x := &p.Item.Page.Blocks[b.Index]
			fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", p.Name(), b.Index, x.Start, x.End, b.Gold, b.Second, given, strings.Join(strings.Fields(x.Text), " "))
		}
	}
	return out.Flush()
}

// WriteJSON writes results as JSON with figures as fractions. Undefined figures are omitted.
func WriteJSON(w io.Writer, results []*Result) error {
	type object = map[string]any
	var build func(r *Result) object
	build = func(r *Result) object {
		o := object{"system": r.System, "pages": r.Pages, "blocks": r.Blocks.total(), "words": r.Words.total()}
		put(o, "accuracy", r.Accuracy)
		put(o, "word_accuracy", r.WordAccuracy)
		put(o, "kappa", r.Kappa)
		put(o, "macro_f", r.MacroF)
		if r.Field != "" {
			o["field"], o["value"] = r.Field, r.Value
		}
		if len(r.Notes) > 0 {
			o["notes"] = r.Notes
		}
		roles := object{}
		for _, f := range r.Roles {
			x := object{"blocks": f.Blocks, "words": f.Words}
			put(x, "precision", f.Precision)
			put(x, "recall", f.Recall)
			put(x, "f", f.F)
			put(x, "word_precision", f.WordPrecision)
			put(x, "word_recall", f.WordRecall)
			put(x, "word_f", f.WordF)
			if !math.IsNaN(f.Second) {
				x["second_f"] = f.Second
			}
			given := object{}
			for g := page.NoRole; int(g) < count; g++ {
				if n := r.Blocks[f.Role][g]; n > 0 {
					given[roleName(g)] = n
				}
			}
			x["given"] = given
			roles[f.Role.String()] = x
		}
		o["roles"] = roles
		if r.Second != nil {
			o["second"] = build(r.Second)
		}
		return o
	}
	all := []object{}
	for _, r := range results {
		all = append(all, build(r))
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(object{"results": all})
}

// put sets a field to a value with its interval, if they are defined.
func put(o map[string]any, name string, v Value) {
	if math.IsNaN(v.Value) {
		return
	}
	x := map[string]float64{"value": v.Value}
	if !math.IsNaN(v.Low) {
		x["low"], x["high"] = v.Low, v.High
	}
	o[name] = x
}

func roleName(r page.Role) string {
	if r == page.NoRole {
		return "none"
	}
	return r.String()
}

func percent(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return strconv.FormatFloat(100*x, 'f', 1, 64)
}

func kappa(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

func interval(v Value) string {
	if math.IsNaN(v.Low) {
		return ""
	}
	return percent(v.Low) + "–" + percent(v.High)
}
