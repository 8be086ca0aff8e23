package main

import (
	"os"
	"runtime/debug"
)

// streamMemory is the memory near which commands that read a stream collect garbage sooner. It
// is below the 300 MB that they promise, with space for memory that is not of the heap.
const streamMemory = 220 << 20

// streaming are the commands, or groups of them, that promise this where they have no
// setting of their own.
var streaming = []string{
	"bulk-perplexity", "convert", "detect", "explain", "filter", "perplexity", "plagiarism", "tag-remover", "tokenize", "vertical", "warc",
}

// limitMemory makes the runtime collect garbage sooner near so many bytes, unless the
// environment has a limit.
func limitMemory(bytes int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bytes)
	}
}

// Bounds of a crawl, which promises at most 600 MB besides its hosts: crawlFlight are the bodies in memory,
// crawlMemory is where garbage is collected sooner.
const (
	crawlFlight = 96 << 20
	crawlMemory = 400 << 20
)
