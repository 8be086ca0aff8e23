package langid

// Group is a group of similar languages.
type Group struct {
	Name  string   `json:"name"`
	Langs []string `json:"langs"`
}

// DefaultGroups lists the groups of the embedded model. A language is in one group; languages
// without text are omitted.
var DefaultGroups = []Group{
	{"cs-sk", []string{"cs", "sk"}},
	{"hr-sr-bs-sl", []string{"hr", "sr-Latn", "bs", "sl"}},
	{"da-nb-nn-sv", []string{"da", "nb", "nn", "sv"}},
	{"es-gl-pt-ca", []string{"es", "gl", "pt", "ca", "ast"}},
	{"id-ms", []string{"id", "ms"}},
	{"bg-mk-sr", []string{"bg", "mk", "sr"}},
	{"ru-uk-be", []string{"ru", "uk", "be"}},
	{"fa-ps", []string{"fa", "ps"}},
	{"hi-mr-ne", []string{"hi", "mr", "ne", "sa"}},
	{"zu-xh-ss", []string{"zu", "xh", "ss", "nr"}},
	{"st-tn-nso", []string{"st", "tn", "nso"}},
	{"af-nl", []string{"af", "nl", "fy"}},
	{"rw-rn", []string{"rw", "rn"}},
}
