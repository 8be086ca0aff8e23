package release_test

import (
	"bufio"
	"fmt"
	"os/exec"
	"path"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// output runs the go command at the root of the module.
func output(t *testing.T, args ...string) string {
	t.Helper()
	c := exec.Command("go", args...)
	c.Dir = ".."
	out, err := c.Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

// matches reports whether a pattern of cold.txt matches a package.
func matches(pattern, name string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "/..."); ok {
		return name == prefix || strings.HasPrefix(name, prefix+"/")
	}
	return name == pattern
}

// TestCold wants of each pattern of cold.txt that the program has such a package, and that
// no package is among them that the profile of releases has at work.
func TestCold(t *testing.T) {
	b := must.Read(t, "cold.txt")
	var cold []string
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			cold = append(cold, line)
		}
	}
	packages := strings.Fields(output(t, "list", "-deps", "./cmd/chaffinch"))
	for _, p := range cold {
		found := false
		for _, name := range packages {
			found = found || matches(p, name)
		}
		if !found {
			t.Errorf("%s: the program has no such package", p)
		}
	}
	shares := map[string]float64{} // of the processor time, by package, in percent
	lines := bufio.NewScanner(strings.NewReader(output(t, "tool", "pprof", "-top", "-nodecount=100000", "release/main.pgo")))
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		var share float64
		if len(f) < 6 {
			continue
		}
		if _, err := fmt.Sscanf(f[1], "%f%%", &share); err != nil {
			continue
		}
		dir, name := path.Split(f[5])
		name, _, _ = strings.Cut(name, ".")
		shares[dir+name] += share
	}
	if shares["chaffinch/clean/blocks"] < 1 {
		t.Fatalf("the profile has %d packages, and cleaning is not among them", len(shares))
	}
	for name, share := range shares {
		for _, p := range cold {
			if matches(p, name) && share > .1 {
				t.Errorf("%s takes %.1f %% of the time, but %s stands in cold.txt", name, share, p)
			}
		}
	}
}
