package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// trainCmd lists the commands that make models.
type trainCmd struct {
	Blocks    trainBlocksCmd    `cmd:"" help:"Make a model of the method blocks from pages and their gold text."`
	Charset   trainCharsetCmd   `cmd:"" help:"Make a model of character sets from running text."`
	Ncleaner  trainNcleanerCmd  `cmd:"" help:"Make a pair of character models for the method ncleaner from pages and their clean text."`
	Words     trainWordsCmd     `cmd:"" help:"Make a word n-gram model for the method perplexity from running text."`
	Langid    trainLangidCmd    `cmd:"" help:"Make a model of the language detector from text of known language."`
	Sentences trainSentencesCmd `cmd:"" help:"Learn abbreviations and words that begin sentences from running text."`
	Stopwords trainStopwordsCmd `cmd:"" help:"Cut stop lists for the method justext from running text."`
}

// canWrite looks before the training whether the folders of the files that it writes
// are there; "" and - are no files.
func canWrite(files ...string) error {
	for _, f := range files {
		if f == "" || f == "-" {
			continue
		}
		if st, err := os.Stat(f); err == nil && st.IsDir() {
			return fmt.Errorf("%s: a folder, wanted a file to write: name one in it", f)
		}
		if st, err := os.Stat(filepath.Dir(f)); err != nil || !st.IsDir() {
			return fmt.Errorf("%s: there is no folder %s: make it first", f, filepath.Dir(f))
		}
	}
	return nil
}
