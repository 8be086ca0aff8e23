package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/build/store"
)

// addressCommands lists the commands whose inputs may be addresses.
const addressCommands = "clean, convert, filter, tokenize, bulk-perplexity, tag-remover and build"

// filesOnly are commands, or their first words, whose inputs are files or standard input,
// with the command that pipes the content of an address to them; "" if they read no pipe.
var filesOnly = map[string]string{
	"dedup run":         "chaffinch clean %s -f jsonl",
	"plagiarism index":  "chaffinch clean %s -f jsonl",
	"plagiarism search": "chaffinch clean %s -f jsonl",
	"plagiarism task":   "",
	"corpus index":      "chaffinch clean %s -f vertical",
	"vertical":          "chaffinch clean %s -f vertical",
	"explain":           "curl -sL %s",
	"detect":            "curl -sL %s",
	"annotate":          "",
	"eval":              "",
	"train":             "",
	"warc":              "",
}

// checkAddresses is an error if an input of a command that reads only files is an address.
func checkAddresses(k *kong.Context) error {
	n := k.Selected()
	if n == nil {
		return nil
	}
	name := commandPath(n)
	group, _, _ := strings.Cut(name, " ")
	pipe, ok := filesOnly[name]
	if !ok {
		if pipe, ok = filesOnly[group]; !ok {
			return nil
		}
	}
	for _, a := range n.Positional {
		for _, path := range values(a.Target) {
			if store.IsAddress(path) {
				name = strings.TrimSuffix(name, " run")
				return fmt.Errorf("%s: %s reads no addresses (%s do): %s", path, name, addressCommands, pipeHint(pipe, path, name))
			}
		}
	}
	return nil
}

// pipeHint returns a hint to pipe the content of an address to a command that reads files.
func pipeHint(pipe, address, name string) string {
	switch {
	case pipe == "":
		return "save it to a file and name the file"
	case strings.HasPrefix(pipe, "curl") && !strings.HasPrefix(address, "http"):
		pipe = "aws s3 cp %s -"
	}
	return "pipe it, as in " + fmt.Sprintf(pipe, address) + " | chaffinch " + name + " -"
}
