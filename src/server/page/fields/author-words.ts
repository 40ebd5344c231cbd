const words = (list: string) => new Set(list.split(' '))

/** Words that follow a name and are never part of one; in lower case. */
export const AFTER_NAME = words(
  'on at for from with via is was has says reports about in as am für mit aus vom pour avec dans mis à ' +
    'para con en per em com op voor met для из w dla den için',
)

/** The same in any case: `Jane Doe Updated 10:30 AM`. */
export const AFTER_NAME_ANY_CASE = words(
  'updated published posted edited reviewed modified veröffentlicht aktualisiert publié publiée publicado publicada actualizado actualizada ' +
    'pubblicato aggiornato atualizado gepubliceerd bijgewerkt opublikowano aktualizacja опубликовано обновлено publicerad uppdaterad',
)

/** How long ago something was published, in front of a name: `3 hours ago by Jane Doe`. */
export const AGE =
  /^(?:(?:about |over )?(?:\d{1,3}|an?|one) (?:seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?) ago|vor (?:\d{1,3}|einer|einem) (?:sekunden?|minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)|il y a (?:\d{1,3}|une?) (?:secondes?|minutes?|heures?|jours?|semaines?|mois|ans?)|hace (?:\d{1,3}|una?) (?:segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?)|há (?:\d{1,3}|uma?) (?:segundos?|minutos?|horas?|dias?|semanas?|mês|meses|anos?))(?![\p{L}\d])[\s,·•|–—-]{0,5}/iu

/** What follows `à la` behind a name without being part of it; in lower case. */
export const PLACES_WITH_ARTICLE = words(
  'réunion martinique guadeloupe barbade dominique havane haye mecque rochelle ciotat seyne courneuve défense une nouvelle-orléans jamaïque trinité grenade rédaction maison-blanche cour chambre bourse conférence radio télévision barre',
)

/** First words of texts that appear next to a name. */
export const NON_NAME_FIRST_WORDS = words(
  'published updated posted filed tagged tags category categories last modified date read more view follow share advertisement contact subscribe about all add save print edit reply send buy shop powered see comments leave visit photo image source copyright submitted credit she he they we listen watch sign log join in learn profile breaking newsletter ' +
    'veröffentlicht aktualisiert stand mehr foto quelle alle teilen publié publiée mis voir plus suivre partager photo source ' +
    'publicado publicada actualizado actualizada leer ver más compartir foto fuente pubblicato aggiornato leggi altro condividi atualizado leia mais fonte ' +
    'gepubliceerd bijgewerkt lees meer bron opublikowano aktualizacja zobacz więcej źródło опубликовано обновлено читать подробнее фото источник ' +
    'for für pour para voor dla för ' +
    'monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep sept oct nov dec ' +
    'january february march april june july august september october november december today yesterday minutes minute',
)

/** Texts next to a name that are not names: actions that a page offers, and other sites of its author. */
export const NON_NAME_TEXTS = words(
  'a to the chef author facebook twitter linkedin google google+ instagram youtube pinterest whatsapp telegram reddit tumblr email e-mail mail print rss website homepage blog ' +
    'drucken imprimer imprimir stampa afdrukken drukuj печать 印刷 인쇄',
)

/** Conjunctions between two names. */
export const CONJUNCTIONS = /(^|\s)(and|und|et|y|e|en|i|och|og|ja|ve|и|і|&|و)\s/i

export const MONTHS_AND_DAYS =
  /^(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december|(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?)[.,]*$/i

/** Weekdays before a date, with or without a comma; in lower case. */
export const WEEKDAYS = words(
  'monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag ' +
    'lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo ' +
    'lunedì martedì mercoledì giovedì venerdì sabato domenica segunda-feira terça-feira quarta-feira quinta-feira sexta-feira ' +
    'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag poniedziałek wtorek środa czwartek piątek sobota niedziela ' +
    'måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag ' +
    'понедельник вторник среда четверг пятница суббота воскресенье pazartesi salı çarşamba perşembe cuma cumartesi pazar',
)

/** Words in the names of newspapers, agencies, companies and their offices; in lower case. */
export const ORGANISATIONS = words(
  'agency bureau broadcasting company corp corporation daily desk editorial editors foundation gazette gmbh herald inc institute journal llc ltd magazine media ministry network news newspaper newspapers newsroom online press publishing reporters reports staff team times tribune ugc university webteam wire bv ' +
    'agentur nachrichten presse presseagentur nachrichtenagentur redaktion verlag zeitung rundfunk medien ministerium onlineredaktion ' +
    'agence rédaction éditions maison ministère université quotidien agencia ediciones diario periódico redacción noticias editorial ministerio universidad ' +
    'agenzia redazione edizioni editore ministero quotidiano agência redação edições notícias redactie uitgeverij krant redakcja agencja wydawnictwo ' +
    'redaktionen tidningen nyheter redaksjonen avisen ajansı haber gazetesi редакция агентство издательство газета новости редакція агенція',
)

/** News agencies and their initials. */
export const AGENCIES = words(
  'ap afp dpa epa efe ansa apa sda upi pap tass xinhua reuters lusa anp ntb tt ritzau belga stt ctk',
)

export const AGENCY_PHRASES = new Set([
  'associated press',
  'agence france-presse',
  'press association',
  'canadian press',
])

/** In the names of organisations. */
export const EAST_ASIAN_ORGANISATIONS =
  /編集部|编辑部|編輯部|通信社|通讯社|通訊社|新聞社|新闻社|新闻网|新聞網|株式会社|有限公司|편집부|뉴스|통신|신문/

/** Accounts of publishing systems, which are nobody's name. */
export const DEFAULT_ACCOUNT =
  /^(?:(?:site|web|wp|sys|super)?[ _-]?admin(?:istrator)?\d{0,3}|administrad(?:or|ora)|administrateur|amministratore|beheerder|администратор|админ|管理员|管理員|管理者|관리자|root|super ?user|user|guest|gast|invité|anonymous(?: user)?|anonyme?|anonymus|author|wordpress)$/i

/** Offices in place of a person. */
export const OFFICES =
  /^(webmaster|web ?team|web ?editor|editor(ial)?( team| staff)?|staff|team|contributor|redaktion|die redaktion|rédaction|la rédaction|redacción|redação|redazione|redactie|redakcja|редакция|編集部|编辑部|本站)$/i
