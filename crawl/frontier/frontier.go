// Package frontier stores the URLs of a crawl on disk. A [Sieve] separates new URLs from URLs seen
// before. A [Queue] holds the URLs to fetch, per host in the order of their scores.
//
// Memory is bounded by the configuration, not by the number of URLs. Places of URLs are in memory up to
// [QueueConfig.Memory], beyond it in a temporary file. Both types are deterministic: results depend only
// on the calls. Neither keeps a log. After a [Sieve.Flush] their state is in files that are never
// changed, with ascending numbers. A checkpoint is the list of these files; later calls can be repeated.
//
// The sieve is the one of Mercator (Najork and Heydon, 2001) as implemented in BUbiNG (Boldi et
// al., 2018, section 4.1): keys are collected in memory and merged in one pass with the sorted file
// of all keys.
//
// Unstable: this package may change in any release.
package frontier
