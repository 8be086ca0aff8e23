package exact

// NormalizeURL returns one form of the addresses that fetch the same page.
func NormalizeURL(url string, www bool) string { return url }
