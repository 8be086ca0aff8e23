package rtf

// bulletFormat is the number format of a level with bullets, noFormat of one without a mark.
const (
	bulletFormat = 23
	noFormat     = 255
)

// listTable contains the formats of lists.
type listTable struct {
	formats  map[int][]int // of levels, by the id of the list
	override map[int]int   // numbers of lists in paragraphs to ids
	current  []int         // formats of the list that is defined
	id, num  int
	depth    int // of the group that is defined
}

func (l *listTable) init() { l.formats, l.override = map[int][]int{}, map[int]int{} }

// word reads a control word in the tables of lists. depth is the number of open groups.
func (l *listTable) word(word string, n, depth int) {
	switch word {
	case "list", "listoverride":
		l.current, l.id, l.num, l.depth = nil, 0, 0, depth
	case "levelnfc":
		if len(l.current) < 9 {
			l.current = append(l.current, n)
		}
	case "listid":
		l.id = n
	case "ls":
		l.num = n
	}
}

// end ends a group. depth is the number of groups that are still open.
func (l *listTable) end(depth int) {
	if depth >= l.depth || l.depth == 0 || len(l.formats)+len(l.override) > 1<<16 {
		return
	}
	if l.num != 0 {
		l.override[l.num] = l.id
	} else if l.id != 0 && l.current != nil {
		l.formats[l.id] = l.current
	}
	l.depth = 0
}

// format returns the number format of a level of a list, false if the list is not defined.
func (l *listTable) format(num, level int) (int, bool) {
	formats, ok := l.formats[l.override[num]]
	if level >= len(formats) {
		return bulletFormat, ok
	}
	return formats[level], ok
}
