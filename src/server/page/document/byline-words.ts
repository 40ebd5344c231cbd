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
  /^(?:(?:本報|本报|特派)?(?:記者|记者)|作者|撰文|撰稿|文|編輯|编辑|責任編輯|责任编辑|執筆者?|著者|筆者|ライター|取材・文|글쓴이|작성자|글|기자)(?: ?[/／:：＝=｜|] ?| )/

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
