const words = (list: string) => new Set(list.split(' '))

/** Words that follow a name and are never part of one; in lower case. */
export const AFTER_NAME = words(
  'on at for from with via is was has says updated published posted reports about in as edited reviewed ' +
    'am für mit aus vom veröffentlicht aktualisiert pour avec publié publiée dans mis à ' +
    'para con publicado publicada actualizado en per pubblicato aggiornato em com publicado atualizado op voor met gepubliceerd bijgewerkt ' +
    'для из опубликовано обновлено w dla opublikowano aktualizacja publicerad uppdaterad den için',
)

/** What follows `à la` behind a name without being part of it; in lower case. */
export const PLACES_WITH_ARTICLE = words(
  'réunion martinique guadeloupe barbade dominique havane haye mecque rochelle ciotat seyne courneuve défense une nouvelle-orléans jamaïque trinité grenade rédaction maison-blanche cour chambre bourse conférence radio télévision barre',
)

/** First words of texts that appear next to a name. */
export const NON_NAME_FIRST_WORDS = words(
  'published updated posted filed tagged tags category categories last modified date read more view follow share advertisement contact subscribe about all add save print edit reply send buy shop powered see comments leave photo image source copyright submitted credit she he they we listen watch sign log join in learn profile breaking newsletter ' +
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
