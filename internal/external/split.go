package external

import (
	"fmt"
	"strings"
)

// Split splits a command line into a program and its arguments, at spaces. Single or double
// quotes group words. Nothing is expanded: a backslash is a character like others.
func Split(command string) ([]string, error) {
	var args []string
	var word strings.Builder
	open, quote := false, rune(0)
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			open, quote = true, r
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if open {
				args = append(args, word.String())
				word.Reset()
			}
			open = false
		default:
			open = true
			word.WriteRune(r)
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("command %q: no closing %c", command, quote)
	case open:
		args = append(args, word.String())
	}
	if len(args) == 0 || args[0] == "" {
		return nil, fmt.Errorf("command %q: wanted the name of a program", command)
	}
	return args, nil
}
