import { Parser } from 'htmlparser2'
import { readCalendar, readContacts, type ContentLines } from './content-lines.js'
import { fileDocument, fileHead, escapeHtml, type FileFacts } from './file-document.js'
import type { TextKind } from './media-type.js'
import { isJsonObject } from './document/index.js'
import { readFeed, type Feed } from './feed.js'

/** A file of text as an HTML document. */
export interface TextFile {
  /** States its metadata. */
  head: string
  /** Shows it too; `undefined` if the browser shows it better: XML with a style sheet, or that is a page or a drawing. */
  view: string | undefined
}

/** What Chromium draws of longer texts takes seconds, and nobody reads it in a screenshot. */
const MAX_VIEW_CHARS = 100_000
const MAX_TITLE_CHARS = 200
const MAX_ROWS = 500
const MAX_COLUMNS = 50
const MAX_INDENT = 30

const STYLES = `:root{color-scheme:light dark}body{margin:0 auto;max-width:60rem;padding:2rem;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
pre{margin:0;font:15px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4}
table{border-collapse:collapse}td,th{border:1px solid GrayText;padding:.3em .6em;text-align:left;vertical-align:top}
h1{line-height:1.2}li{margin:.5em 0}small{color:GrayText}`

/**
 * Reads a file of text: what it says about itself, and, if it is to be shown, an HTML document that shows it, wrapped and in the theme
 * of the visitor.
 *
 * @param name  Of the file: its title, if it states none.
 */
export function readTextFile(
  { kind, text }: { kind: TextKind; text: string },
  { name, needsView }: { name: string; needsView: boolean },
): TextFile {
  const { facts, body, page } = READERS[kind](text, name)
  if (page !== undefined) return { head: page, view: undefined }
  const content = needsView && body !== undefined ? { styles: STYLES, body: body() } : undefined
  return { head: fileHead(facts), view: content && fileDocument(facts, content) }
}

interface Reading {
  facts: FileFacts
  body: (() => string) | undefined
  /** The file, if it is a page itself. */
  page?: string
}

const READERS: Readonly<Record<TextKind, (text: string, name: string) => Reading>> = {
  json: readJson,
  xml: readXml,
  csv: (text, name) => ({ facts: { title: name }, body: () => table(text) }),
  markdown: (text, name) => ({ facts: markdownFacts(text, name), body: () => preformatted(text) }),
  calendar: (text, name) => listing(readCalendar(text, name), text),
  contacts: (text, name) => listing(readContacts(text, name), text),
  text: (text, name) => ({ facts: proseFacts(text, name), body: () => preformatted(text) }),
}

const preformatted = (text: string) => `<pre>${escapeHtml(text.slice(0, MAX_VIEW_CHARS))}</pre>`

const listing = ({ facts, entries }: ContentLines, text: string): Reading => ({
  facts,
  body: () => (entries.length > 0 ? list(facts, entries) : preformatted(text)),
})

/** The names of the properties with which documents of JSON state their title: schemas, packages, manifests, feeds, APIs. */
const JSON_TITLES = ['title', 'headline', 'name', 'short_name', 'displayName']

function readJson(text: string, name: string): Reading {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    // The rest was dropped, or it is no JSON.
    return { facts: { title: name }, body: () => preformatted(text) }
  }
  const top = isJsonObject(value) ? value : {}
  const notebook = readNotebook(top)
  if (notebook !== undefined) return { facts: markdownFacts(notebook, name), body: () => preformatted(notebook) }
  const info = isJsonObject(top.info) ? top.info : {}
  const read = (...names: string[]) =>
    names
      .flatMap((property) => [top[property], info[property]])
      .find((found): found is string => typeof found === 'string' && /\p{L}/u.test(found))
      ?.slice(0, 2 * MAX_TITLE_CHARS)
  const facts = {
    title: read(...JSON_TITLES) ?? name,
    description: read('description', 'summary'),
    lang: read('language', 'lang', 'inLanguage'),
    images: [read('icon'), read('image')].filter((image) => image !== undefined),
  }
  return { facts, body: () => preformatted(indentJson(value, text)) }
}

