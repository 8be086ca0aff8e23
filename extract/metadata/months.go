package metadata

import "strings"

// months maps the names and common abbreviations of months to their numbers. Names are in lower
// case without a full stop. Inflected languages also have the form used in dates.
var months = func() map[string]int {
	m := make(map[string]int, 512)
	for _, names := range [...][12]string{
		{"january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug", "september sep sept", "october oct", "november nov", "december dec"},                                                                                                          // English
		{"januar jänner jan", "februar feber feb", "märz mär mrz", "april apr", "mai", "juni jun", "juli jul", "august aug", "september sep sept", "oktober okt", "november nov", "dezember dez"},                                                                                            // German
		{"janvier janv", "février fevrier févr fev", "mars", "avril avr", "mai", "juin", "juillet juil", "août aout", "septembre sept", "octobre oct", "novembre nov", "décembre decembre déc dec"},                                                                                          // French
		{"enero ene", "febrero feb", "marzo mar", "abril abr", "mayo may", "junio jun", "julio jul", "agosto ago", "septiembre setiembre sept", "octubre oct", "noviembre nov", "diciembre dic"},                                                                                             // Spanish
		{"gennaio gen", "febbraio feb", "marzo mar", "aprile apr", "maggio mag", "giugno giu", "luglio lug", "agosto ago", "settembre set", "ottobre ott", "novembre nov", "dicembre dic"},                                                                                                   // Italian
		{"janeiro jan", "fevereiro fev", "março marco mar", "abril abr", "maio mai", "junho jun", "julho jul", "agosto ago", "setembro set", "outubro out", "novembro nov", "dezembro dez"},                                                                                                  // Portuguese
		{"januari jan", "februari feb", "maart mrt", "april apr", "mei", "juni jun", "juli jul", "augustus aug", "september sep", "oktober okt", "november nov", "december dec"},                                                                                                             // Dutch
		{"styczeń stycznia sty", "luty lutego lut", "marzec marca mar", "kwiecień kwietnia kwi", "maj maja", "czerwiec czerwca cze", "lipiec lipca lip", "sierpień sierpnia sie", "wrzesień września wrz", "październik października paź", "listopad listopada lis", "grudzień grudnia gru"}, // Polish
		{"leden ledna", "únor února", "březen března", "duben dubna", "květen května", "červen června", "červenec července", "srpen srpna", "září", "říjen října", "", "prosinec prosince"},                                                                                                  // Czech; listopad is Polish above
		{"január januára", "február februára", "marec", "apríl apríla", "máj mája", "jún júna", "júl júla", "august augusta", "september septembra", "október októbra", "november novembra", "december decembra"},                                                                            // Slovak
		{"январь января янв", "февраль февраля фев", "март марта мар", "апрель апреля апр", "май мая", "июнь июня июн", "июль июля июл", "август августа авг", "сентябрь сентября сен сент", "октябрь октября окт", "ноябрь ноября ноя", "декабрь декабря дек"},                              // Russian
		{"січень січня", "лютий лютого", "березень березня", "квітень квітня", "травень травня", "червень червня", "липень липня", "серпень серпня", "вересень вересня", "жовтень жовтня", "листопад листопада", "грудень грудня"},                                                           // Ukrainian
		{"ιανουάριος ιανουαρίου ιαν", "φεβρουάριος φεβρουαρίου φεβ φεβρ", "μάρτιος μαρτίου μαρ μάρ", "απρίλιος απριλίου απρ", "μάιος μαΐου μαίου μαϊου μάι μαϊ", "ιούνιος ιουνίου ιουν ιούν", "ιούλιος ιουλίου ιουλ ιούλ", "αύγουστος αυγούστου αυγ αύγ", "σεπτέμβριος σεπτεμβρίου σεπ σεπτ", "οκτώβριος οκτωβρίου οκτ", "νοέμβριος νοεμβρίου νοε νοέ", "δεκέμβριος δεκεμβρίου δεκ"}, // Greek
		{"ocak", "şubat", "mart", "nisan", "mayıs", "haziran", "temmuz", "ağustos", "eylül", "ekim", "kasım", "aralık"},                                                                                                                                                                // Turkish
		{"januari", "februari", "mars", "april", "maj", "juni", "juli", "augusti", "september", "oktober", "november", "december"},                                                                                                                                                     // Swedish
		{"januar", "februar", "marts mars", "april", "maj", "juni", "juli", "august", "september", "oktober", "november", "december desember des"},                                                                                                                                     // Danish, Norwegian
		{"tammikuuta tammikuu", "helmikuuta helmikuu", "maaliskuuta maaliskuu", "huhtikuuta huhtikuu", "toukokuuta toukokuu", "kesäkuuta kesäkuu", "heinäkuuta heinäkuu", "elokuuta elokuu", "syyskuuta syyskuu", "lokakuuta lokakuu", "marraskuuta marraskuu", "joulukuuta joulukuu"}, // Finnish
		{"január", "február", "március márc", "április ápr", "május máj", "június jún", "július júl", "augusztus", "szeptember szept", "október", "november", "december"},                                                                                                              // Hungarian
		{"ianuarie", "februarie", "martie", "aprilie", "mai", "iunie", "iulie", "august", "septembrie", "octombrie", "noiembrie", "decembrie"},                                                                                                                                         // Romanian
		{"януари", "февруари", "март", "април", "май", "юни", "юли", "август", "септември", "октомври", "ноември", "декември"},                                                                                                                                                         // Bulgarian
		{"siječnja siječanj", "veljače veljača", "ožujka ožujak", "travnja travanj", "svibnja svibanj", "lipnja lipanj", "srpnja srpanj", "kolovoza kolovoz", "rujna rujan", "", "studenoga studeni", "prosinca prosinac"},                                                             // Croatian; listopada is Polish above
		{"januari", "februari pebruari", "maret", "april", "mei", "juni", "juli", "agustus", "september", "oktober", "november", "desember"},                                                                                                                                           // Indonesian
		{"gener", "febrer", "març", "abril", "maig", "juny", "juliol", "agost", "setembre", "octubre", "novembre", "desembre"},                                                                                                                                                         // Catalan
	} {
		for i, forms := range names {
			for f := range strings.FieldsSeq(forms) {
				if m[f] == 0 {
					m[f] = i + 1
				}
			}
		}
	}
	return m
}()
