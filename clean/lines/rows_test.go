package lines

import "testing"

// TestRows: a row for each line, with all columns of all groups.
func TestRows(t *testing.T) {
	n := 0
	for _, g := range ColumnGroups() {
		n += len(g.Columns)
	}
	rows := Rows("en", []string{"Home", "", "The boat comes back every evening."})
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, row := range rows {
		if len(row) != n {
			t.Errorf("line %d: %d columns of %d", i+1, len(row), n)
		}
	}
	if rows[0][colChars] >= rows[2][colChars] || rows[1][colEmpty] != 1 {
		t.Errorf("lengths %v, empty %v", rows[0][colChars], rows[1][colEmpty])
	}
}
