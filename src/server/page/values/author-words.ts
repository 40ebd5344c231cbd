const words = (list: string) => new Set(list.split(' '))

/** Roles, in the languages of the pages; in lower case. */
export const ROLES = words(
  'writer writers reporter reporters editor editors correspondent journalist columnist columnists contributor contributors producer analyst critic photographer blogger intern ' +
    'redakteur redakteurin korrespondent korrespondentin journalistin autor autorin reporterin volontär volontärin ' +
    'journaliste rédacteur rédactrice correspondant correspondante chroniqueur chroniqueuse envoyé envoyée ' +
    'redactor redactora periodista corresponsal columnista enviado enviada colaborador colaboradora ' +
    'giornalista redattore redattrice corrispondente inviato inviata jornalista repórter colunista correspondente editora ' +
    'redacteur verslaggever correspondente columniste redactrice dziennikarz dziennikarka redaktor redaktorka korespondent ' +
    'журналист журналистка корреспондент корреспондентка обозреватель редактор репортер автор muhabir yazarı editör محرر محررة مراسل مراسلة صحفي كاتب',
)

/** What stands in front of a role. */
export const ROLE_MODIFIERS = words(
  'staff senior chief deputy associate assistant managing executive contributing special political business science technology tech sports news foreign national global economics health culture freelance guest lead our the ' +
    'leitende leitender freie freier journaliste nuestro nuestra notre nostro nostra специальный наш',
)

/** Words that follow a name, never in one; in lower case. */
export const AFTER_NAME = words(
  'on at for from with via is was has says updated published posted reports about in as edited reviewed ' +
    'am für mit aus vom veröffentlicht aktualisiert pour avec publié publiée dans mis à ' +
    'para con publicado publicada actualizado en per pubblicato aggiornato em com publicado atualizado op voor met gepubliceerd bijgewerkt ' +
    'для из опубликовано обновлено w dla opublikowano aktualizacja publicerad uppdaterad den için',
)

/** How texts begin that stand beside a name. */
export const NOT_A_NAME = words(
  'published updated posted last modified date read more view follow share advertisement contact subscribe about all see comments leave photo image source copyright submitted credit she he they we listen watch sign log join in learn profile breaking newsletter ' +
    'veröffentlicht aktualisiert stand mehr foto quelle alle teilen publié publiée mis voir plus suivre partager photo source ' +
    'publicado publicada actualizado actualizada leer ver más compartir foto fuente pubblicato aggiornato leggi altro condividi atualizado leia mais fonte ' +
    'gepubliceerd bijgewerkt lees meer bron opublikowano aktualizacja zobacz więcej źródło опубликовано обновлено читать подробнее фото источник ' +
    'monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep sept oct nov dec ' +
    'january february march april june july august september october november december today yesterday minutes minute',
)

/** Texts beside a name: what a page offers to do, and where else its author is. */
export const NO_NAMES = words(
  'a to the facebook twitter linkedin google google+ instagram youtube pinterest whatsapp telegram reddit tumblr email e-mail mail print rss website homepage blog ' +
    'drucken imprimer imprimir stampa afdrukken drukuj печать 印刷 인쇄',
)

/** Parts of names that are written in lower case. */
export const PARTICLES = words(
  'de da do dos das di du del della delle dei degli la le el y e i van von der den zu zum zur ter ten te op het bin ibn al af av och og ja and und et & abu ben d’ d',
)

/** Between two names. */
export const CONJUNCTIONS = /(^|\s)(and|und|et|y|e|en|i|och|og|ja|ve|и|і|&|و)\s/i

export const MONTHS_AND_DAYS =
  /^(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december|(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?)[.,]*$/i

/** In front of a date, also without a comma; in lower case. */
export const WEEKDAYS = words(
  'monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag ' +
    'lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo ' +
    'lunedì martedì mercoledì giovedì venerdì sabato domenica segunda-feira terça-feira quarta-feira quinta-feira sexta-feira ' +
    'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag poniedziałek wtorek środa czwartek piątek sobota niedziela ' +
    'måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag ' +
    'понедельник вторник среда четверг пятница суббота воскресенье pazartesi salı çarşamba perşembe cuma cumartesi pazar',
)
