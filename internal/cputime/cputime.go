// Package cputime tells how much processor time a program has used: the measure
// of speed on machines that do other things too.
package cputime
