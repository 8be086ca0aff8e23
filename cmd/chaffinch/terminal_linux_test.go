package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// onTerminal returns what run shows on a terminal that is its standard output.
func onTerminal(t *testing.T, args ...string) string {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		testkit.Lacks(t, "terminals", err)
	}
	defer master.Close()
	n := 0
	conn, err := master.SyscallConn()
	if err == nil {
		err = conn.Control(func(fd uintptr) {
			unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0)
			n, _ = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		})
	}
	must.Succeed(t, err)
	out, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		testkit.Lacks(t, "terminals", err)
	}
	shown := make(chan string)
	go func() {
		var b bytes.Buffer
		io.Copy(&b, master) // ends with an error, as terminals do
		shown <- b.String()
	}()
	var errs bytes.Buffer
	code := run(args, &console{strings.NewReader(""), out, &errs})
	out.Close()
	s := strings.ReplaceAll(<-shown, "\r\n", "\n")
	if code > 1 {
		t.Errorf("chaffinch %q: code %d: %s", args, code, errs.String())
	}
	return s
}

// TestTerminalQuotes: text of others in the results of a command does not control a terminal;
// a pipe gets it unchanged.
func TestTerminalQuotes(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	word := strings.TrimSuffix(nasty, "\r") // a line end to corpus index
	warc := "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Target-URI: http://a.example/" + word + "\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
	for name, b := range map[string]string{
		nasty + ".txt": "It was a dark night.\n" + nasty + " and the rain fell on us.\n", nasty + ".warc": warc,
		"a.vert": "<doc id=\"" + word + "\">\n" + strings.Repeat("the\n"+word+"\nnight\n", 3) + "</doc>\n",
	} {
		if err := os.WriteFile(at(name), []byte(b), 0o666); err != nil {
			testkit.Lacks(t, "file names with control characters", err)
		}
	}
	if code := run([]string{"corpus", "index", at("a.vert"), "-o", at("index"), "-q"}, &console{strings.NewReader(""), io.Discard, os.Stderr}); code != 0 {
		t.Fatalf("corpus index: code %d", code)
	}
	for _, args := range [][]string{
		{"clean", "-q", "-m", "keep", at(nasty + ".txt")},
		{"detect", "charset", at(nasty + ".txt")},
		{"detect", "lang", at(nasty + ".txt")},
		{"tokenize", "--lang", "en", at(nasty + ".txt")},
		{"vertical", "check", at("a.vert")},
		{"vertical", "text", at("a.vert")},
		{"warc", "ls", at(nasty + ".warc")},
		{"warc", "check", at(nasty + ".warc")},
		{"corpus", "words", at("index")},
		{"corpus", "words", at("index"), "-f", "tsv"},
		{"corpus", "freq", at("index"), "[]"},
		{"corpus", "concordance", at("index"), "\"night\"", "--ref", "doc.id"},
		{"corpus", "concordance", at("index"), "\"night\"", "-f", "tsv"},
	} {
		s := onTerminal(t, args...)
		if steering(s) {
			t.Errorf("chaffinch %q shows %q", args, s)
		}
		if !strings.Contains(s, `\x1b[31m`) && !strings.Contains(s, "31m") && args[1] != "check" {
			t.Errorf("chaffinch %q: the name or text is not in %q", args, s)
		}
		var piped bytes.Buffer
		run(args, &console{strings.NewReader(""), &piped, io.Discard})
		if args[0] == "tokenize" && !strings.Contains(piped.String(), "\x1b") {
			t.Errorf("chaffinch %q: a pipe gets %q", args, piped.String())
		}
	}
}

// TestNamesStayInLines: a file name with a line end in it does not start a new line.
func TestNamesStayInLines(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a\nb.txt\tutf-8")
	if err := os.WriteFile(file, []byte("It was a dark night, and the rain fell on us.\n"), 0o666); err != nil {
		testkit.Lacks(t, "file names with control characters", err)
	}
	for _, args := range [][]string{{"detect", "charset", file}, {"detect", "lang", file}, {"detect", "lang", "--lines", file}, {"detect", "labels", "--registers", file}, {"detect", "labels", "--registers", "--lines", file}} {
		var out bytes.Buffer
		code := run(args, &console{strings.NewReader(""), &out, io.Discard})
		if lines := strings.Count(out.String(), "\n"); code != 0 || lines != 1 || !strings.Contains(out.String(), `a\nb.txt\tutf-8`) {
			t.Errorf("chaffinch %q: code %d: %q", args, code, out.String())
		}
	}
}
