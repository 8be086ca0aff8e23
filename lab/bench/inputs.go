//go:build unix

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"chaffinch/format/warc"
	"chaffinch/internal/archive"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
)

// inputs creates the inputs of the commands from the data sets, each once.
type inputs struct {
	data, dir, program string
}

func (in *inputs) path(name string) string { return filepath.Join(in.dir, name) }

// prepare creates the inputs of a command. It returns the size of the input that the command reads
// and its arguments with {j} unresolved.
func (in *inputs) prepare(c command) (size int64, args []string, err error) {
	for i, name := range c.names() {
		path := in.path(name)
		if _, err := os.Stat(path); err != nil {
			if err := errors.Join(disk.MkdirAll(in.dir), in.make(name, path)); err != nil {
				return 0, nil, fmt.Errorf("input %s: %w", name, err)
			}
		}
		if i == 0 {
			size = files.Bytes(path)
		}
	}
	for _, w := range strings.Fields(c.args) {
		if name, ok := strings.CutPrefix(w, "{"); ok && w != "{j}" && w != "{out}" {
			w = in.path(strings.TrimSuffix(name, "}"))
		}
		args = append(args, w)
	}
	return size, args, nil
}

// make creates an input. A number in its name is the amount.
func (in *inputs) make(name, to string) error {
	stem, ending, _ := strings.Cut(name, ".")
	kind, amount, _ := strings.Cut(stem, "-")
	n, _ := strconv.Atoi(strings.TrimSuffix(amount, "MB"))
	switch {
	case kind == "page":
		return files.WriteFile(to, []byte("<!DOCTYPE html><title>A page</title><p>"+strings.Repeat("A first page of some plain words. ", 40)))
	case kind == "pages" && ending == "":
		return in.unpack("eval/dragnet.tar.zst", "dragnet/html/", to, func(b []byte) []byte { return b })
	case kind == "pages":
		return in.archived(to, n)
	case kind == "dense":
		return in.unpack("eval/wcxb-dev.tar.zst", "wcxb-dev/gold/", to, marked)
	case kind == "lines":
		return in.dumped(to)
	case kind == "ntrex":
		return in.joined("text/ntrex.tar.zst", to, 20e6)
	case kind == "en":
		return in.joined("text/en.tar.zst", to, cmp.Or(n*1e6, 20e6))
	case kind == "texts":
		args := []string{"clean", "-q", "-m", "keep", "-o", to}
		dense := in.path("dense")
		if files.Bytes(dense) == 0 {
			if err := in.make("dense", dense); err != nil {
				return err
			}
		}
		return in.run(append(args, dense)...)
	case kind == "grown":
		return in.run("eval", "dedup", "--data", in.data, "--half", "dev", "--grow", amount, "--save-docs", to)
	}
	return errors.New("nothing is known of it")
}

// run runs the measured program to create an input.
func (in *inputs) run(args ...string) error {
	if out, err := exec.Command(in.program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// walk calls fn with the files of a data set in a folder.
func (in *inputs) walk(set, folder string, fn func(name string, b []byte) error) error {
	return archive.Walk(filepath.Join(in.data, set), func(name string, r io.Reader) error {
		if !strings.HasPrefix(name, folder) {
			return nil
		}
		b, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		return fn(name, b)
	})
}

// unpack writes the files of a data set in a folder to another folder, each transformed by change.
func (in *inputs) unpack(set, folder, to string, change func([]byte) []byte) error {
	if err := disk.MkdirAll(to); err != nil {
		return err
	}
	return in.walk(set, folder, func(name string, b []byte) error {
		out := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)) + ".html"
		return files.WriteFileWith(filepath.Join(to, out), change(b), files.Options{Unsynced: true})
	})
}

// marked returns a page with a paragraph for each line of text.
func marked(text []byte) []byte {
	b := []byte("<!DOCTYPE html><meta charset=utf-8><title>A text</title>\n")
	for line := range strings.Lines(string(text)) {
		b = fmt.Appendf(b, "<p>%s</p>\n", html.EscapeString(strings.TrimSpace(line)))
	}
	return b
}

// archived writes n pages, repeating them if there are fewer, to a WARC with one member per record.
// If n is 0, each page is written once.
func (in *inputs) archived(to string, n int) error {
	var pages [][]byte
	if err := in.walk("eval/dragnet.tar.zst", "dragnet/html/", func(_ string, b []byte) error {
		pages = append(pages, b)
		return nil
	}); err != nil {
		return err
	}
	n = cmp.Or(n, len(pages))
	return files.Replace(to, func(w io.Writer) error {
		out, err := warc.NewWriter(w, warc.WriterConfig{Packing: warc.Gzip})
		if err != nil {
			return err
		}
		for i := range n {
			block := append([]byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"), pages[i%len(pages)]...)
			if _, err := out.Write(warc.Entry{Type: "response", URI: fmt.Sprintf("https://pages.example/%d", i), Date: "2026-01-02T03:04:05Z",
				ContentType: "application/http; msgtype=response", Block: block}); err != nil {
				return err
			}
		}
		return nil
	})
}

// dumped writes WET records of annotated lines, repeating them up to 20 MB.
func (in *inputs) dumped(to string) error {
	var texts []string
	err := in.walk("lines/turku-lines.tar.zst", "turku-lines/", func(name string, b []byte) error {
		if filepath.Ext(name) != ".jsonl" {
			return nil
		}
		for line := range bytes.Lines(b) {
			var doc struct{ Text []string }
			if err := json.Unmarshal(line, &doc); err != nil {
				return err
			}
			texts = append(texts, strings.Join(doc.Text, "\n"))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return files.Replace(to, func(w io.Writer) error {
		size := 0
		for i := 0; size < 20e6; i++ {
			text := texts[i%len(texts)]
			n, err := fmt.Fprintf(w, "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: https://pages.example/%d\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(text), text)
			if size += n; err != nil {
				return err
			}
		}
		return nil
	})
}

// joined writes the concatenated texts of a data set, up to size bytes.
func (in *inputs) joined(set, to string, size int) error {
	return files.Replace(to, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		err := in.walk(set, "", func(name string, b []byte) error {
			if filepath.Ext(name) != ".txt" {
				return nil
			}
			out.Write(b)
			if size -= len(b); size < 0 {
				return archive.ErrStop
			}
			return nil
		})
		return errors.Join(err, out.Flush())
	})
}
