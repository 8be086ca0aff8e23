package shingle

import "testing"

// TestTable compares the entries of all characters with their definition, which a table does not
// compute for uniform ranges.
func TestTable(t *testing.T) {
	for _, cfg := range []Config{Default, {Unit: Char}} {
		table := tableFor(cfg)
		for r := rune(0); r < 1<<16; r++ {
			if !isUniform(r, r) {
				continue
			}
			if e := table.entry(r); e != newEntry(cfg.classOf(r), 0, 0) || cfg.foldRune(r) != string(r) {
				t.Fatalf("%+v: %U: class %d, folded length %d; want class %d, folded to %q", cfg, r, e.class(), e.length(), cfg.classOf(r), cfg.foldRune(r))
			}
		}
	}
}
