package token

import (
	"strings"

	"chaffinch/internal/sets"
)

// maxAbbreviation is the maximum length in bytes of a word that is looked up.
const maxAbbreviation = 24

// join defines when a full stop after an abbreviation does not end a sentence. Before a
// lower-case word UAX 29 has no boundary anyway.
type join uint8

const (
	joinsNever  join = iota
	joinsAlways      // titles and similar abbreviations, which never end a sentence
	joinsNumber      // precedes a number: "No. 5", "p. 12"
	joinsName        // may end a sentence: joins unless a starter follows
)

// abbreviations holds lower-case abbreviations without their last full stop. A form that is
// also a common word of one of the languages is omitted, or joins only before numbers.
var abbreviations = table(map[join]string{
	joinsAlways: `
		mr mrs ms messrs mmes dr drs prof profs rev hon fr gen col maj capt cmdr lt sgt cpl pvt adm brig
		gov sen rep reps sens pres supt det insp amb atty st ste vs viz cf ca approx e.g i.e eg ie
		incl esp resp op.cit dept asst assoc univ
		fr frl dipl ing habil z.b d.h u.a u.ä o.ä s.o s.u i.d.r bzw evtl ggf gem inkl exkl zzgl sog vgl
		mme mlle mgr p.ex c.-à-d
		sr sra srta sres d.ª dña dn ud uds excmo excma ilmo lic p.ej
		exmo exma dra drª eng profª
		sig sigg dott dott.ssa prof.ssa avv arch geom s.p.a
		dhr mevr mej ir mr.dr jhr bijv d.w.z m.a.w o.a
		т.е т.к т.н т.д напр ул пр акад проф гр гос стр св
	`,
	joinsNumber: `
		no nos nr num núm n.º p pp pg pgs par para vol vols fig figs tab eq eqs sec secs sect ch chap art arts
		cl ex app bd nn abs abb kap ziff s str aufl jg bl pág págs cap cap. tel ext blz hfst рис табл гл т п пп №
		jan feb mar apr jun jul aug sep sept oct nov dec sat sun mon tue tues wed thu thur thurs fri v
	`,
	joinsName: `
		inc ltd corp co cos bros jr esq ph.d m.d b.a m.a b.sc m.sc d.phil ll.b ll.m r.n m.p u.s u.k u.n e.u
		u.s.a d.c a.m p.m a.d b.c n.b p.s s.a n.v b.v gmbh plc calif fla mass conn penn tenn wash ariz colo
		minn mich wis okla ave blvd rd hwy bldg
		a.k.a al etc mt ft hr usw u.s.w dgl hl jh jhd evg kath
		ee.uu a.c d.c s.l av avda c.v
		av.a.c ecc d.c
		enz e.d
		г гг в вв руб тыс млн млрд
	`,
})

// starters are capitalized words that nearly always begin a sentence when they follow an
// abbreviation.
var starters = sets.Words(`
	the a an this that these those he she it they we i you his her its their our my your there here what who
	when where why how which while if as at in on for from by with to of and but or so after before since
	although though because however according also both all some many most more no not yet then now today
	yesterday is are was were has have had do does did will would can could may let please
	der die das ein eine er sie es wir ich ihr im am und aber doch oder auch wenn als nach bei mit für von zu
	auf aus dies diese dieser dieses so da dann
	le la les un une il elle ils elles on nous vous je ce cette ces cet mais et dans en au aux pour par sur
	el los las lo una y pero por con para se su al esta este
	o os as um uma e mas no na nos nas em não ele ela isso
	gli i uno ma nel nella per con si
	de het een maar ook hij zij ze wij we dat dit
	он она оно они мы вы я это этот эта в на и но по для к с у за из от как что а о об
`)

// germanMonths follow a day with a full stop: "am 3. Oktober".
var germanMonths = sets.Words(`
	januar jänner februar märz april mai juni juli august september oktober november dezember jahrhundert
`)

func table(lists map[join]string) map[string]join {
	t := make(map[string]join, 512)
	for _, j := range []join{joinsName, joinsNumber, joinsAlways} { // the strongest wins
		for _, w := range strings.Fields(lists[j]) {
			t[w] = j
		}
	}
	return t
}
