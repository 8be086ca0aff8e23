package serve

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestOpenAPI30: the document for OpenAPI 3.0 has no keyword that this version lacks.
func TestOpenAPI30(t *testing.T) {
	s := everything(t)
	for _, path := range []string{"/openapi-3.0.json", "/openapi-3.0.yaml"} {
		a, text := s.get(t, path)
		for _, keyword := range []string{"contentMediaType", "contentEncoding", "const", "prefixItems", "patternProperties", "$schema"} {
			if strings.Contains(text, "\""+keyword+"\":") || strings.Contains(text, " "+keyword+":") {
				t.Errorf("%s: keyword %s", path, keyword)
			}
		}
		if a.StatusCode != 200 || strings.Count(text, "binary") < 10 {
			t.Errorf("%s: status %d, %d binary bodies", path, a.StatusCode, strings.Count(text, "binary"))
		}
	}
}

// TestHTTPPage compares the tables of docs/reference/http.md with the OpenAPI document: each
// operation has a row with its query parameters, and each row is an operation.
func TestHTTPPage(t *testing.T) {
	const page = "docs/reference/http.md"
	_, text := everything(t).get(t, "/openapi.json")
	var doc described
	must.Succeed(t, json.Unmarshal([]byte(text), &doc))
	rows := map[string][]string{}
	for line := range strings.Lines(string(must.Read(t, "../"+page))) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		op, ok := strings.CutPrefix(cells[0], "| `")
		if ok && strings.Contains(op, " /") {
			rows[strings.TrimSuffix(op, "`")] = cells
		}
	}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			name := strings.ToUpper(method) + " " + path
			cells, ok := rows[name]
			if !ok {
				t.Errorf("%s: no row | `%s` |", page, name)
				continue
			}
			delete(rows, name)
			var want []string
			for _, p := range op.Parameters {
				if p.In == "query" {
					want = append(want, "`"+p.Name+"`")
				}
			}
			got := strings.FieldsFunc(strings.TrimSuffix(cells[len(cells)-1], "|"), func(r rune) bool { return r == ',' || r == ' ' })
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s: parameters %v, want %v", page, name, got, want)
			}
		}
	}
	for name := range rows {
		t.Errorf("%s: no operation %s in the OpenAPI document", page, name)
	}
}
