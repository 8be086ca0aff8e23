package schedule

import (
	"errors"
	"strings"

	"chaffinch/internal/offheap"
	"chaffinch/page/weburl/registered"

	"github.com/zeebo/xxh3"
)

// tables holds the hosts, their origins and their sites by number. There may be millions.
type tables struct {
	memory  *offheap.Memory
	hosts   *offheap.Table[Host]
	origins *offheap.Table[Origin]
	sites   *offheap.Table[site]
	packets *offheap.Table[packet]
	// Sites with up to fewTargets targets have a list in few, others in many.
	few  *offheap.Table[[fewTargets]uint32]
	many *offheap.Table[[maxTargets]uint32]

	addresses *offheap.Table[address] // address 0 is unused

	freePacket *packet
	freeFew    []*[fewTargets]uint32
	texts      textStore // names of hosts and addresses
	otherNames map[uint32]string
	byName     index // hosts
	byDomain   index // sites
	byAddress  index
}

// newTables returns empty tables that take about memory bytes; the rest is in a file in the folder dir.
func newTables(dir string, memory int64) *tables {
	m := offheap.New(dir, memory)
	t := &tables{
		memory: m, hosts: offheap.NewTable[Host](m), origins: offheap.NewTable[Origin](m), sites: offheap.NewTable[site](m),
		few: offheap.NewTable[[fewTargets]uint32](m), many: offheap.NewTable[[maxTargets]uint32](m),
		packets: offheap.NewTable[packet](m), addresses: offheap.NewTable[address](m), otherNames: map[uint32]string{},
	}
	t.addresses.Add()
	t.byAddress.used = 1
	return t
}

// releasing returns hash, which an index that grows calls for all records, with releases of memory.
func (t *tables) releasing(hash func(n int) uint64) func(n int) uint64 {
	return func(n int) uint64 {
		if n%releaseRecords == 0 {
			t.memory.Release()
		}
		return hash(n)
	}
}

// findHost returns the host called name; nil if there is none.
func (t *tables) findHost(name string) *Host {
	n, ok := t.byName.find(xxh3.HashString(name), func(n int) bool { return t.hosts.At(n).Name == name })
	if !ok {
		return nil
	}
	return t.hosts.At(n)
}

// addHost adds a host.
func (t *tables) addHost(name string, x *site) *Host {
	number := uint32(t.hosts.Len())
	h := t.hosts.Add()
	h.Name, h.site, h.number = t.texts.add(name), x, number
	t.byName.add(t.releasing(func(n int) uint64 { return xxh3.HashString(t.hosts.At(n).Name) }))
	x.hosts++
	return h
}

// site returns the site of a host, and adds it if necessary.
func (t *tables) site(host string) *site {
	key := xxh3.HashString(registered.Domain(host))
	if n, ok := t.byDomain.find(key, func(n int) bool { return t.sites.At(n).key == key }); ok {
		return t.sites.At(n)
	}
	number := uint32(t.sites.Len())
	x := t.sites.Add()
	x.key, x.number = key, number
	t.byDomain.add(t.releasing(func(n int) uint64 { return t.sites.At(n).key }))
	return x
}

// fewTargets is the length of a short list of targets.
const fewTargets = 8

// addTarget adds a target to a site with fewer than maxTargets.
func (t *tables) addTarget(x *site, number uint32) {
	switch {
	case x.links == 0 && len(t.freeFew) > 0:
		last := len(t.freeFew) - 1
		x.few, t.freeFew = t.freeFew[last], t.freeFew[:last]
	case x.links == 0:
		x.few = t.few.Add()
	case x.links == fewTargets:
		x.many = t.many.Add()
		copy(x.many[:], x.few[:])
		t.freeFew = append(t.freeFew, x.few)
		x.few = nil
	}
	x.links++
	x.targets()[x.links-1] = number
}

// address returns an address by number.
func (t *tables) address(number uint32) *address { return t.addresses.At(int(number)) }

// addAddress returns the number of an address. It adds the address if necessary.
func (t *tables) addAddress(name string) uint32 {
	n, ok := t.byAddress.find(xxh3.HashString(name), func(n int) bool { return t.addresses.At(n).name == name })
	if ok {
		return uint32(n)
	}
	n = t.addresses.Len()
	a := t.addresses.Add()
	a.name, a.number = t.texts.add(name), uint32(n)
	t.byAddress.add(t.releasing(func(n int) uint64 { return xxh3.HashString(t.addresses.At(n).name) }))
	return uint32(n)
}

// Forms of the names of origins.
const (
	otherForm = iota // in tables.otherNames
	httpForm         // "http://" and the host
	httpsForm
)

var formPrefixes = [...]string{httpForm: "http://", httpsForm: "https://"}

// newOrigin adds an origin to a host.
func (t *tables) newOrigin(h *Host, name string) *Origin {
	number := uint32(t.origins.Len())
	o := t.origins.Add()
	o.Number = number
	h.addOrigin(o)
	for form, prefix := range formPrefixes {
		if form != otherForm && strings.HasPrefix(name, prefix) && name[len(prefix):] == h.Name {
			o.form = uint8(form)
			return o
		}
	}
	t.otherNames[number] = strings.Clone(name)
	return o
}

// originName returns the name of an origin, such as "https://example.org".
func (t *tables) originName(o *Origin) string {
	if o.form == otherForm {
		return t.otherNames[o.Number]
	}
	return formPrefixes[o.form] + o.host.Name
}

// isNamed reports whether an origin has a name.
func (t *tables) isNamed(o *Origin, name string) bool {
	if o.form == otherForm {
		return t.otherNames[o.Number] == name
	}
	prefix := formPrefixes[o.form]
	return strings.HasPrefix(name, prefix) && name[len(prefix):] == o.host.Name
}

const (
	// releaseEvents is the number of events, releaseLinks the number of links in an event, releaseHosts
	// the number of hosts in any order, and releaseRecords the number of records in order, between two
	// releases of memory. The system maps up to 64 KiB around each record that is used.
	releaseEvents = 8
	releaseLinks  = 128
	releaseHosts  = 256

	releaseRecords = 64 << 10
)

// countEvent counts an event and releases memory when it is due.
func (s *Scheduler) countEvent() {
	if s.events++; s.events%releaseEvents == 0 {
		s.release()
	}
}

// release removes hosts that are in a file from the memory of the process.
func (s *Scheduler) release() {
	s.memory.Release()
	if s.queue != nil {
		s.queue.Release()
	}
}

// Close closes the files of the frontier. Hosts must not be used afterwards.
func (s *Scheduler) Close() error {
	return errors.Join(s.sieve.Close(), s.queue.Close(), s.memory.Close())
}
