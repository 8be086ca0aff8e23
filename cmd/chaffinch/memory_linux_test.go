package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/large"
	"chaffinch/internal/testkit/must"
)

var (
	warcMB = flag.Int("warcmb", 40, "megabytes of WARC, unpacked, that TestMemory cleans")
	wetMB  = flag.Int("wetmb", 10, "megabytes of WET that TestMemory cleans")
)

// maxRSS is the most memory that clean may take, in MB.
const maxRSS = 300

// webRecords makes WARC records of pages as crawls have them: most of some tens
// of kilobytes, some of megabytes; packed ones are one gzip member each.
func webRecords(t testing.TB) (plain, packed [][]byte) {
	rnd := rand.New(rand.NewPCG(5, 6))
	words := []string{"the", "harbour", "of", "a", "ferry", "and", "it", "was", "island", "in", "winter", "to", "they", "brücke", "old", "not", "that", "wind", "is", "said"}
	for i := range 120 {
		size := 1<<10 + rnd.IntN(120<<10)
		if i%40 == 7 {
			size = 4 << 20
		}
		body := bytes.NewBufferString("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html lang=en><title>Page</title><body>")
		for body.Len() < size {
			body.WriteString(`<div class="row"><a href="/x">More</a><p>`)
			for range 5 + rnd.IntN(90) {
				body.WriteString(words[rnd.IntN(len(words))])
				body.WriteByte(' ')
			}
			body.WriteString("</p></div>\n")
		}
		rec := fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\nWARC-Target-URI: https://pages.example/%d\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, i, body.Len(), body.Bytes())
		plain, packed = append(plain, rec), append(packed, testkit.Gzip(rec))
	}
	return plain, packed
}

// wetRecords makes WET records with the text of such pages: lines of prose with menus
// between. One has only short lines, one a single line of megabytes.
func wetRecords() (recs [][]byte) {
	rnd := rand.New(rand.NewPCG(7, 8))
	words := strings.Fields("the harbour of a ferry and it was island in winter to they brücke old not that wind is said när båten kom var natten och le bateau ne viendra pas")
	menu := []string{"Home", "News | Sport | Weather", "Contact us", "Log in", "Läs mer", "© 2019 All rights reserved", "12.03.2014 18:04", "Add to basket"}
	for i := range 200 {
		size := 500 + rnd.IntN(16<<10)
		if i%100 == 7 || i%100 == 8 { // the crawl cuts pages off there
			size = 2 << 20
		}
		var body []byte
		for len(body) < size {
			switch {
			case i%100 == 7, rnd.IntN(3) == 0 && i%100 != 8:
				body = append(body, menu[rnd.IntN(len(menu))]...)
			default:
				for range 5 + rnd.IntN(60) {
					body = append(append(body, words[rnd.IntN(len(words))]...), ' ')
				}
				body = append(body, '.')
			}
			if i%100 != 8 {
				body = append(body, '\n')
			}
		}
		recs = append(recs, fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\nWARC-Target-URI: https://pages.example/%d\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, i, len(body), body))
	}
	return recs
}

// TestMemory streams a crawl through the program and wants its memory bounded.
// The 10 GB of the promise: go test ./cmd/chaffinch -run TestMemory -v -warcmb
// 10000 -timeout 1h, with -run TestMemory/WET and -wetmb for WET.
func TestMemory(t *testing.T) {
	testkit.Slow(t)
	t.Parallel()
	prog, mb := built(t), *warcMB
	if !testkit.Whole() && mb == 40 {
		mb = 15
	}
	plain, packed := webRecords(t)
	wet := wetRecords()
	for _, c := range []struct {
		name         string
		plain, given [][]byte
		mb           int
		args         []string
	}{
		{"HTML", plain, plain, mb, []string{"-f", "jsonl"}},
		{"HTML-gzip", plain, packed, mb, []string{"-f", "jsonl"}},
		{"WET", wet, wet, *wetMB, []string{"-m", "lines"}},
	} {
		t.Run(c.name, func(t *testing.T) { runMemory(t, prog, c.plain, c.given, c.mb, c.args) })
	}
}

// TestLargeInputs gives commands inputs that are far larger than their memory limits, and
// wants the memory that docs/reference/commands.md promises.
func TestLargeInputs(t *testing.T) {
	testkit.Slow(t)
	t.Parallel()
	dir := t.TempDir()
	prog := built(t)
	hosts := map[string]int{"": 60, "packed": 200}
	if !testkit.Whole() { // more than the crawler reads at once
		hosts = map[string]int{"": 15, "packed": 40}
	}
	const size = 100 << 20
	for _, c := range []struct {
		args  string // IN is the input
		input string
		most  float64
		code  int
		said  string
	}{
		{"tokenize IN -o OUT", "line.txt", 180, 1, "more than 4194304 bytes: written in parts"},
		{"filter IN -q --rules gopher_quality -o OUT.jsonl", "line.jsonl", 300, 1, "more than 16777216 bytes: passed on"},
		{"dedup IN -q -m exact --memory 64MiB -o OUT.jsonl", "line.zip", 170, 1, "more than 16777216 bytes"},
		{"dedup IN -q -m minhash --memory 64MiB -o OUT.jsonl", "line.jsonl", 170, 1, "more than 16777216 bytes"},
		{"plagiarism index IN -q --memory 128MiB -o OUT", "line.jsonl", 220, 1, "more than 16777216 bytes"},
		{"detect charset IN", "line.txt", 220, 1, "more than 33554432 bytes"},
		{"detect lang IN", "pages", 360, 0, ""},
		{"train sentences IN --lang en -o OUT", "line.txt", 300, 0, ""},
		{"crawl IN --allow-private --contact test@example.org --delay 0s --max-pages 60 -o OUT/endless", "", 600, 0, ""},
		{"crawl IN --allow-private --contact test@example.org --delay 0s --max-pages 200 -o OUT/packed", "packed", 600, 0, ""},
	} {
		name, _, _ := strings.Cut(c.args, " IN")
		in := ""
		var err error
		switch {
		case large.Inputs[c.input] != nil:
			in, err = large.Write(dir, c.input, size)
		case c.input == "pages":
			in = filepath.Join(dir, c.input)
			pages := 4
			if !testkit.Whole() {
				pages = 2
			}
			for i := range pages {
				if _, err = large.Write(filepath.Join(in, strconv.Itoa(i)), "page.html", 40<<20); err != nil {
					break
				}
			}
		default:
			in, err = endlessSeeds(t, dir, c.input, hosts[c.input])
		}
		must.Succeed(t, err)
		args := strings.NewReplacer("IN", in, "OUT", filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))).Replace(c.args)
		cmd := exec.Command(prog, strings.Fields(args)...)
		var said bytes.Buffer
		cmd.Stderr = &said
		peak := must.Get(runPeak(cmd))(t)
		t.Logf("%s: %.0f MB", name, peak)
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(said.String(), c.said) {
			t.Errorf("%s: exit code %d, wanted %d and %q: %s", name, code, c.code, c.said, &said)
		}
		if peak > c.most {
			t.Errorf("%s: peak memory %.0f MB, want at most %.0f", name, peak, c.most)
		}
		os.RemoveAll(in)
	}
}

