package settings

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// units lists the units of sizes. The powers of 1024, from the largest, come first: formatSize uses
// them.
var units = []struct {
	name  string
	bytes int64
}{
	{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
	{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"KB", 1e3}, {"B", 1}, {"", 1},
}

// ParseSize parses a number of bytes: 4000, 500kB, 64MB, 1GiB.
func ParseSize(s string) (int64, error) {
	number := strings.TrimRight(s, "kKMGTiB")
	x, err := strconv.ParseFloat(number, 64)
	for _, u := range units {
		if err == nil && u.name == s[len(number):] && x > 0 && x*float64(u.bytes) < 1<<60 {
			return int64(x * float64(u.bytes)), nil
		}
	}
	return 0, fmt.Errorf("%q: wanted a size such as 500kB, 64MB or 1GiB", s)
}

// formatSize formats n bytes in the largest unit in which it is an integer.
func formatSize(n int64) string {
	for _, u := range units[:8] {
		if n != 0 && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10) + "B"
}

// isSize reports whether the value of a key is a number of bytes.
func isSize(t reflect.Type, key string) bool {
	return (t.Kind() == reflect.Int || t.Kind() == reflect.Int64) && strings.HasSuffix(key, "_bytes") && t != durationType
}
