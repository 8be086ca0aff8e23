package settings

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Differences lists the settings that differ between two JSON objects, in the form "N: then 7, now
// 5". Lists of equal length are compared item by item.
func Differences(a, b []byte, then, now string) string {
	var list []string
	var walk func(path string, a, b json.RawMessage)
	walk = func(path string, a, b json.RawMessage) {
		var these, those []json.RawMessage
		if json.Unmarshal(a, &these) == nil && json.Unmarshal(b, &those) == nil && len(these) == len(those) && len(these) > 0 {
			for i := range these {
				walk(fmt.Sprintf("%s[%d]", path, i), these[i], those[i])
			}
			return
		}
		var x, y map[string]json.RawMessage
		if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil || x == nil || y == nil {
			if !bytes.Equal(a, b) {
				list = append(list, fmt.Sprintf("%s: %s %s, %s %s", path, then, cmp.Or(string(a), "none"), now, cmp.Or(string(b), "none")))
			}
			return
		}
		all := maps.Clone(x)
		maps.Copy(all, y)
		for _, key := range slices.Sorted(maps.Keys(all)) {
			walk(strings.TrimPrefix(path+"."+key, "."), x[key], y[key])
		}
	}
	walk("", a, b)
	return strings.Join(list, "; ")
}
