package main

import (
	"bufio"
	"bytes"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

var rewriteTutorials = flag.Bool("tutorials", false, "rewrite the output quoted in docs/tutorials and docs/guides; lines with ... stay where they match")

// TestTutorials executes the console blocks of each tutorial in a fresh folder, in their
// order, and compares their output with the quoted output. A line "..." matches any lines, and
// "..." within a line matches any text. A block with a title is written to the file of that
// name. Commands without quoted output must succeed. The folder has the checkout beside it.
func TestTutorials(t *testing.T) {
	testkit.Slow(t)
	pages, err := filepath.Glob("../../docs/tutorials/*.md")
	if err != nil || len(pages) < 4 {
		t.Fatalf("%d tutorials, %v", len(pages), err)
	}
	bash, commands := testkit.Tool(t, "bash"), 0
	for _, page := range pages {
		name := strings.TrimSuffix(filepath.Base(page), ".md")
		t.Run(name, func(t *testing.T) {
			r := newReader(t, bash)
			r.read(t, page)
			commands += r.commands
		})
	}
	if commands < 5 {
		t.Errorf("%d commands in tutorials, wanted more", commands)
	}
}

// TestGuides does the same with the guides. Their folders have the data of the tutorials.
func TestGuides(t *testing.T) {
	testkit.Slow(t)
	pages, err := filepath.Glob("../../docs/guides/*.md")
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d guides, %v", len(pages), err)
	}
	bash := testkit.Tool(t, "bash")
	for _, page := range pages {
		if !bytes.Contains(must.Read(t, page), []byte("```console\n")) {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			r := newReader(t, bash)
			must.Succeed(t, os.CopyFS(r.dir, os.DirFS("../../docs/tutorials/data")))
			r.read(t, page)
		})
	}
}

// mdBlock is a part of a page of Markdown: prose, or a fenced block with its info string.
type mdBlock struct {
	info, text string // text has the fences of a fenced block
}

// markdownBlocks cuts a page into prose and fenced blocks, which together are the page.
func markdownBlocks(page string) []mdBlock {
	var blocks []mdBlock
	fenced := false
	for line := range strings.Lines(page) {
		info, fence := strings.CutPrefix(strings.TrimRight(line, "\n"), "```")
		opens := fence && !fenced
		if opens || len(blocks) == 0 || !fenced && blocks[len(blocks)-1].info != "" {
			blocks = append(blocks, mdBlock{})
		}
		last := &blocks[len(blocks)-1]
		last.text += line
		if opens {
			last.info = info
		}
		if fence {
			fenced = !fenced
		}
	}
	return blocks
}

// tutorialReader does what a tutorial says.
type tutorialReader struct {
	bash, dir string
	ports     map[string]string // ports of the text, and those that are used in their place
	commands  int
}

func newReader(t *testing.T, bash string) *tutorialReader {
	root := must.Get(filepath.Abs("../.."))(t)
	dir := t.TempDir()
	must.Succeed(t, os.Symlink(root, filepath.Join(dir, "chaffinch")))
	work := filepath.Join(dir, "tutorial")
	must.Succeed(t, os.Mkdir(work, 0o777))
	return &tutorialReader{bash: bash, dir: work, ports: map[string]string{}}
}

// read follows a page from its beginning to its end.
func (r *tutorialReader) read(t *testing.T, page string) {
	t.Helper()
	var rewritten strings.Builder
	for _, b := range markdownBlocks(string(must.Read(t, page))) {
		rewritten.WriteString(r.follow(t, b))
	}
	if *rewriteTutorials {
		must.Write(t, page, rewritten.String())
	}
}

var blockTitle = regexp.MustCompile(`^\w+ title="([\w./-]+)"$`)

// follow executes a block, or writes its file, and returns the block with the output that
// came.
func (r *tutorialReader) follow(t *testing.T, b mdBlock) string {
	t.Helper()
	_, inside, _ := strings.Cut(b.text, "\n")
	inside = strings.TrimSuffix(strings.TrimRight(inside, "\n"), "```")
	if m := blockTitle.FindStringSubmatch(b.info); m != nil {
		must.Write(t, filepath.Join(r.dir, m[1]), r.substitute(inside))
	}
	if b.info != "console" {
		return b.text
	}
	out := "```console\n"
	for _, c := range consoleCommands(inside) {
		got := r.run(t, c.command)
		r.commands++
		quoted := c.quoted
		if quoted != "" && !quotedPattern(quoted).MatchString(got) {
			if !*rewriteTutorials {
				t.Errorf("$ %s\nprinted\n%s\nand the tutorial quotes\n%s", c.command, got, quoted)
			}
			quoted = keepDots(quoted, got)
		}
		out += "$ " + c.command + "\n" + quoted
	}
	return out + "```\n"
}