/** The cells of a Jupyter notebook, the texts as Markdown. https://nbformat.readthedocs.io/en/latest/format_description.html */
function readNotebook({ nbformat, cells }: Record<string, unknown>): string | undefined {
  if (typeof nbformat !== 'number' || !Array.isArray(cells)) return undefined
  const texts = cells.slice(0, MAX_ROWS).flatMap((cell: unknown) => {
    if (!isJsonObject(cell)) return []
    const lines = Array.isArray(cell.source) ? cell.source : [cell.source]
    const text = lines.filter((line): line is string => typeof line === 'string').join('')
    // A comment in code is no heading.
    return text.trim() === '' ? [] : [cell.cell_type === 'markdown' ? text : text.replace(/^/gm, '    ')]
  })
  return texts.join('\n\n')
}

function indentJson(value: unknown, text: string): string {
  try {
    return JSON.stringify(value, null, 2)
  } catch {
    // It is nested too deeply.
    return text
  }
}

function readXml(text: string, name: string): Reading {
  const { isShownByBrowser, isPage, ...feed } = readFeed(text)
  const facts = { ...feed, title: feed.title ?? name }
  if (isPage) return { facts, body: undefined, page: text }
  if (isShownByBrowser) return { facts, body: undefined }
  return { facts, body: () => (feed.items.length > 0 ? list(facts, feed.items) : preformatted(indentXml(text))) }
}

function list({ title, description }: FileFacts, items: Feed['items']): string {
  const entries = items.map(({ title, date, text }) => {
    const lines = [
      title && `<b>${escapeHtml(title)}</b>`,
      date && `<small>${escapeHtml(date)}</small>`,
      escapeHtml(text),
    ]
    return `<li>${lines.filter(Boolean).join('<br>')}</li>`
  })
  const lead = description ? `<p>${escapeHtml(description)}</p>` : ''
  return `<h1>${escapeHtml(title)}</h1>${lead}<ol>${entries.join('')}</ol>`
}

