package corpus

// Info describes an index.
type Info struct {
	Tokens     int64           `json:"tokens"`
	Bytes      int64           `json:"bytes"` // of the index on disk
	Tool       string          `json:"tool"`  // program that built the index
	DataSHA256 string          `json:"data_sha256"`
	Attributes []AttributeInfo `json:"attributes"` // the first one is the default
	Structures []StructureInfo `json:"structures"`
}

// AttributeInfo holds an attribute and the number of its distinct values.
type AttributeInfo struct {
	Name   string `json:"name"`
	Values int    `json:"values"`
}

// StructureInfo describes the structures of one name.
type StructureInfo struct {
	Name       string          `json:"name"`
	Count      int             `json:"count"`
	Attributes []AttributeInfo `json:"attributes"`
}

// Info returns a description of the index.
func (c *Corpus) Info() (Info, error) {
	h := c.Header()
	info := Info{Tokens: c.Size(), Bytes: c.Bytes(), Tool: h.Tool, DataSHA256: h.DataSHA256, Structures: []StructureInfo{}}
	for _, name := range c.Attrs() {
		a, err := c.Attr(name)
		if err != nil {
			return info, err
		}
		info.Attributes = append(info.Attributes, AttributeInfo{name, a.Len()})
	}
	for _, name := range c.Structs() {
		s, err := c.Struct(name)
		if err != nil {
			return info, err
		}
		si := StructureInfo{Name: name, Count: s.Len(), Attributes: []AttributeInfo{}}
		for _, an := range s.Attrs() {
			a, err := s.Attr(an)
			if err != nil {
				return info, err
			}
			si.Attributes = append(si.Attributes, AttributeInfo{an, a.Len()})
		}
		info.Structures = append(info.Structures, si)
	}
	return info, nil
}
