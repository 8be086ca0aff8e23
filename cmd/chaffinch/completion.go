package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: ${enum}."`
}

// Help is the long text of --help.
func (completionCmd) Help() string {
	return `Prints a script that completes commands, flags, values of flags, and files. To try it, in bash or (after compinit) zsh:
source <(chaffinch completion bash). In fish: chaffinch completion fish | source`
}

// completionScripts call the command completeWord for the completions at the cursor. A
// first line ":files" requests completion of file names.
var completionScripts = map[string]string{
	"bash": `_chaffinch() {
	local line word=${COMP_WORDS[COMP_CWORD]}
	[ "$word" = = ] && word=
	COMPREPLY=()
	while IFS= read -r line; do
		case $line in
		:files) compopt -o default ;;
		*) COMPREPLY+=("${line%%$'\t'*}") ;;
		esac
	done < <(chaffinch complete-word -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _chaffinch chaffinch
`,
	"zsh": `#compdef chaffinch
_chaffinch() {
	local line files
	local -a found
	while IFS= read -r line; do
		case $line in
		:files) files=1 ;;
		*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
		esac
	done < <(chaffinch complete-word -- "${(@)words[2,CURRENT]}" 2>/dev/null)
	(( $#found )) && _describe chaffinch found
	[ -n "$files" ] && _files
}
compdef _chaffinch chaffinch
`,
	"fish": `function __chaffinch
	set -l line
	for line in (chaffinch complete-word -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
		if test "$line" = :files
			__fish_complete_path (commandline -ct)
		else
			echo $line
		end
	end
end
complete -c chaffinch -f -a '(__chaffinch)'
`,
}

// Run prints the script.
func (c *completionCmd) Run(con *console) error {
	_, err := io.WriteString(con.out, completionScripts[c.Shell])
	return err
}

// completeWordCmd prints completions for the scripts of completionCmd.
type completeWordCmd struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

// Run prints the completions of the last word, one per line, each with a description after a
// tab.
func (c *completeWordCmd) Run(kctx *kong.Context, con *console) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, s := range completions(kctx.Model.Node, words) {
		if _, err := fmt.Fprintln(con.out, s); err != nil {
			return err
		}
	}
	return nil
}

// completions returns the completions of the last word.
func completions(node *kong.Node, words []string) []string {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "=" }) // bash makes it a word
	if len(words) == 0 {
		words = []string{""}
	}
	last, before := words[len(words)-1], words[:len(words)-1]
	var awaits *kong.Flag // the next word is its value
	onlyArgs := false
	for _, w := range before {
		if awaits != nil {
			awaits = nil
			continue
		}
		if w == "--" {
			onlyArgs = true
		}
		if strings.HasPrefix(w, "-") && !onlyArgs {
			awaits = flagAwaitingValue(node, w)
			continue
		}
		for _, child := range node.Children {
			if child.Type == kong.CommandNode && (child.Name == w || slices.Contains(child.Aliases, w)) {
				node = child
				break
			}
		}
	}
	if name, value, ok := strings.Cut(last, "="); ok && strings.HasPrefix(last, "--") && awaits == nil {
		var out []string
		for _, v := range flagValues(flagAwaitingValue(node, name), value) {
			if v == ":files" {
				return []string{v}
			}
			out = append(out, name+"="+v)
		}
		return out
	}
	if awaits != nil {
		return flagValues(awaits, last)
	}
	if strings.HasPrefix(last, "-") && !onlyArgs {
		return flagsFrom(node, last)
	}
	out := commandsFrom(node, last)
	if len(out) == 0 || node.DefaultCmd != nil {
		for _, arg := range withDefault(node).Positional {
			if len(arg.Enum) > 0 {
				return choices(arg.EnumSlice(), last)
			}
		}
		if len(withDefault(node).Positional) > 0 {
			out = append(out, ":files")
		}
	}
	return out
}

// withDefault returns the command that runs if only its group is named.
func withDefault(node *kong.Node) *kong.Node {
	if node.DefaultCmd != nil {
		return node.DefaultCmd
	}
	return node
}

func allFlags(node *kong.Node) []*kong.Flag {
	return slices.Concat(withDefault(node).AllFlags(true)...)
}

// flagAwaitingValue returns the flag --name or -n whose value is the next word, nil if it
// takes none.
func flagAwaitingValue(node *kong.Node, word string) *kong.Flag {
	for _, f := range allFlags(node) {
		if (word == "--"+f.Name || len(word) == 2 && f.Short != 0 && word == "-"+string(f.Short)) && !f.IsBool() {
			return f
		}
	}
	return nil
}

// flagValues returns the values of the flag that begin with word, or ":files" if they are
// not known.
func flagValues(f *kong.Flag, word string) []string {
	if f == nil {
		return nil
	}
	if f.Enum == "" {
		return []string{":files"}
	}
	return choices(f.EnumSlice(), word)
}

func choices(all []string, word string) (out []string) {
	for _, v := range all {
		if v != "" && strings.HasPrefix(v, word) {
			out = append(out, v+"\t")
		}
	}
	return out
}

func flagsFrom(node *kong.Node, word string) (out []string) {
	for _, f := range allFlags(node) {
		if !f.Hidden && strings.HasPrefix("--"+f.Name, word) {
			out = append(out, "--"+f.Name+"\t"+firstSentence(f.Help))
		}
	}
	slices.Sort(out)
	return out
}

func commandsFrom(node *kong.Node, word string) (out []string) {
	for _, child := range node.Children {
		if child.Type == kong.CommandNode && !child.Hidden && strings.HasPrefix(child.Name, word) {
			out = append(out, child.Name+"\t"+firstSentence(child.Help))
		}
	}
	return out
}

// firstSentence returns the first sentence of a help text.
func firstSentence(help string) string {
	if s, _, ok := strings.Cut(help, ". "); ok {
		return s
	}
	return strings.TrimSuffix(help, ".")
}
