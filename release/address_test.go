package release_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestAddress moves a copy of the checkout to another path: all packages are found there, no
// import of the old path is left, and the profile of releases names the new one.
func TestAddress(t *testing.T) {
	testkit.Slow(t)
	t.Parallel()
	const path = "example.org/corpora/chaffinch"
	dir := t.TempDir()
	in := func(name string, args ...string) string {
		c := exec.Command(name, args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@example.org", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@example.org")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	in("git", "init", "-q")
	root := must.Get(filepath.Abs(".."))(t)
	in("git", "--git-dir=.git", "--work-tree="+root, "add", "-A") // all but what .gitignore names
	in("git", "commit", "-q", "-m", "checkout")
	in("git", "checkout", "-q", "-f", "HEAD", ".")
	old := strings.TrimSpace(in("go", "list", "-m"))
	in("release/address.sh", path)

	packages := strings.Fields(in("go", "list", "./..."))
	before := strings.Fields(output(t, "list", "./..."))
	if len(packages) != len(before) {
		t.Errorf("%d packages, %d before", len(packages), len(before))
	}
	for i, p := range packages {
		must.Equal(t, p, path+strings.TrimPrefix(before[i], old), "package")
	}
	if imports := in("go", "list", "-test", "-f", `{{join .Imports "\n"}}`, "./..."); strings.Contains("\n"+imports, "\n"+old+"/") {
		t.Error("a package still imports one of the old path")
	}
	profile := in("go", "tool", "pprof", "-top", "-nodecount=100000", "release/main.pgo")
	if strings.Contains(profile, " "+old+"/") || !strings.Contains(profile, " "+path+"/clean/blocks.") {
		t.Error("the profile has functions of the old path, or none of the new one")
	}
	in("go", "vet", "./page", "./model")
}
