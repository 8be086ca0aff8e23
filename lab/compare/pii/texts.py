"""Generates texts with personal data in 24 languages. Numbers with check digits are valid by
python-stdnum, which is independent of the checks of chaffinch. The seed is fixed."""
import importlib
import random
import string

# Language: country, given names, surnames, sentences. {n} name, {e} e-mail, {p} telephone, {i}
# identification number. The names were written down for this test, without the embedded list.
LANGUAGES = {
    "en": ("GB", "Oliver Susan Graham Bethany Keith Imogen", "Hargreaves Whitfield Pemberton Okafor Lockwood Ashworth", ["My name is {n}.", "{n} signed the form yesterday.", "Please call Mr {n} on {p}.", "Write to {e} today.", "NHS number: {i}."]),
    "de": ("DE", "Jürgen Sabine Torsten Heike Matthias Ute", "Brandstetter Kühn Lindemann Oberhauser Wiegand Zeller", ["Ich heiße {n}.", "Gestern sprach Frau {n} im Rat.", "{n} wohnt in Kassel.", "Rufen Sie {p} an oder schreiben Sie an {e}.", "Meine Steuer-ID ist {i}."]),
    "fr": ("FR", "Thierry Sylvie Benoît Delphine Gérard Agnès", "Charpentier Delacroix Fontaine Guillemot Marchand Vasseur", ["Je m'appelle {n}.", "Madame {n} habite à Lyon.", "{n} a publié un livre.", "Appelez le {p} ou écrivez à {e}.", "Numéro de sécurité sociale : {i}."]),
    "es": ("ES", "Javier Pilar Gonzalo Rocío Íñigo Carmen", "Aguirre Beltrán Carrasco Escudero Montalvo Quiroga", ["Me llamo {n}.", "La señora {n} vive en Cádiz.", "{n} ganó la carrera.", "Llame al {p} o escriba a {e}.", "Mi DNI es {i}."]),
    "it": ("IT", "Giancarlo Federica Massimo Ornella Sandro Tiziana", "Bertolini Cavallaro Ferrante Mancuso Pellegrini Zanetti", ["Mi chiamo {n}.", "La signora {n} abita a Pisa.", "{n} ha vinto.", "Chiamate {p} o scrivete a {e}.", "Codice fiscale: {i}."]),
    "pt": ("BR", "Rogério Patrícia Edson Luciana Wagner Simone", "Albuquerque Cavalcanti Figueiredo Machado Siqueira Teixeira", ["Meu nome é {n}.", "A senhora {n} mora no Recife.", "{n} venceu.", "Ligue para {p} ou escreva para {e}.", "CPF: {i}."]),
    "nl": ("NL", "Maarten Femke Joost Annelies Ruud Marloes", "Bakhuis Dijkstra Hoogland Kuiper Terpstra Zandvliet", ["Mijn naam is {n}.", "Mevrouw {n} woont in Delft.", "{n} won de prijs.", "Bel {p} of schrijf naar {e}.", "BSN: {i}."]),
    "pl": ("PL", "Krzysztof Grażyna Zbigniew Beata Wojciech Halina", "Borkowski Czarnecka Dudek Jasiński Olszewska Wrona", ["Nazywam się {n}.", "Pani {n} mieszka w Łodzi.", "{n} wygrał.", "Proszę dzwonić {p} lub pisać na {e}.", "PESEL: {i}."]),
    "cs": ("CZ", "Zdeněk Jitka Miroslav Lenka Vlastimil Ivana", "Bartoš Doležalová Hrubý Kopecká Pospíšil Vaněk", ["Jmenuji se {n}.", "Paní {n} bydlí v Brně.", "{n} vyhrál.", "Volejte {p} nebo pište na {e}.", "Rodné číslo {i}."]),
    "sv": ("SE", "Göran Birgitta Håkan Ulrika Stellan Gunilla", "Bergqvist Dahlström Hallberg Lindgren Sjöberg Wallin", ["Jag heter {n}.", "I går kom fru {n}.", "{n} vann.", "Ring {p} eller skriv till {e}.", "Personnummer: {i}."]),
    "fi": ("FI", "Jukka Päivi Heikki Kirsi Tapio Ritva", "Heikkinen Järvelä Koskela Mattila Salonen Väisänen", ["Nimeni on {n}.", "{n} asuu Turussa.", "Eilen {n} voitti.", "Soita {p} tai kirjoita {e}.", "Henkilötunnus {i}."]),
    "no": ("NO", "Torbjørn Ragnhild Odd Solveig Terje Turid", "Aasen Brekke Fossum Haugland Myhre Tveit", ["Jeg heter {n}.", "I går kom fru {n}.", "{n} vant.", "Ring {p} eller skriv til {e}.", "Fødselsnummer {i}."]),
    "da": ("DK", "Flemming Kirsten Preben Bodil Jesper Vibeke", "Bjerregaard Damgaard Holst Kjær Mogensen Skov", ["Jeg hedder {n}.", "I går kom fru {n}.", "{n} vandt.", "Ring {p} eller skriv til {e}.", "CPR-nr. {i}."]),
    "et": ("EE", "Tõnu Kersti Raivo Ülle Margus Tiina", "Kukk Lepik Mägi Põder Rebane Vaher", ["Minu nimi on {n}.", "{n} elab Tartus.", "Eile {n} võitis.", "Helistage {p} või kirjutage {e}.", "Isikukood {i}."]),
    "lt": ("LT", "Algirdas Daiva Gintaras Rasa Vytautas Jolanta", "Balčiūnas Jankauskas Petrauskas Stankevičius Urbonas Žukauskas", ["Mano vardas {n}.", "{n} gyvena Kaune.", "Vakar {n} laimėjo.", "Skambinkite {p} arba rašykite {e}.", "Asmens kodas {i}."]),
    "ro": ("RO", "Gheorghe Mihaela Cristian Luminița Dorin Rodica", "Ardeleanu Constantin Dobre Lungu Munteanu Stoica", ["Mă numesc {n}.", "Doamna {n} locuiește la Cluj.", "{n} a câștigat.", "Sunați la {p} sau scrieți la {e}.", "CNP: {i}."]),
    "bg": ("BG", "Димитър Росица Красимир Снежана Пламен Ваня", "Ангелов Колева Маринов Стоянова Тодоров Христова", ["Казвам се {n}.", "Госпожа {n} живее в Русе.", "{n} спечели.", "Обадете се на {p} или пишете на {e}.", "ЕГН: {i}."]),
    "uk": ("UA", "Богдан Оксана Тарас Лариса Остап Галина", "Бондаренко Гриценко Коваленко Мельничук Савченко Ткачук", ["Мене звати {n}.", "Пані {n} живе у Львові.", "{n} переміг.", "Телефонуйте {p} або пишіть на {e}.", "РНОКПП {i}."]),
    "ru": ("RU", "Геннадий Людмила Аркадий Валентина Семён Тамара", "Воронов Гаврилова Ершов Калинина Мельников Шубина", ["Меня зовут {n}.", "Госпожа {n} живёт в Перми.", "{n} победил.", "Звоните {p} или пишите на {e}.", "ИНН {i}."]),
    "el": ("GR", "Σταύρος Χρυσούλα Θανάσης Δέσποινα Λευτέρης Ρένα", "Αναγνώστου Βλάχου Δημητρίου Καραγιάννη Μαυρίδης Ζαφείρη", ["Με λένε {n}.", "Η κυρία {n} μένει στον Βόλο.", "Χτες ο {n} κέρδισε.", "Καλέστε {p} ή γράψτε στο {e}.", "ΑΜΚΑ: {i}."]),
    "tr": ("TR", "Hakan Gülay Tuncay Nermin Serdar Şengül", "Akbulut Bozkurt Ertürk Karaca Özkan Yurt", ["Benim adım {n}.", "Bayan {n} Bursa'da oturuyor.", "{n} kazandı.", "Bizi {p} numarasından arayın ya da {e} adresine yazın.", "TC kimlik no: {i}."]),
    "zh": ("CN", "伟 芳 强 丽 军 敏", "欧阳 司徒 贺 龚 邵 覃", ["我叫{n}。", "{n}先生住在成都。", "请致电{p}或发邮件至 {e} 。", "身份证号码{i}。"]),
    "ja": ("JP", "健二 美穂 浩 恵子 隆 由美", "桐生 相沢 野口 柏木 早川 三宅", ["私の名前は{n}です。", "{n}さんは京都に住んでいます。", "電話は{p}、メールは {e} へ。", "マイナンバー：{i}。"]),
    "ko": ("KR", "영호 미경 성민 은주 철수 지혜", "남궁 황보 권 배 서 허", ["제 이름은 {n}입니다.", "{n} 씨는 부산에 산다.", "전화 {p}, 메일 {e} .", "주민등록번호 {i}."]),
}
IDS = {  # module of python-stdnum, layout
    "GB": ("gb.nhs", "999 999 9999"), "DE": ("de.idnr", "99 999 999 999"), "FR": ("fr.nir", "9 99 99 99 999 999 99"), "ES": ("es.dni", "99999999A"),
    "IT": ("it.codicefiscale", "AAAAAA99A99A999A"), "BR": ("br.cpf", "999.999.999-99"), "NL": ("nl.bsn", "999999999"), "PL": ("pl.pesel", "99999999999"),
    "CZ": ("cz.rc", "999999/9999"), "SE": ("se.personnummer", "999999-9999"), "FI": ("fi.hetu", "999999-999A"), "NO": ("no.fodselsnummer", "999999 99999"),
    "DK": ("dk.cpr", "999999-9999"), "EE": ("ee.ik", "99999999999"), "LT": ("lt.asmens", "99999999999"), "RO": ("ro.cnp", "9999999999999"),
    "BG": ("bg.egn", "9999999999"), "UA": ("ua.rntrc", "9999999999"), "RU": ("ru.inn", "999999999999"), "GR": ("gr.amka", "99999999999"),
    "TR": ("tr.tckimlik", "99999999999"), "CN": ("cn.ric", "11010519999999999A"), "JP": ("jp.in_", "9999 9999 9999"), "KR": ("kr.rrn", "999999-9999999"),
}
PHONES = {"GB": "+44 20 7### ####", "DE": "0#### / ######", "FR": "0# ## ## ## ##", "ES": "+34 6## ### ###", "IT": "+39 06 #### ####", "BR": "(0##) ####-####", "NL": "+31 20 ### ####",
          "PL": "+48 22 ### ## ##", "CZ": "+420 2## ### ###", "KR": "02-####-####", "JP": "03-####-####", "CN": "+86 10 #### ####"}
