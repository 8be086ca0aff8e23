// Package chaffinch turns crawled web pages into clean text corpora.
package chaffinch
