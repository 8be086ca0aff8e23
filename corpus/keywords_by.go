package corpus

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// PartKeywords holds the keywords of the part of a corpus with a value of an attribute.
type PartKeywords struct {
	Value string `json:"value"`
	*Keywords
}

// multivalue separates the values of an attribute that has several.
const multivalue = "|"

// FindKeywordsBy compares each part of a corpus with the rest: the structures that have a value of
// an attribute, such as doc.register, with all others. Values separated by "|" count as several.
// The largest parts come first. A value of all structures has no rest and is left out. most is
// the maximum number of parts, 0 for all.
func FindKeywordsBy(ctx context.Context, c Source, attr string, most int, cfg KeywordConfig) (list []PartKeywords, err error) {
	sizes, err := c.Breakdown(ctx, attr)
	if err != nil {
		return nil, inField("By", err)
	}
	tokens := map[string]int64{}
	var names []string
	whole := int64(0)
	for _, s := range sizes {
		whole += s.Tokens
		parts := strings.Split(s.Value, multivalue)
		for i, v := range parts {
			if slices.Contains(parts[:i], v) {
				continue // named twice
			}
			if _, ok := tokens[v]; !ok && v != "" && s.Tokens > 0 {
				names = append(names, v)
			}
			tokens[v] += s.Tokens
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(tokens[b], tokens[a]) })
	names = slices.DeleteFunc(names, func(v string) bool { return tokens[v] == whole })
	if most > 0 {
		names = names[:min(len(names), most)]
	}
	for _, v := range names {
		value := strings.ReplaceAll(regexp.QuoteMeta(v), `"`, `[\x22]`)
		part, err := Part(ctx, c, fmt.Sprintf(`%s="(.*[|])?%s([|].*)?"`, attr, value))
		if err != nil {
			return nil, err
		}
		rest, err := Part(ctx, c, fmt.Sprintf(`%s!="(.*[|])?%s([|].*)?"`, attr, value))
		if err != nil {
			return nil, err
		}
		k, err := FindKeywordsIn(ctx, part, rest, cfg)
		if err != nil {
			return nil, err
		}
		list = append(list, PartKeywords{v, k})
	}
	return list, nil
}
