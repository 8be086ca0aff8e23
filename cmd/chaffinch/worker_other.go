//go:build !unix

package main

import "io"

// pollable returns in as it is.
func pollable(in io.Reader) io.Reader { return in }