DECOYS = ["ISBN 978-3-16-{0:06d}-0", "Order {0:06d}-{1:04d}", "{1:04d} {0:04d}", "2024-03-17 12:{2:02d}", "EAN 40{0:06d}{1:05d}", "{0:06d},{2:02d} EUR", "v10.{2}.3", "Paris Hotel", "Red Hat Linux",
          "New York Times", "DE{0:06d}{1:04d}", "{0:07d}{1:05d}", "A{0:06d}{1:03d}", "pp. 123-456", "Victoria Station", "Virginia Beach", "@channel", "tel aviv 1999-2004", "{0:09d}", "{0:05d}-{1:04d}"]


def draw(rnd, module, layout):
    check = importlib.import_module("stdnum." + module)
    while True:
        value = "".join(rnd.choice(string.digits) if c == "9" else rnd.choice(string.ascii_uppercase) if c == "A" else c for c in layout)
        if len(layout) > 9 and rnd.random() < 0.9:  # a date, or no number would be valid
            digits = [i for i, c in enumerate(value) if c.isdigit()]
            new = list(value)
            date = f"{rnd.randrange(50, 99):02}{rnd.randrange(1, 13):02}{rnd.randrange(1, 29):02}"
            if module in ("cz.rc", "se.personnummer", "pl.pesel", "bg.egn", "kr.rrn", "fr.nir", "ee.ik", "lt.asmens", "ro.cnp"):
                pass  # year first
            else:
                date = date[4:] + date[2:4] + date[:2]
            start = 1 if module in ("ee.ik", "lt.asmens", "ro.cnp", "fr.nir") else 0
            if start:  # sex and century
                new[0] = rnd.choice("12")
                if module in ("ee.ik", "lt.asmens"):
                    new[0] = rnd.choice("34")
            if module == "kr.rrn":
                new[7] = rnd.choice("12")
            if module == "it.codicefiscale":
                new[8] = rnd.choice("ABCDEHLMPRST")
            elif module == "cn.ric":
                new[6:14] = "19" + f"{rnd.randrange(50, 99):02}{rnd.randrange(1, 13):02}{rnd.randrange(1, 29):02}"
            else:
                for i, d in zip(digits[start:], date):
                    new[i] = d
            value = "".join(new)
            for c in string.digits + string.ascii_uppercase:  # the last check character
                try:
                    if check.is_valid(value[:-1] + c):
                        return value[:-1] + c
                except (KeyError, ValueError):
                    pass
        elif check.is_valid(value):
            return value


