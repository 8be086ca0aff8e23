package pyplexity

import "strings"

// Tokens returns the tokens of a sentence as PyPlexity tokenizes it. There is always at least
// one token, which may be empty.
func Tokens(sentence string) []string {
	return strings.Split(string(appendTokens(nil, sentence)), " ")
}
