package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// promise is the memory that a command, or each of a group of them, takes at most, whatever the
// size of its input.
type promise struct{ command, most string }

// promises are in the help of the commands and in docs/reference/commands.md, and TestLargeInputs holds some of them.
var promises = []promise{
	{"clean", "300 MB"},
	{"explain", "300 MB"},
	{"convert", "300 MB"},
	{"filter run", "300 MB"},
	{"filter sites", "400 MB"},
	{"dedup run", "--memory and 80 MB; with large test sets --memory and 160 MB"},
	{"plagiarism index", "--memory and 50 MB"},
	{"plagiarism search", "300 MB and the index, which the system may remove from memory; with --sources the larger of 300 MB and --memory and 50 MB"},
	{"detect charset", "300 MB"},
	{"detect lang", "300 MB"},
	{"tokenize", "150 MB"},
	{"perplexity", "300 MB"},
	{"bulk-perplexity", "300 MB"},
	{"tag-remover", "300 MB"},
	{"vertical", "250 MB"},
	{"corpus index", "--memory and 50 MB"},
	{"warc", "100 MB"},
	{"crawl run", "--memory and 350 MB; above 250,000 hosts also about 80 bytes per host"},
	{"build run", "a quarter of the machine's memory (at least 256 MiB) and 300 MB"},
	{"train words", "--memory and 80 MB"},
	{"train sentences", "700 MB"},
	{"train segmenter", "eight times the size of its input, which has at most 256 MiB"},
	{"train stopwords", "300 MB"},
	{"train filter-limits", "600 MB"},
}

// addPromises adds the memory that a command takes at most to its help text, before the examples.
func addPromises(app *kong.Application) {
	for _, node := range app.Leaves(false) {
		name := commandPath(node) + " "
		i := slices.IndexFunc(promises, func(p promise) bool { return strings.HasPrefix(name, p.command+" ") })
		if i < 0 {
			continue
		}
		about, examples, shown := strings.Cut(node.Detail, "Example")
		node.Detail = strings.TrimLeft(strings.TrimSpace(about)+"\n\nMemory: at most "+promises[i].most+".", "\n")
		if shown {
			node.Detail += "\n\nExample" + examples
		}
	}
}

// streamMemory is the memory near which commands that read a stream collect garbage sooner. It
// is below the 300 MB that they promise, with space for memory that is not of the heap.
const streamMemory = 192 << 20

// heapLimits are the commands and groups that read a stream, with the memory near which they collect
// garbage sooner. Their promises are larger: memory outside the heap counts, and garbage of a busy machine.
var heapLimits = map[string]int64{
	"bulk-perplexity": streamMemory, "convert": streamMemory, "detect": streamMemory, "explain": streamMemory,
	"filter": streamMemory, "perplexity": streamMemory, "plagiarism": streamMemory, "tag-remover": streamMemory,
	"tokenize": streamMemory / 2, "vertical": streamMemory, "warc": streamMemory / 3,
}

// limitMemory makes the runtime collect garbage sooner near so many bytes, unless the
// environment has a limit.
func limitMemory(bytes int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bytes)
	}
}

// firstHeap is the percentage of growth (GOGC) at which garbage is first collected when the heap has
// 16 MB instead of 4: larger than the models of a page.
const firstHeap = 400

// cleanGC is the percentage of clean after its start: its heap is small, and 4 to 6 % of the time are
// saved for some 30 MB.
const cleanGC = 200

// delayCollection delays the first collection of garbage of commands that clean pages or read a
// stream, unless the environment configures it. Else two collections during the start of a command
// take a sixth of its processor time.
func delayCollection(args []string) {
	if os.Getenv("GOGC") != "" || len(args) == 0 || args[0] != "clean" && heapLimits[args[0]] == 0 {
		return
	}
	percent := debug.SetGCPercent(firstHeap)
	if args[0] == "clean" {
		percent = cleanGC
	}
	runtime.AddCleanup(new([8]*byte), func(percent int) { debug.SetGCPercent(percent) }, percent) // after the first collection
}

// Bounds of a crawl, which promises at most 350 MB besides --memory: crawlFlight are the bodies in memory,
// crawlMemory, besides the half of --memory in the Go heap, is where garbage is collected sooner.
const (
	crawlFlight = 96 << 20
	crawlMemory = 250 << 20
)
