package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"chaffinch/clean/lines"
	"chaffinch/clean/method"
	"chaffinch/filter/nontext"
	"chaffinch/internal/disk"
	"chaffinch/text/langid"
	"chaffinch/text/tag/installed"
)

type doctorCmd struct{}

// Help is the long text of --help.
func (doctorCmd) Help() string {
	return `Checks the requirements (embedded models, a folder for temporary files) and lists optional programs and files: their purpose and how to install them.

Exit code: 0 all requirements are met; 1 a requirement is missing.`
}

// checkup is a check of doctor.
type checkup struct {
	name string
	// needed is set if no command works without it; optional is its purpose otherwise.
	needed   bool
	optional string
	// look returns the version or place found, or an error.
	look func() (found string, err error)
	// get is a hint on how to install it.
	get string
}

// checkups lists all checks of doctor.
var checkups = []checkup{
	{name: "languages", needed: true, get: "reinstall the program, which includes the model", look: func() (string, error) {
		d, err := langid.New(langid.Default)
		if err != nil {
			return "", err
		}
		return count(int64(len(d.Langs())), "language"), nil
	}},
	{name: "model blocks", needed: true, get: "reinstall the program, which includes the model", look: embeddedMethod(method.Default)},
	{name: "model lines", needed: true, get: "reinstall the program, which includes the model", look: func() (string, error) {
		_, err := lines.Embedded()
		return "embedded", err
	}},
	{name: "model nontext", needed: true, get: "reinstall the program, which includes the model", look: func() (string, error) {
		m, err := nontext.Embedded()
		if err != nil {
			return "", err
		}
		return m.Name(), nil
	}},
	{name: "model perplexity", needed: true, get: "reinstall the program, which includes the model", look: embeddedMethod("perplexity")},
	{name: "taggers", optional: "lemmas and parts of speech", get: "chaffinch train tagger (docs/guides/tagger.md)", look: func() (string, error) {
		s, err := installed.Set()
		if err != nil {
			return "", err
		}
		return strings.Join(s.Langs(), ", "), nil
	}},
	{name: "temporary files", needed: true, get: "set TMPDIR to a writable folder", look: func() (string, error) {
		dir, err := disk.MkdirTemp(os.TempDir(), "chaffinch-doctor-")
		if err != nil {
			return "", err
		}
		return os.TempDir(), disk.Remove(dir)
	}},
	{name: "word models", optional: "method perplexity in languages other than English", get: "chaffinch train words TEXT -o my.chf (docs/guides/training.md)", look: func() (string, error) {
		return "English is embedded", nil
	}},
	{name: "Chromium", optional: "crawl --render and browser tests", get: "apt install chromium, brew install chromium, or winget install Hibbiki.Chromium", look: inPath("chromium", "chromium-browser", "google-chrome", "chrome")},
	{name: "Python", optional: "the Python package", get: "https://www.python.org/downloads/, or the package python3", look: inPath("python3", "python")},
	{name: "Go", optional: "building from source and the Go library", get: "https://go.dev/dl/", look: inPath("go")},
	{name: "ONNX Runtime", optional: "chaffinch-lines, the transformer labeller", get: "source lab/transformer/library.sh (lab/transformer/README.md)", look: named("CHAFFINCH_ONNXRUNTIME")},
	{name: "data sets", optional: "chaffinch eval and train on the published sets", get: "lab/results/data.md lists sources and conversion; --data names the folder", look: named("CHAFFINCH_DATA")},
}

// Run prints the result of each check.
func (doctorCmd) Run(con *console) error {
	if err := (versionCmd{}).Run(con); err != nil {
		return err
	}
	fmt.Fprintf(con.out, "%s\n", count(int64(runtime.GOMAXPROCS(0)), "processor"))
	missing := 0
	for _, c := range checkups {
		found, err := c.look()
		state := "ok"
		switch {
		case err == nil:
		case c.needed:
			state = "MISSING"
			missing++
		default:
			state = "not found"
		}
		text := found
		if err != nil {
			text = err.Error() + ": " + c.get
		}
		if c.optional != "" {
			text = "optional, for " + c.optional + ": " + text
			if err == nil && c.name == "word models" {
				text += "; " + c.get
			}
		}
		if _, err := fmt.Fprintf(con.out, "%-10s %-17s %s\n", state, c.name, text); err != nil {
			return err
		}
	}
	if missing > 0 {
		return errNo{count(int64(missing), "needed part") + " missing"}
	}
	return nil
}

// embeddedMethod opens a method with its embedded model.
func embeddedMethod(name string) func() (string, error) {
	return func() (string, error) {
		_, err := method.New(name, method.Options{})
		return "embedded", err
	}
}

// inPath looks for the first of programs in the path.
func inPath(names ...string) func() (string, error) {
	return func() (found string, err error) {
		for _, name := range names {
			if found, err = exec.LookPath(name); err == nil {
				return found, nil
			}
		}
		return "", fmt.Errorf("%s not found in PATH", names[0])
	}
}

// named looks for the file or folder that a variable names.
func named(variable string) func() (string, error) {
	return func() (string, error) {
		name := os.Getenv(variable)
		if name == "" {
			return "", fmt.Errorf("%s is not set", variable)
		}
		_, err := os.Stat(name)
		return name, err
	}
}
