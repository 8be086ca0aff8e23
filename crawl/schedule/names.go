package schedule

import "github.com/zeebo/xxh3"

// nameTable finds hosts by name. It is an open hash table with linear probing that holds numbers of
// hosts, since a map of names would take five times the memory.
type nameTable struct {
	slots []uint32 // number of a host plus 1; 0 is free
}

// find returns the host called name; nil if there is none.
func (t *nameTable) find(hosts []*Host, name string) *Host {
	if len(t.slots) == 0 {
		return nil
	}
	for at := t.firstSlot(name); t.slots[at] != 0; at = (at + 1) % len(t.slots) {
		if h := hosts[t.slots[at]-1]; h.Name == name {
			return h
		}
	}
	return nil
}

// add adds the last host.
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
	at := t.firstSlot(hosts[number].Name)
	for t.slots[at] != 0 {
		at = (at + 1) % len(t.slots)
	}
	t.slots[at] = uint32(number) + 1
}

// firstSlot returns the first slot of a name.
func (t *nameTable) firstSlot(name string) int {
	return int(xxh3.HashString(name) % uint64(len(t.slots)))
}