// keepDots returns output in which lines that a quoted line with "..." matches are that line.
func keepDots(quoted, got string) string {
	var out strings.Builder
	for line := range strings.Lines(got) {
		for q := range strings.Lines(quoted) {
			if q != "...\n" && strings.Contains(q, "...") && quotedPattern(q).MatchString(line) {
				line = q
				break
			}
		}
		out.WriteString(strings.TrimRight(line, " \t\n") + "\n")
	}
	return out.String()
}

// consoleCommand is a command of a console block, with the output quoted below it.
type consoleCommand struct{ command, quoted string }

func consoleCommands(block string) []consoleCommand {
	var list []consoleCommand
	more := false
	for line := range strings.Lines(block) {
		command, ok := strings.CutPrefix(line, "$ ")
		switch {
		case ok:
			list = append(list, consoleCommand{command: command})
		case len(list) == 0:
			continue
		case more:
			list[len(list)-1].command += line
		default:
			list[len(list)-1].quoted += line
		}
		more = (ok || more) && strings.HasSuffix(line, "\\\n")
	}
	for i := range list {
		list[i].command = strings.TrimSuffix(list[i].command, "\n")
	}
	return list
}

// quotedPattern returns the expression that output must match.
func quotedPattern(quoted string) *regexp.Regexp {
	p := "^"
	for line := range strings.Lines(quoted) {
		if line == "...\n" {
			p += `(?:.*\n)*`
			continue
		}
		p += strings.ReplaceAll(regexp.QuoteMeta(strings.TrimRight(line, "\n")), `\.\.\.`, `.*`) + ` *\n`
	}
	return regexp.MustCompile(p + "$")
}

// run runs a command to its end and returns its output. A command that ends in & is a
// server, which runs until the test ends.
func (r *tutorialReader) run(t *testing.T, command string) string {
	t.Helper()
	command = r.substitute(command)
	if server, ok := strings.CutSuffix(command, " &"); ok {
		return r.restore(r.serve(t, server))
	}
	cmd := exec.CommandContext(t.Context(), r.bash, "-c", command)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("$ %s\n%v\n%s", command, err, out)
	}
	return r.restore(string(out))
}

// substitute replaces the ports of the text by the ports in use.
func (r *tutorialReader) substitute(text string) string {
	for port, used := range r.ports {
		text = strings.ReplaceAll(text, port, used)
	}
	return text
}

// restore puts the ports of the text into output.
func (r *tutorialReader) restore(out string) string {
	for port, used := range r.ports {
		out = strings.ReplaceAll(out, used, port)
	}
	return out
}

var (
	pythonServer = regexp.MustCompile(`^python3 -m http\.server (\d+) --bind 127\.0\.0\.1 --directory (\S+)`)
	listenFlag   = regexp.MustCompile(`127\.0\.0\.1:(\d+)`)
)

// serve starts a server at a free port and returns the first line that it prints. Python's
// server of files is replaced by Go's, so that the test knows when it listens.
func (r *tutorialReader) serve(t *testing.T, command string) string {
	t.Helper()
	if m := pythonServer.FindStringSubmatch(command); m != nil {
		s := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(r.dir, m[2]))))
		t.Cleanup(s.Close)
		r.ports[m[1]] = s.URL[strings.LastIndex(s.URL, ":")+1:]
		return ""
	}
	m := listenFlag.FindStringSubmatch(command)
	if m == nil {
		t.Fatalf("$ %s &\nno address 127.0.0.1:PORT", command)
	}
	cmd := exec.CommandContext(t.Context(), r.bash, "-c", "exec "+strings.Replace(command, m[0], "127.0.0.1:0", 1))
	cmd.Dir = r.dir
	stderr := new(bytes.Buffer)
	cmd.Stderr = stderr
	out := must.Get(cmd.StdoutPipe())(t)
	must.Succeed(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	at := listenFlag.FindStringSubmatch(line)
	if err != nil || at == nil {
		t.Fatalf("$ %s &\nprinted %q and %s (%v)", command, line, stderr, err)
	}
	r.ports[m[1]] = at[1]
	return line
}
