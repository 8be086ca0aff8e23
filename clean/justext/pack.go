package justext

// Embedded is filled below.
func Embedded(lang string) (*Stoplist, bool) { return nil, false }
