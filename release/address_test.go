package release_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAddress moves a copy of the checkout to another path: all packages are found there, no
// import of the old path is left, and the profile of releases names the new one.
func TestAddress(t *testing.T) {
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
	listed := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	listed.Dir = ".."
	names, err := listed.Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.SplitSeq(strings.Trim(string(names), "\x00"), "\x00") {
		from, to := filepath.Join("..", name), filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(from)
		if os.IsNotExist(err) {
			continue // removed, and not yet committed
		}
		b, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, b, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	in("git", "init", "-q")
	in("git", "add", "-A")
	in("git", "commit", "-q", "-m", "checkout")
	old := strings.TrimSpace(in("go", "list", "-m"))
	in("release/address.sh", path)

	packages := strings.Fields(in("go", "list", "./..."))
	before := strings.Fields(output(t, "list", "./..."))
	if len(packages) != len(before) {
		t.Errorf("%d packages, %d before", len(packages), len(before))
	}
	for i, p := range packages {
		if want := path + strings.TrimPrefix(before[i], old); p != want {
			t.Errorf("package %s, want %s", p, want)
		}
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
