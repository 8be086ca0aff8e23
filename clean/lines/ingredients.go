package lines

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/sets"
)

// Lists of ingredients are text, but look like menus: short lines without full stops. In
// turku-lines, they have 64 lines, too few to learn from, and 63 are text. The constants are the
// minimum number of measures ("2 dl cream") of a list, the maximum number of other lines
// between two of its lines, the maximum length of an ingredient in words, and the lowest log
// odds of the lines of a list.
const (
	listMeasures    = 3
	listGap         = 2
	ingredientWords = 12
	ingredientOdds  = 1
)

// hasPrice reports whether a line contains a sign of lines that are not in a list of ingredients.
func hasPrice(line string) bool {
	return strings.IndexByte(line, '$') >= 0 || strings.IndexByte(line, '|') >= 0 || strings.Contains(line, "€") || strings.Contains(line, "£")
}

// keepIngredients raises the log odds of lists of ingredients and of the line above each
// list, the number of servings or a heading. At least two thirds of the lines of a list
// begin with a number.
func keepIngredients(odds []float32, lines []string) {
	for from := 0; from < len(lines); from++ {
		if ingredient, _ := ingredientIn(lines[from]); !ingredient {
			continue
		}
		to, ingredients, measures := from, 0, 0 // the list is from..to-1
		for i := from; i < len(lines) && i-to <= listGap && !hasPrice(lines[i]); i++ {
			ingredient, measure := ingredientIn(lines[i])
			if ingredient {
				to = i + 1
				ingredients++
			}
			if measure {
				measures++
			}
		}
		if measures >= listMeasures && 3*ingredients >= 2*(to-from) {
			for i := max(from-1, 0); i < to; i++ {
				odds[i] = max(odds[i], ingredientOdds)
			}
		}
		from = to
	}
}

// ingredientIn reports whether a line begins with a number and a word ("2 eggs"), and
// whether a unit of the kitchen is between them ("2 dl cream").
func ingredientIn(line string) (ingredient, measure bool) {
	if line == "" || len(line) > headBytes || 'A' <= line[0] && line[0] <= 'z' { // the usual letters first
		return false, false
	}
	rest := strings.TrimLeft(line, "-–•*· \t\u00a0")
	if first, _ := utf8.DecodeRuneInString(rest); !unicode.IsNumber(first) {
		return false, false
	}
	rest = strings.TrimLeftFunc(rest, func(r rune) bool { return unicode.IsNumber(r) || strings.ContainsRune(".,/⁄-– \u00a0", r) })
	end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) })
	if end == 0 || rest == "" {
		return false, false
	}
	words := 0
	for range strings.FieldsSeq(line) {
		words++
	}
	if words > ingredientWords {
		return false, false
	}
	if end < 0 || !units[strings.ToLower(rest[:end])] {
		return true, false
	}
	return true, strings.ContainsFunc(rest[end:], unicode.IsLetter)
}

// units holds the units of recipes in the languages of Europe, in lower case.
var units = sets.Words(`g gr kg mg ml cl dl l oz lb lbs
		cup cups tbsp tsp tablespoon tablespoons teaspoon teaspoons pinch clove cloves
		el tl prise prisen bund zehe zehen stange stangen scheibe scheiben pck päckchen
		c cs cc cuillère cuillères gousse gousses pincée pincées tranche tranches
		cucharada cucharadas cucharadita cucharaditas taza tazas diente dientes
		msk tsk krm st klyfta klyftor knippe spsk ss ts stk fed
		rkl kpl prk cucchiaio cucchiai cucchiaino cucchiaini eetlepel eetlepels theelepel theelepels
		colher colheres łyżka łyżki łyżeczka łyżeczki`)
