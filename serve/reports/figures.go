package reports

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"chaffinch/internal/report"
	"chaffinch/internal/truth"
)

// figures shows JSON whose shape is not known: single values as facts, objects of
// values and lists of objects as tables, what lies deeper as tables with longer names.
func (v *View) figures(x any) { v.lay("", x, 0) }

// maxDeep is the maximum depth of tables, maxTables their number, maxTitle the maximum size
// of a value in the title of another table, in bytes.
const (
	maxTitle  = 30
	maxDeep   = 6
	maxTables = 60
)

func (v *View) lay(name string, x any, depth int) {
	if depth > maxDeep || len(v.Tables) >= maxTables {
		return
	}
	switch x := x.(type) {
	case map[string]any:
		v.layObject(name, x, depth)
	case []any:
		v.layList(name, x, depth)
	default:
		v.fact(name, cell(x))
	}
}

// inside is the name of something in something.
func inside(name, key string) string {
	if name == "" {
		return key
	}
	return name + " · " + key
}

func (v *View) layObject(name string, x map[string]any, depth int) {
	keys := slices.Sorted(maps.Keys(x))
	if rows := objects(slices.Collect(func(yield func(any) bool) {
		for _, k := range keys {
			if !yield(x[k]) {
				return
			}
		}
	})); rows != nil && depth > 0 { // objects of one shape by name
		v.rows(name, keys, rows, depth)
		return
	}
	var plain [][]string
	for _, k := range keys {
		switch {
		case !single(x[k]):
		case depth == 0:
			v.fact(k, cell(x[k]))
		default:
			plain = append(plain, []string{k, cell(x[k])})
		}
	}
	v.table(name, []string{"", ">value"}, plain)
	for _, k := range keys {
		if !single(x[k]) {
			v.lay(inside(name, k), x[k], depth+1)
		}
	}
}

func (v *View) layList(name string, x []any, depth int) {
	if rows := objects(x); rows != nil {
		v.rows(name, nil, rows, depth)
		return
	}
	var plain [][]string
	for i, e := range x {
		if single(e) {
			plain = append(plain, []string{strconv.Itoa(i + 1), cell(e)})
		} else {
			v.lay(inside(name, strconv.Itoa(i+1)), e, depth+1)
		}
	}
	v.table(name, []string{"", ">value"}, plain)
}

// objects returns values that are all objects and hold single values; else nil.
func objects(list []any) (all []map[string]any) {
	for _, e := range list {
		o, ok := e.(map[string]any)
		if !ok {
			return nil
		}
		if !slices.ContainsFunc(slices.Collect(maps.Values(o)), single) {
			return nil
		}
		all = append(all, o)
	}
	return all
}

// rows makes a table of objects, and further ones of what lies in them.
func (v *View) rows(name string, names []string, list []map[string]any, depth int) {
	columns := map[string]bool{}
	for _, o := range list {
		for k, x := range o {
			if single(x) {
				columns[k] = columns[k] || number(x)
			}
		}
	}
	keys := slices.SortedFunc(maps.Keys(columns), func(a, b string) int { // text first
		if columns[a] != columns[b] {
			return truth.Int(columns[a]) - truth.Int(columns[b])
		}
		return strings.Compare(a, b)
	})
	keys = keys[:min(len(keys), maxColumns)]
	var head []string
	if names != nil {
		head = append(head, "")
	}
	for _, k := range keys {
		if columns[k] {
			k = ">" + k
		}
		head = append(head, k)
	}
	var rows [][]string
	for i, o := range list {
		var row []string
		if names != nil {
			row = append(row, names[i])
		}
		for _, k := range keys {
			row = append(row, cell(o[k]))
		}
		rows = append(rows, row)
	}
	v.table(name, head, rows)
	for i, o := range list[:min(len(list), maxTables)] {
		title := name
		for j, h := range head {
			if text := rows[i][j]; h == "" || !strings.HasPrefix(h, ">") && text != "" && len(text) <= maxTitle {
				title = inside(title, text)
			}
		}
		for _, k := range slices.Sorted(maps.Keys(o)) {
			if !single(o[k]) {
				v.lay(inside(title, k), o[k], depth+1)
			}
		}
	}
}

func number(x any) bool {
	_, ok := x.(float64)
	return ok
}

func single(x any) bool {
	switch x := x.(type) {
	case map[string]any:
		return false
	case []any: // a short list of numbers or words fits into one cell
		return len(x) <= 3 && !slices.ContainsFunc(x, func(e any) bool { return !single(e) })
	}
	return true
}

// cell writes a single value.
func cell(x any) string {
	switch x := x.(type) {
	case nil:
		return ""
	case string:
		return x
	case bool:
		return strconv.FormatBool(x)
	case float64:
		if x == float64(int64(x)) {
			return report.Grouped(int64(x))
		}
		return strconv.FormatFloat(x, 'g', 5, 64)
	case []any:
		var list []string
		for _, e := range x {
			list = append(list, cell(e))
		}
		return strings.Join(list, " ")
	}
	b, err := json.Marshal(x)
	if err != nil {
		return fmt.Sprint(x)
	}
	return string(b)
}
