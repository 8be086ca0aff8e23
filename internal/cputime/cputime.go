// Package cputime measures the processor time of the current process with [Used]. It is a measure
// of speed for machines under load.
package cputime