// runPeak runs cmd to its end and returns its peak memory in MB, as [peakMB] reads it.
func runPeak(cmd *exec.Cmd) (float64, error) {
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	peak := 0.
	tick := time.NewTicker(2 * time.Millisecond) // the figure only grows: the last one counts
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
				err = nil
			}
			return peak, err
		case <-tick.C:
			peak = max(peak, peakMB(cmd.Process.Pid))
		}
	}
}

// endlessSeeds serves hosts whose bodies do not end, or a page of each, see [large.Serve],
// until the test does, and lists them.
func endlessSeeds(t *testing.T, dir, page string, hosts int) (string, error) {
	l, err := large.Serve()
	if err != nil {
		return "", err
	}
	t.Cleanup(func() { l.Close() })
	var b strings.Builder
	for i := range hosts {
		fmt.Fprintf(&b, "http://127.1.1.%d:%d/%s\n", i+1, l.Addr().(*net.TCPAddr).Port, page)
	}
	name := filepath.Join(dir, "seeds.txt")
	return name, os.WriteFile(name, []byte(b.String()), 0o666)
}

// runMemory gives records to the program, over and over, and watches it.
func runMemory(t *testing.T, prog string, plain, recs [][]byte, mb int, args []string) {
	t.Helper()
	cmd := exec.Command(prog, append([]string{"clean", "-", "-j", "2"}, args...)...)
	in := must.Get(cmd.StdinPipe())(t)
	var msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &msg
	must.Succeed(t, cmd.Start())
	sent, peak := 0, 0.
	for i := 0; sent < mb*1e6; i++ {
		sent += len(plain[i%len(plain)])
		if _, err := in.Write(recs[i%len(recs)]); err != nil {
			break // the program says why
		}
		if i%20 == 19 {
			peak = max(peak, peakMB(cmd.Process.Pid))
		}
	}
	in.Close()
	var exit *exec.ExitError
	if err := cmd.Wait(); errors.As(err, &exit) {
		t.Fatalf("%v: %s", err, &msg)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d MB of records: peak memory %.0f MB\n%s", sent/1e6, peak, &msg)
	if peak <= 0 || peak > maxRSS {
		t.Errorf("peak memory %.0f MB, want at most %d", peak, maxRSS)
	}
}

// peakMB returns the most resident memory of a running process.
func peakMB(pid int) float64 {
	_, peak := testkit.ResidentMemory(pid)
	return float64(peak) / 1e6
}
