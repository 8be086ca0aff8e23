package main

import (
	"slices"
	"strings"
)

// strong lists participles without prefix and ge, each with its infinitive.
var strong = pairs(`backen backen borgen bergen borsten bersten bogen biegen boten bieten bunden binden beten bitten blasen blasen
	blieben bleiben braten braten brochen brechen brannt brennen bracht bringen dacht denken droschen dreschen drungen dringen
	fahren fahren fallen fallen fangen fangen flochten flechten flogen fliegen flossen fließen fohlen fehlen fressen fressen
	froren frieren funden finden gangen gehen geben geben gessen essen glichen gleichen glitten gleiten gossen gießen
	graben graben griffen greifen halten halten hangen hängen hauen hauen hoben heben holfen helfen kannt kennen
	klungen klingen kniffen kneifen kommen kommen krochen kriechen laden laden lassen lassen laufen laufen legen liegen
	lesen lesen liehen leihen litten leiden logen lügen mahlen mahlen messen messen mieden meiden nannt nennen nommen nehmen
	pfiffen pfeifen priesen preisen rannt rennen raten raten rieben reiben rissen reißen ritten reiten rochen riechen
	rufen rufen rungen ringen schaffen schaffen schieden scheiden schienen scheinen schlafen schlafen
	schlagen schlagen schlichen schleichen schliffen schleifen schlossen schließen schlungen schlingen schmissen schmeißen
	schmolzen schmelzen schnitten schneiden schoben schieben schossen schießen schrieben schreiben schritten schreiten
	schrocken schrecken schwiegen schweigen schwollen schwellen schwommen schwimmen schworen schwören schwunden schwinden
	schwungen schwingen sehen sehen sessen sitzen soffen saufen sponnen spinnen sprochen sprechen sprungen springen
	standen stehen stiegen steigen stochen stechen stohlen stehlen storben sterben stoßen stoßen strichen streichen
	stritten streiten stunken stinken sungen singen sunken sinken tan tun tragen tragen treten treten trieben treiben
	troffen treffen trogen trügen trunken trinken wachsen wachsen wandt wenden waschen waschen wichen weichen
	wiesen weisen worben werben worfen werfen wunden winden wusst wissen zogen ziehen zwungen zwingen`)

// whole lists participles that are not composed of a prefix and an entry of strong.
var whole = pairs(`befohlen befehlen begonnen beginnen beworben bewerben empfohlen empfehlen erloschen erlöschen
	geboren gebären gediehen gedeihen gefallen gefallen gelungen gelingen genesen genesen genossen genießen geschehen geschehen
	gewonnen gewinnen misslungen misslingen verdorben verderben vergessen vergessen verloren verlieren`)

func pairs(text string) map[string]string {
	m := map[string]string{}
	for f := range slices.Chunk(strings.Fields(text), 2) {
		m[f[0]] = f[1]
	}
	return m
}

// infinitives returns the possible infinitives of a German participle, or of an infinitive with zu
// after its first part, the most probable first. Each has to be known. The dictionary has no ß: strong
// verbs with ß are always known.
func infinitives(form string, known func(string) bool) (out []string) {
	if l := whole[form]; l != "" {
		return []string{l}
	}
	add := func(prefix, rest string) {
		list := []string{strong[rest]}
		if stem, ok := strings.CutSuffix(rest, "t"); ok {
			list = append(list, stem+"en", stem+"n")
			if stem, ok := strings.CutSuffix(stem, "e"); ok {
				list = append(list, stem+"en")
			}
		}
		for _, l := range list {
			sharp := l == strong[rest] && strings.Contains(l, "ß") && !strings.HasSuffix(prefix, "ge")
			if l != "" && (known(prefix+l) || sharp) {
				if !slices.Contains(out, prefix+l) {
					out = append(out, prefix+l)
				}
				return
			}
		}
	}
	for i := range form {
		prefix, rest := form[:i], form[i:]
		if ge, ok := strings.CutPrefix(rest, "ge"); ok {
			add(prefix, ge)
		} else if zu, ok := strings.CutPrefix(rest, "zu"); ok && i > 0 && strings.HasSuffix(zu, "n") && known(prefix+zu) {
			out = append(out, prefix+zu)
		}
	}
	for i := range form { // without ge, as in erhalten and studiert
		if i > 0 || strings.HasSuffix(form, "t") {
			add(form[:i], form[i:])
		}
	}
	return out
}
