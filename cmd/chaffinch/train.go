package main

// trainCmd lists the commands that make models.
type trainCmd struct {
	Stopwords trainStopwordsCmd `cmd:"" help:"Cut stop lists for the method justext from running text."`
}
