const words = (list: string) => new Set(list.split(' '))
const phrases = (list: string) => new Set(list.split(','))

/** Words before a name that need a colon: without it, they begin sentences too. */
const LABELS = phrases(
  'author,authors,author(s),reporter,autor,autorin,autora,autores,autori,verfasser,verfasserin,text,texte,texto,testo,tekst,teksti,opracowanie,auteur,auteurs,recette de,receta de,receita de,ricetta di,autore,schrijver,redaktion,redacción,haber,yazar,автор,авторы,текст,szerző,írta,forfatter,skribent,kirjoittaja,الكاتب,الكاتبة,كتب,كتبت,المؤلف,מאת',
)

/** Words before a name, with or without a colon. */
const PREPOSITIONS = phrases(
  'by,story by,words by,text by,article by,written by,posted by,published by,reported by,authored by,created by,submitted by,added by,uploaded by,a story by,a report by,an article by,an essay by,an opinion by,analysis by,opinion by,column by,guest post by,reporting by,recipe by,author,autor,auteur,autore,автор,' +
    'von,ein kommentar von,kommentar von,eine analyse von,analyse von,eine kolumne von,kolumne von,ein gastbeitrag von,gastbeitrag von,ein bericht von,bericht von,eine reportage von,ein essay von,ein interview von,interview von,text von,geschrieben von,verfasst von,rezept von,ein rezept von,veröffentlicht von,' +
    'par,écrit par,recette par,rédigé par,publié par,posté par,propos recueillis par,por,escrito por,publicado por,redactado por,texto por,di,a cura di,scritto da,pubblicato da,testo di,door,geschreven door,geplaatst door,av,skrivet av,tekst av,af,skrevet af,przez,napisał,napisała,napisane przez,yazan,του,της,بقلم,كتبه',
)

/** Labels of Chinese, Japanese and Korean, with the marks that follow them. */
const EAST_ASIAN =
  /^(?:(?:本報|本报|特派)?(?:記者|记者)|作者|撰文|撰稿|(?:取材・|写真・)?文(?:・(?:写真|撮影|構成|イラスト))?|編輯|编辑|責任編輯|责任编辑|執筆者?|著者|筆者|ライター|글쓴이|작성자|글|기자)(?: ?[/／:：＝=｜|●○・] ?| )/

const MAX_PREFIX_CHARS = 60
const MAX_PREFIX_WORDS = 4

/** The text after the words that introduce a name: `Jane Doe` of `By Jane Doe`; `undefined` when there are none. */
export function afterBylinePrefix(text: string): string | undefined {
  const trimmed = text.trimStart()
  const start = trimmed.slice(0, MAX_PREFIX_CHARS).toLowerCase()
  const [eastAsian] = EAST_ASIAN.exec(start) ?? []
  if (eastAsian !== undefined) return trimmed.slice(eastAsian.length)
  const colon = start.search(/[:：]/)
  const label = start.slice(0, Math.max(colon, 0)).trim()
  if (LABELS.has(label) || PREPOSITIONS.has(label)) return trimmed.slice(colon + 1)
  return afterPreposition(trimmed, start)
}

/** Whether a name follows the words that introduce it. */
export const hasName = (text: string): boolean => afterBylinePrefix(text)?.trim() !== ''

function afterPreposition(text: string, start: string): string | undefined {
  let end = 0
  for (let count = 0; count < MAX_PREFIX_WORDS; count++) {
    const length = start.slice(end).search(/\s/)
    end = length < 0 ? start.length : end + length
    if (PREPOSITIONS.has(start.slice(0, end).replace(/\s/g, ' '))) return text.slice(end)
    if (length < 0) return undefined
    end++
  }
  return undefined
}

