//go:build !unix

package main

import "io"

// pollable returns in unchanged.
func pollable(in io.Reader) io.Reader { return in }