/** One element a line, with its text if that is all it contains. */
function indentXml(text: string): string {
  let output = ''
  let depth = 0
  let isOpen = false
  const isFull = () => output.length > MAX_VIEW_CHARS
  const startLine = () => `\n${'  '.repeat(Math.min(depth, MAX_INDENT))}`
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`)
        output += `${startLine()}<${name}${written.join('')}>`
        depth++
        isOpen = true
        if (isFull()) parser.pause()
      },
      ontext(content) {
        const trimmed = content.replace(/\s+/g, ' ')
        if (trimmed.trim()) output += trimmed
      },
      oncomment(comment) {
        output += `${startLine()}<!--${comment}-->`
      },
      onclosetag(name) {
        depth--
        output += isOpen ? `</${name}>` : `${startLine()}</${name}>`
        isOpen = false
      },
    },
    { xmlMode: true },
  )
  parser.end(text.slice(0, MAX_VIEW_CHARS))
  return output.trim()
}

/** Cells are separated by what the first line has most of; a comma may also be part of a cell. */
function table(text: string): string {
  const start = text.slice(0, MAX_VIEW_CHARS)
  const firstLine = start.slice(0, start.search(/[\r\n]|$/))
  const separator = ['\t', ';', ',', '|']
    .map((character) => ({ character, count: firstLine.split(character).length }))
    .reduce((best, each) => (each.count > best.count ? each : best)).character
  const [head = [], ...rows] = readRows(start, separator)
  const cells = (row: string[], tag: string) => row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')
  return `<table><tr>${cells(head, 'th')}</tr>${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</table>`
}

/** https://www.rfc-editor.org/rfc/rfc4180 */
function readRows(text: string, separator: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    const row = rows.at(-1)!
    if (row.length < MAX_COLUMNS) row.push(cell)
    cell = ''
  }
  for (let index = 0; index < text.length && rows.length <= MAX_ROWS; index++) {
    const character = text[index]!
    if (isQuoted && character === '"' && text[index + 1] === '"') cell += text[++index]
    else if (character === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (isQuoted) cell += character
    else if (character === separator) endCell()
    else if (character === '\n') {
      endCell()
      rows.push([])
    } else if (character !== '\r') cell += character
  }
  endCell()
  return rows.filter((row) => row.some((each) => each.trim()))
}

const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]{0,5000}?)\r?\n---[ \t]*(?:\r?\n|$)/
const MAX_LEAD_LINES = 200

/** The title in front of a document of Markdown, or its first heading. */
function markdownFacts(text: string, name: string): FileFacts {
  const [front = '', matter = ''] = FRONT_MATTER.exec(text.slice(0, 6_000)) ?? []
  const lines = text.slice(front.length, front.length + MAX_VIEW_CHARS).split(/\r?\n/, MAX_LEAD_LINES)
  const at = lines.findIndex(
    (line, index) => /^#{1,2} +\S/.test(line) || (line.trim() && isUnderline(lines[index + 1])),
  )
  const heading = plainText(withoutMarks(lines[at] ?? ''))
  const lead = lines.slice(at + 1).find((line) => /^[\p{L}*_[“"]/u.test(line) && plainText(line).length >= 40)
  return {
    title: frontMatter(matter, ['title']) || heading || name,
    description: frontMatter(matter, ['description', 'summary']) || (lead && plainText(lead)),
    author: frontMatter(matter, ['author']),
    date: frontMatter(matter, ['date']),
    images: [frontMatter(matter, ['image', 'cover', 'thumbnail']) ?? '', ...markdownImages(text)].filter(Boolean),
  }
}

const MAX_IMAGES = 8

/** The images of a document of Markdown, badges included. */
const markdownImages = (text: string): string[] =>
  [...text.slice(0, MAX_VIEW_CHARS).matchAll(/!\[[^[\]]{0,300}\]\(([^()\s]{1,500})/g)]
    .slice(0, MAX_IMAGES)
    .map(([, url = '']) => url)

/** The value of a line such as `title: "Tides"`. */
function frontMatter(matter: string, names: readonly string[]): string | undefined {
  const line = matter.split(/\r?\n/).find((each) => names.some((name) => each.toLowerCase().startsWith(`${name}:`)))
  const value = line?.slice(line.indexOf(':') + 1).trim()
  return value && /^["'].*["']$/.test(value) ? value.slice(1, -1) : value
}

const withoutMarks = (line: string) =>
  line
    .trim()
    .replace(/^#{1,6} /, '')
    .replace(/ #{1,6}$/, '')

const isUnderline = (line = '') => /^(?:={3,}|-{3,})[ \t]*$/.test(line)

/** Without the marks of Markdown: links and images as their words. */
const plainText = (text: string): string =>
  text
    .slice(0, 2_000)
    .replace(/!\[[^[\]]{0,300}\]\([^()]{0,500}\)/g, '')
    .replace(/\[([^[\]]{0,300})\]\([^()]{0,500}\)/g, '$1')
    .replace(/<[^<>]{0,300}>/g, '')
    .replace(/[*`]|\b_|_\b/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** A first line that stands alone, and reads as a title. Code, settings and letters do not begin so. */
function proseFacts(text: string, name: string): FileFacts {
  const lines = text
    .slice(0, 2_000)
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
  const subject = patchSubject(lines)
  if (subject) return { title: subject }
  const at = lines.findIndex((line) => line.trim())
  const title = (lines[at] ?? '').trim()
  const next = lines[at + 1]?.trim() ?? ''
  const isAlone = at >= 0 && lines.length > at + 2 && (next === '' || isUnderline(next))
  const isTitle =
    /^\p{L}[^{}<>=;\\|@]{2,99}$/u.test(title) &&
    !/[,.:;]$|^\S+:\s|^(?:import|from|package|use|dear|hi|hello)\b/i.test(title)
  return { title: isAlone && isTitle && /\.(?:txt|text)$|^[^.]+$/i.test(name) ? title : name }
}

/** The subject of a commit, as git formats patches for mails; it may go on in the next line. */
function patchSubject(lines: readonly string[]): string | undefined {
  if (!/^From [\da-f]{7,64} /.test(lines[0] ?? '')) return undefined
  const at = lines.findIndex((line) => line.startsWith('Subject: '))
  const rest = lines.slice(at + 1).findIndex((line) => !/^[ \t]/.test(line))
  const subject = at < 0 ? '' : [lines[at]!, ...lines.slice(at + 1, at + 1 + Math.max(0, rest))].join(' ')
  return subject
    .replace(/^Subject: (?:\[[^\]]{1,60}\] )?/, '')
    .replace(/\s+/g, ' ')
    .trim()
}