/** A name in a script with capitals begins with one. */
export const startsLikeName = (text: string): boolean => /^["“„«]?(\p{Lu}|\p{Lo})/u.test(text)

/** What introduces the author below an article; other words also introduce authors of comments and of other articles. */
const CLOSING_PREFIX =
  /^(?:(?:written|story|article|reporting|reported|words|text) by|(?:text|bericht|verfasst|geschrieben) von|(?:écrit|rédigé) par|(?:escrito|redactado|texto) por|scritto da|testo di|geschreven door|skr[ei]vet av|tekst av|skrevet af|napisała?)[\s:]|^(?:text[eo]?|testo|tekst|текст|取材・文|文) ?[:：/／]/i
const MAX_CLOSING_CHARS = 200
const BEFORE_CLOSING = /^[\s(（【[–—-]+/

/** The names in a byline at the end of an article: in `Written by Jane Doe`, and in `(Reporting by Jane Doe; …)`. */
export function closingByline(text: string): string | undefined {
  if (text.length > MAX_CLOSING_CHARS) return undefined
  const line = text.replace(BEFORE_CLOSING, '')
  const [prefix] = CLOSING_PREFIX.exec(line) ?? []
  const names = prefix && line.slice(prefix.length).trim()
  return names && startsLikeName(names) ? names : undefined
}

/** Prepositions between a date and a name. */
const PREPOSITIONS_AFTER_DATE = phrases('by,von,par,por,di,door,av,af,przez')
const MAX_AFTER_DATE_CHARS = 200

/** The part of a text that begins with the preposition between a date and a name: `by Jane Doe` of `March 12, 2024 by Jane Doe`. */
export function bylineAfterDate(text: string): string | undefined {
  let hasDigit = false
  for (const { 0: word, index } of text.slice(0, MAX_AFTER_DATE_CHARS).matchAll(/\S+/g)) {
    if (hasDigit && PREPOSITIONS_AFTER_DATE.has(word.toLowerCase())) {
      const rest = text.slice(index + word.length).trimStart()
      return rest === '' || startsLikeName(rest) ? text.slice(index) : undefined
    }
    hasDigit ||= /\d/.test(word)
  }
  return undefined
}

const MAX_DATED_CHARS = 60
/** A year, also of the calendar of Thailand, where 2024 is 2567, and of the eras of Japan. */
const YEAR = /(?:^|\D)(?:19|20|25)\d\d(?:\D|$)|(?:令和|平成)\s?[\d\uFF10-\uFF19元]/

/**
 * The part of a text that may state a date: all of a short one, or what stands in front of the dash at the beginning of a press
 * release: `LISBON, March 12, 2024 — It rains.`
 *
 * @returns  `undefined` for a text without a year there.
 */
export function datedTextIn(text: string): string | undefined {
  const part = text.length <= MAX_DATED_CHARS ? text : dateline(text.slice(0, MAX_DATED_CHARS))
  return YEAR.test(part) ? part : undefined
}

function dateline(start: string): string {
  const end = start.search(/\s(?:--|[—–-])\s/)
  return end < 0 ? '' : start.slice(0, end)
}

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

/** Words before a role. */
export const ROLE_MODIFIERS = words(
  'staff senior chief deputy associate assistant managing executive contributing special political business science technology tech sports news foreign national global economics health culture freelance guest lead our the ' +
    'leitende leitender freie freier journaliste nuestro nuestra notre nostro nostra специальный наш',
)

/** Parts of names that are written in lower case. */
export const PARTICLES = words(
  'de da do dos das di du del della delle dei degli la le el y e i van von der den zu zum zur ter ten te op het bin ibn al à af av och og ja and und et & abu ben d’ d',
)

/** Roles after a name in Chinese, Japanese and Korean. */
export const EAST_ASIAN_ROLE = /\s?(記者|记者|編集部員|编辑|編輯|기자|특파원)$/

const MAX_ROLE_CHARS = 80
const MAX_EAST_ASIAN_CHARS = 16
const MIN_ROLE_WORDS = 3
const MAX_ROLE_WORDS = 8
/** Initials of an organisation: `HBC` of `HBC Harbour correspondent`. */
const INITIALS = /^\p{Lu}{2,}$/u

/** Whether a text is a name and a role, and nothing else: `Jane Doe, Senior Reporter`. */
export function isNameWithRole(text: string): boolean {
  if (text.length > MAX_ROLE_CHARS) return false
  if (EAST_ASIAN_ROLE.test(text)) return text.length <= MAX_EAST_ASIAN_CHARS
  const parts = text.split(/[\s,]+/, MAX_ROLE_WORDS + 1)
  if (parts.length < MIN_ROLE_WORDS || parts.length > MAX_ROLE_WORDS || !ROLES.has(parts.at(-1)!.toLowerCase()))
    return false
  if (INITIALS.test(parts[0]!) && !INITIALS.test(parts[1]!)) return false
  return parts.every((word) => {
    const lower = word.toLowerCase()
    return (
      /^[\p{L}\p{M}.'’-]+$/u.test(word) &&
      (startsLikeName(word) || [ROLES, ROLE_MODIFIERS, PARTICLES].some((set) => set.has(lower)))
    )
  })
}
