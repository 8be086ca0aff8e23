package plagiarism_test

import (
	"fmt"

	"chaffinch/plagiarism"
)

func ExampleAlign() {
	source := "On Thursdays the market hall smells of dill, wet cardboard and roasted chestnuts. " +
		"Old Martin sells brass hinges there, and nobody has ever seen him weigh one. A price is whatever the customer says second."
	essay := "I go there often. Old Martin sells brass hinges, and nobody has ever seen him weigh one. " +
		"On Thursdays the market hall smells of wet cardboard, dill and chestnuts."
	cfg := plagiarism.DefaultAlign
	cfg.MinChars = 100
	for _, p := range plagiarism.Align(essay, source, cfg) {
		fmt.Println(string([]rune(essay)[p.SuspiciousStart:p.SuspiciousEnd]))
		fmt.Println(string([]rune(source)[p.SourceStart:p.SourceEnd]))
		fmt.Printf("%.2f of the words\n", p.Score)
	}
	// Output:
	// Old Martin sells brass hinges, and nobody has ever seen him weigh one. On Thursdays the market hall smells of wet cardboard, dill and chestnuts.
	// On Thursdays the market hall smells of dill, wet cardboard and roasted chestnuts. Old Martin sells brass hinges there, and nobody has ever seen him weigh one.
	// 0.96 of the words
}
