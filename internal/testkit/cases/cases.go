// Package cases runs tests whose inputs and outputs are in files of testdata, with [Run].
package cases

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

var update = flag.Bool("update", false, "rewrite the outputs in testdata")

// Case is an input with its expected output.
type Case struct {
	File, Name    string
	Input, Output string
}

// Read returns the cases in the files that match pattern, separated by sep. A case is a line with
// its name, the input, a line "----" and the output.
func Read(t testing.TB, pattern, sep string) (all []Case) {
	t.Helper()
	files := must.Get(filepath.Glob(pattern))(t)
	for _, file := range files {
		for _, c := range strings.Split(strings.TrimRight(string(must.Read(t, file)), "\n"), sep) {
			name, rest, _ := strings.Cut(c, "\n")
			input, output, ok := strings.Cut(rest, "\n----")
			if !ok {
				t.Fatalf("%s: case %q has no ---- line", file, name)
			}
			all = append(all, Case{file, name, input, strings.Trim(output, "\n")})
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s: no cases", pattern)
	}
	return all
}

// Run compares the result of do with the output of each case, except for line ends at the end. With
// -update it rewrites the files instead.
func Run(t *testing.T, pattern, sep string, do func(t *testing.T, c Case) string) {
	all := Read(t, pattern, sep)
	for i, c := range all {
		t.Run(strings.TrimSuffix(filepath.Base(c.File), ".txt")+"/"+strings.TrimPrefix(c.Name, "# "), func(t *testing.T) {
			all[i].Output = strings.TrimRight(do(t, c), "\n")
			if all[i].Output != c.Output && !*update {
				t.Errorf("input:\n%s\noutput:\n%s\nwanted:\n%s", c.Input, all[i].Output, c.Output)
			}
		})
	}
	if !*update {
		return
	}
	files := map[string][]string{}
	for _, c := range all {
		files[c.File] = append(files[c.File], strings.TrimRight(c.Name+"\n"+c.Input+"\n----\n"+c.Output, "\n"))
	}
	for file, list := range files {
		must.Write(t, file, strings.Join(list, sep)+"\n")
	}
}
