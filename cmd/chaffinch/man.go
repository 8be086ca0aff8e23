package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"

	"github.com/alecthomas/kong"
)

type manCmd struct {
	Dir    string `arg:"" help:"Folder for the pages, such as ~/.local/share/man/man1; created if missing."`
	Format string `short:"f" enum:"man,markdown" default:"man" placeholder:"NAME" help:"man: a page for each command; markdown: a page for each top-level command (${default})."`
}

// Help is the long text of --help.
func (manCmd) Help() string {
	return `Writes chaffinch.1 and a page for each command, such as chaffinch-corpus-index.1, from the --help texts.`
}

// Run writes the pages.
func (c *manCmd) Run(ctx context.Context, con *console) error {
	app := newParser(ctx, con, nil, func(int) {}).Model
	if err := disk.MkdirAll(c.Dir); err != nil {
		return err
	}
	if c.Format == "markdown" {
		pages, err := markdownPages(ctx, app)
		if err != nil {
			return err
		}
		for name, text := range pages {
			if err := files.WriteFile(filepath.Join(c.Dir, name), []byte(text)); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintf(con.err, "%d pages in %s\n", len(pages), c.Dir)
		return err
	}
	page := func(name string, write func(*roff)) error {
		r := new(roff)
		write(r)
		return files.WriteFile(filepath.Join(c.Dir, name+".1"), []byte(r.String()))
	}
	if err := page("chaffinch", func(r *roff) { manOfAll(r, app) }); err != nil {
		return err
	}
	leaves := app.Leaves(true)
	for _, node := range leaves {
		if err := page(manName(node), func(r *roff) { manOf(r, node) }); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(con.err, "%d pages in %s\n", len(leaves)+1, c.Dir)
	return err
}

// manName returns the name of a command's page, such as chaffinch-corpus-index.
func manName(node *kong.Node) string {
	return "chaffinch-" + strings.ReplaceAll(commandPath(node), " ", "-")
}

// manOfAll writes the page of the program.
func manOfAll(r *roff, app *kong.Application) {
	r.title("chaffinch")
	r.section("NAME")
	r.text("chaffinch - build clean text corpora from web pages")
	r.section("SYNOPSIS")
	r.line(".B chaffinch")
	r.line("\\fICOMMAND\\fR [\\fIFLAGS\\fR] [\\fIARGUMENTS\\fR]")
	r.section("COMMANDS")
	for _, node := range app.Leaves(true) {
		r.item(commandPath(node), "", node.Help)
	}
	r.section("OPTIONS")
	r.flags(app.Flags)
	r.exitStatus()
	r.section("SEE ALSO")
	for i, node := range app.Leaves(true) {
		if i > 0 {
			r.line(",")
		}
		r.line(".BR " + escape(manName(node)) + " (1)")
	}
}

// manOf writes the page of a command.
func manOf(r *roff, node *kong.Node) {
	r.title(manName(node))
	r.section("NAME")
	r.text(manName(node) + " - " + strings.TrimSuffix(node.Help, "."))
	r.section("SYNOPSIS")
	r.line(".B " + escape("chaffinch "+commandPath(node)))
	var args []string
	for _, p := range node.Positional {
		s := "\\fI" + escape(strings.ToUpper(p.Name)) + "\\fR"
		if p.IsSlice() {
			s += " ..."
		}
		if !p.Required {
			s = "[" + s + "]"
		}
		args = append(args, s)
	}
	r.line(strings.TrimSpace("[\\fIFLAGS\\fR] " + strings.Join(args, " ")))
	about, shown, _ := strings.Cut(node.Detail, "Example")
	if _, rest, ok := strings.Cut(shown, ":"); ok {
		shown = rest
	}
	r.section("DESCRIPTION")
	r.text(node.Help)
	r.text(about)
	if len(node.Positional) > 0 {
		r.section("ARGUMENTS")
		for _, p := range node.Positional {
			r.item("", strings.ToUpper(p.Name), p.Help)
		}
	}
	r.section("OPTIONS")
	all := slices.Concat(node.AllFlags(true)...)
	groups := []string{""}
	for _, f := range all {
		if g := groupOf(f); !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	for _, g := range groups {
		if g != "" {
			r.line(".SS " + quoted(g))
		}
		r.flags(slices.DeleteFunc(slices.Clone(all), func(f *kong.Flag) bool { return groupOf(f) != g }))
	}
	if shown != "" {
		r.section("EXAMPLES")
		r.text(strings.Trim(shown, "\n"))
	}
	r.exitStatus()
	r.section("SEE ALSO")
	r.line(".BR chaffinch (1)")
}

func groupOf(f *kong.Flag) string {
	if f.Group == nil {
		return ""
	}
	return f.Group.Title
}

// roff collects a page in the macros of man(7).
type roff struct{ strings.Builder }

func (r *roff) line(s string) { r.WriteString(s + "\n") }

func (r *roff) title(name string) {
	r.line(fmt.Sprintf(".TH %s 1 %s %s %s", strings.ToUpper(escape(name)), releaseDate, quoted("chaffinch "+version), quoted("Chaffinch")))
}

func (r *roff) section(name string) { r.line(".SH " + name) }

// text writes paragraphs; lines that are set in, and a paragraph of them, stay lines.
func (r *roff) text(s string) {
	for para := range strings.SplitSeq(strings.Trim(s, "\n"), "\n\n") {
		if strings.TrimSpace(para) == "" {
			continue
		}
		verbatim := false
		for i, line := range strings.Split(strings.Trim(para, "\n"), "\n") {
			if in := strings.HasPrefix(line, "  "); in != verbatim {
				verbatim = in
				if in {
					r.paragraph()
					io.WriteString(r, ".nf\n.RS 2\n")
				} else {
					io.WriteString(r, ".RE\n.fi\n.PP\n")
				}
			} else if i == 0 {
				r.paragraph()
			}
			if t := strings.TrimSpace(line); t != "" {
				r.line(escape(t))
			}
		}
		if verbatim {
			io.WriteString(r, ".RE\n.fi\n")
		}
	}
}

// paragraph begins one, unless a section just did.
func (r *roff) paragraph() {
	if !strings.HasPrefix(lastLine(r.String()), ".S") {
		r.line(".PP")
	}
}

func lastLine(s string) string {
	s = strings.TrimSuffix(s, "\n")
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// item writes a term with its placeholder and description.
func (r *roff) item(term, placeholder, help string) {
	head := ""
	if term != "" {
		head = "\\fB" + escape(term) + "\\fR"
	}
	if placeholder != "" {
		head = strings.TrimSpace(head + " \\fI" + escape(placeholder) + "\\fR")
	}
	r.line(".TP")
	r.line(head)
	r.line(escape(cmp.Or(strings.TrimSpace(help), term)))
}

func (r *roff) flags(flags []*kong.Flag) {
	for _, f := range flags {
		term := "--" + f.Name
		if f.Short != 0 {
			term = "-" + string(f.Short) + ", " + term
		}
		value := ""
		if !f.IsBool() {
			value = f.FormatPlaceHolder()
		}
		r.item(term, value, f.Help)
	}
}

func (r *roff) exitStatus() {
	r.section("EXIT STATUS")
	for _, e := range exitCodes {
		r.item(e.code, "", e.means)
	}
}

// escape writes text so that troff changes nothing in it.
func escape(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

// quoted is an argument of a macro.
func quoted(s string) string { return `"` + strings.ReplaceAll(escape(s), `"`, `\(dq`) + `"` }
