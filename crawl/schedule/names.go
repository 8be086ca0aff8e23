package schedule

import "github.com/zeebo/xxh3"

// nameTable finds hosts by their names. It holds numbers of hosts and no names: a map
// would take five times the memory. The table is open, with linear probing.
type nameTable struct {
	slots []uint32 // number of a host and 1; 0 is free
}

// find returns the host of a name among all hosts, nil if there is none.
func (t *nameTable) find(hosts []*Host, name string) *Host {
	if len(t.slots) == 0 {
		return nil
	}
	for at := t.home(name); t.slots[at] != 0; at = (at + 1) % len(t.slots) {
		if h := hosts[t.slots[at]-1]; h.Name == name {
			return h
		}
	}
	return nil
}

// add adds the last one of all hosts.
func (t *nameTable) add(hosts []*Host) {
	if 4*len(hosts) <= 3*len(t.slots) {
		t.put(hosts, len(hosts)-1)
		return
	}
	t.slots = make([]uint32, max(2*len(t.slots), 64))
	for i := range hosts {
		t.put(hosts, i)
	}
}

func (t *nameTable) put(hosts []*Host, number int) {
	at := t.home(hosts[number].Name)
	for t.slots[at] != 0 {
		at = (at + 1) % len(t.slots)
	}
	t.slots[at] = uint32(number) + 1
}

// home is where the search for a name begins.
func (t *nameTable) home(name string) int {
	return int(xxh3.HashString(name) % uint64(len(t.slots)))
}
