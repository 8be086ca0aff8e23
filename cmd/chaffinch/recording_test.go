package main

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// updatePictures writes the pictures of the documentation instead of comparing them.
var updatePictures = flag.Bool("pictures", false, "write docs/pictures")

// recordedCommands are the commands of the recording, one screen each. They run in a folder that
// has the folder pages with the example pages.
var recordedCommands = []string{
	"clean pages/en/article.html --annotate",
	"clean pages -o corpus.vert",
	"corpus index corpus.vert -o corpus.idx",
	`corpus conc corpus.idx '"ferry|boat|crossing"' --context 34`,
}

// elapsed matches a line with the time that a command took.
var elapsed = regexp.MustCompile(`^(time +)?[\d.]+m?s, `)

// Dimensions of the recording: characters, pixels, seconds.
const (
	recordColumns = 92
	recordRows    = 15
	recordLine    = 19
	recordChar    = 8.43
	recordTyping  = 1.2
	recordScreen  = 5.0
)

// TestRecording runs the commands of docs/pictures/terminal.svg and compares the recording
// of their output with the file.
//
//	go test ./cmd/chaffinch -run TestRecording -pictures
func TestRecording(t *testing.T) {
	file := must.Get(filepath.Abs("../../docs/pictures/terminal.svg"))(t)
	pages := must.Get(filepath.Abs("../../examples/pages"))(t)
	t.Chdir(t.TempDir())
	must.Succeed(t, os.CopyFS("pages", os.DirFS(pages)))
	var screens [][]string
	for _, line := range recordedCommands {
		var out bytes.Buffer
		if code := run(strings.Fields(strings.ReplaceAll(line, "'", "")), &console{strings.NewReader(""), &out, &out}); code > 1 {
			t.Fatalf("%s: exit code %d: %s", line, code, out.String())
		}
		var lines []string
		for l := range strings.Lines(out.String()) {
			if l = strings.TrimRight(l, "\n"); l != "" && !elapsed.MatchString(l) {
				lines = append(lines, l)
			}
		}
		screens = append(screens, append([]string{line}, lines...))
	}
	svg := recording(screens)
	if *updatePictures {
		must.Write(t, file, svg)
		return
	}
	if !bytes.Equal(must.Read(t, file), svg) {
		t.Error("docs/pictures/terminal.svg differs from what the commands write: go test ./cmd/chaffinch -run TestRecording -pictures")
	}
}

// recording draws screens, a command and its output each, as an SVG file that shows one
// after the other. Readers who want no animation see the last one.
func recording(screens [][]string) []byte {
	var b bytes.Buffer
	width, height := recordColumns*recordChar+32, float64(recordRows+1)*recordLine+56
	cycle := float64(len(screens)) * recordScreen
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-label="Recording of a terminal: cleaning pages, indexing a corpus, a concordance">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;fill:#d7dee4}.p{fill:#7fc4ae}.c{fill:#fff}.d{fill:#8b98a3}.g{fill:#8fd19e}.b{fill:#e8a08c}.s{opacity:0}.s:last-of-type{opacity:1}\n")
	fmt.Fprintf(&b, "@media (prefers-reduced-motion:no-preference){.s,.s:last-of-type{opacity:0;animation:s %gs step-end infinite}.k{animation:k %gs step-end infinite}.o{animation:o %gs step-end infinite}\n", cycle, cycle, cycle)
	share := 100 / float64(len(screens))
	typed := recordTyping / cycle * 100
	fmt.Fprintf(&b, "@keyframes s{0%%{opacity:1}%.3f%%{opacity:0}}@keyframes o{0%%{opacity:0}%.3f%%{opacity:1}}\n@keyframes k{", share, typed)
	const steps = 24
	for i := range steps + 1 {
		fmt.Fprintf(&b, "%.3f%%{clip-path:inset(0 %.1f%% 0 0)}", typed*float64(i)/steps, 100-100*float64(i)/steps)
	}
	b.WriteString("}}</style>\n")
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="#182026"/><circle cx="20" cy="18" r="6" fill="#e8a08c"/><circle cx="40" cy="18" r="6" fill="#e5c07b"/><circle cx="60" cy="18" r="6" fill="#8fd19e"/>`+"\n")
	for i, screen := range screens {
		delay := fmt.Sprintf(` style="animation-delay:%gs"`, float64(i-len(screens))*recordScreen)
		fmt.Fprintf(&b, "<g class=\"s\"%s>\n", delay)
		fmt.Fprintf(&b, `<text x="16" y="%d" class="p">$</text><text x="33" y="%d" class="c k"%s>chaffinch %s</text>`+"\n<g class=\"o\"%s>\n", 52, 52, delay, html.EscapeString(screen[0]), delay)
		lines := screen[1:]
		if len(lines) > recordRows {
			lines = append(lines[:recordRows-1:recordRows-1], "...")
		}
		for j, line := range lines {
			fmt.Fprintf(&b, `<text x="16" y="%d"%s>%s</text>`+"\n", 52+(j+1)*recordLine, lineClass(line), html.EscapeString(fit(line)))
		}
		b.WriteString("</g></g>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// fit expands tabs and truncates a line to the width of the recording.
func fit(line string) string {
	b := []rune(strings.ReplaceAll(line, "\t", "  "))
	if len(b) > recordColumns {
		b = append(b[:recordColumns-1], '…')
	}
	return string(b)
}

// lineClass returns the attribute that colours a line of annotated output.
func lineClass(line string) string {
	switch first, _, _ := strings.Cut(line, "\t"); {
	case first == "good":
		return ` class="g"`
	case first == "bad":
		return ` class="b"`
	case strings.HasPrefix(line, "#"):
		return ` class="d"`
	}
	return ""
}