def luhn(digits):
    for c in string.digits:
        if sum(sum(divmod(int(d) * (1 + k % 2), 10)) for k, d in enumerate(reversed(digits + c))) % 10 == 0:
            return digits + c


def iban(rnd):
    bban = "".join(rnd.choice(string.digits) for _ in range(18))
    key = 98 - int(bban + "131400") % 97
    value = f"DE{key:02}{bban}"
    return " ".join(value[i:i + 4] for i in range(0, 22, 4))


def texts(per_language=60, seed=1):
    """Yields (id, language, text, [(start, end, kind)])."""
    rnd = random.Random(seed)
    for lang, (country, given, surnames, sentences) in LANGUAGES.items():
        for k in range(per_language):
            text, gold = "", []

            def add(value, kind=None):
                nonlocal text
                if kind:
                    gold.append((len(text), len(text) + len(value), kind))
                text += value

            for sentence in rnd.sample(sentences, 3) + rnd.sample(["{x}", "{x}", "{b}", "{c}", "{a}"], 3):
                for part in sentence.replace("{", "\0{").replace("}", "}\0").split("\0"):
                    if part == "{n}":
                        g, s = rnd.choice(given.split()), rnd.choice(surnames.split())
                        add(s + g if lang in ("zh", "ja", "ko") else g + " " + s, "name")
                    elif part == "{e}":
                        add(rnd.choice(["info", "a.b", "kontakt", "m_r"]) + str(rnd.randrange(1000)) + "@" + rnd.choice(["example.com", "mail.example.org", "example.co.uk"]), "email")
                    elif part == "{p}":
                        form = PHONES.get(country, "+" + {"SE": "46", "FI": "358", "NO": "47", "DK": "45", "EE": "372", "LT": "370", "RO": "40", "BG": "359", "UA": "380", "RU": "7", "GR": "30", "TR": "90"}.get(country, "1") + " ## ### ## ##")
                        add("".join(str(rnd.randrange(1, 10)) if c == "#" else c for c in form), "phone")
                    elif part == "{i}":
                        add(draw(rnd, *IDS[country]), "id")
                    elif part == "{b}":
                        add(iban(rnd), "iban")
                    elif part == "{c}":
                        add(luhn("4" + "".join(rnd.choice(string.digits) for _ in range(14))), "card")
                    elif part == "{a}":
                        add(f"{rnd.randrange(50, 90)}.{rnd.randrange(1, 255)}.{rnd.randrange(1, 255)}.{rnd.randrange(1, 255)}", "ip")
                    elif part == "{x}":
                        add(rnd.choice(DECOYS).format(rnd.randrange(10**6), rnd.randrange(10**3), rnd.randrange(60)))
                    else:
                        add(part)
                add(" ")
            yield f"{lang}{k}", lang, text.rstrip(), gold
