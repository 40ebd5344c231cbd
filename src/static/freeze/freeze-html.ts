import type { Element } from 'domhandler'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filterData, isParameter, readAttributes } from '../../card/index.js'
import { isPageError, type PageData } from '../../query/index.js'
import { attributesMarkup, markupText } from '../../server/html-card.js'
import type { CardRequest } from './card-request.js'
import { cardEdits, cardElement, FROZEN, hasCardWithImage, linkElement, type CardElement } from './card.js'
import {
  findScriptElement,
  findTargets,
  type FindPreviewsOptions,
  type PreviewWarning,
  type ScannedPreview,
  type SkippedPreview,
  type Target,
} from './find-previews.js'
import { nearestWebp, type FrozenPreview } from './frozen-preview.js'
import { decodePage, parsePage, type Edit } from './page-source.js'

export interface FreezeHtmlOptions extends FindPreviewsOptions {
  /**
   * Produces the preview of a request, or finds it. Called once for each preview of the page, all at once. `undefined` if
   * nothing is known about the page: then the page gets what `failed` says.
   */
  resolve: (request: CardRequest) => Promise<FrozenPreview | undefined>
  /** URL of the folder with images and stylesheet, as the page has to write it, with a slash at its end: `../page-preview/`. */
  assets: string
  /** The page contains the stylesheet instead of a link to it. Default `false`. */
  inlineStyles?: boolean | undefined
  /**
   * What a page leaves that could not be previewed and never was: its link as the author wrote it, or a card without an image, of
   * the same size as all others. Default: `card`.
   */
  failed?: 'link' | 'card' | undefined
}

export interface FrozenHtml<Html extends string | Uint8Array> {
  /** The page with its cards, as text or bytes like the page that was passed. */
  html: Html
  /** How many cards and hover previews the page has now. */
  previews: number
  /** The cards, in the order of the page, and the links in their places. */
  cards: readonly WrittenCard[]
  /** Previews that were left as they are. */
  skipped: readonly SkippedPreview[]
  /** Warnings of previews with an option that does not exist. */
  warnings: readonly PreviewWarning[]
  /** The page needs the script tag and its parts in the folder of assets, for its hover previews: see `scriptFiles`. */
  needsScript: boolean
  /** Files to write to the folder of assets: the stylesheet, and the data of hover previews. */
  files: readonly TextFile[]
}

/** What has replaced a preview: a card, or the link of a page that could not be previewed. */
export interface WrittenCard extends CardElement {
  /** Where the preview started in the page before. */
  start: number
}

/** A file below the folder of assets, named by its content. */
export interface TextFile {
  /** Path below the folder of assets. */
  name: string
  /** Its content. */
  text: string
}

/** The changes to a page that its previews need. */
interface Changes {
  edits: Edit[]
  files: TextFile[]
  /** Previews that an earlier run has written, and of whose page this one knows nothing. */
  kept: readonly Target[]
}

const skippedPreview = ({ line, column }: Target): SkippedPreview => ({
  line,
  column,
  reason: 'Nothing is known of its page now, so what an earlier run has written is kept.',
})

/**
 * Writes complete static cards into the previews of a page; every byte outside of them stays the same, except for the stylesheet
 * that is linked once. The result of a second run is the same.
 *
 * @param html  The page, or a part of one. Bytes are decoded as browsers do, and returned in their encoding.
 * @throws      {PageError} `EINVALQUERY` for an invalid selector; and what `resolve` throws. Pages that cannot be parsed, and
 *              previews that cannot be replaced, are left as they are and reported.
 */
export async function freezeHtml<Html extends string | Uint8Array>(
  html: Html,
  options: FreezeHtmlOptions,
): Promise<FrozenHtml<Html>> {
  const page = decodeAndParse(html)
  if (typeof page === 'string') return unchanged(html, { skipped: [{ line: 1, column: 1, reason: page }] })
  const { document, text, replace } = page
  const { elements, targets, skipped, warnings } = findTargets(document, options)
  if (!targets.length) return unchanged(html, { skipped, warnings })
  const parsed = { elements, text, options }
  const cards = await cardChanges(targets, parsed)
  const hovers = await hoverChanges(targets, parsed)
  const edits = [...cards.edits, ...hovers.edits].toSorted((a, b) => a.start - b.start)
  const kept = [...cards.kept, ...hovers.kept]
  try {
    return {
      html: replace(edits),
      previews: cards.written.filter(({ isOwnLink }) => !isOwnLink).length + cards.kept.length + hovers.previews,
      cards: cards.written,
      skipped: [...skipped, ...kept.map(skippedPreview)],
      warnings,
      needsScript: hovers.previews > 0 && findScript(elements) !== 'own',
      files: [...cards.files, ...hovers.files],
    }
  } catch (error) {
    return unchanged(html, { skipped: [...skipped, { line: 1, column: 1, reason: reasonOf(error) }], warnings })
  }
}

function decodeAndParse<Html extends string | Uint8Array>(html: Html) {
  try {
    const page = decodePage(html)
    return { ...page, document: parsePage(page.text) }
  } catch (error) {
    return reasonOf(error)
  }
}

function reasonOf(error: unknown): string {
  if (isPageError(error)) return error.message
  throw error
}

const unchanged = <Html extends string | Uint8Array>(
  html: Html,
  { skipped, warnings = [] }: { skipped: SkippedPreview[]; warnings?: PreviewWarning[] },
): FrozenHtml<Html> => ({
  html,
  previews: 0,
  cards: [],
  skipped,
  warnings,
  needsScript: false,
  files: [],
})

/** A page while its changes are collected. */
interface ParsedPage {
  elements: readonly Element[]
  text: string
  options: FreezeHtmlOptions
}

async function cardChanges(
  targets: readonly Target[],
  page: ParsedPage,
): Promise<Changes & { written: WrittenCard[] }> {
  const { elements, text: source, options } = page
  const { resolve, assets, inlineStyles, failed } = options
  const resolved = await Promise.all(
    targets
      .filter((target) => target.kind === 'card')
      .map(async (card) => ({ card, preview: await resolve(card.request) })),
  )
  const isKept = ({ card: { element }, preview }: (typeof resolved)[number]) => !preview && hasCardWithImage(element)
  const kept = resolved.filter(isKept).map(({ card }) => card)
  const replaced = resolved.filter((each) => !isKept(each))
  const [first] = resolved
  if (!first) return { edits: [], files: [], written: [], kept }
  const written = await Promise.all(
    replaced.map(async ({ card, preview }) => {
      const { archiveUrl } = preview ?? {}
      // A page that was previewed before has its last good result, which is stale.
      const isUnknown = !preview || (archiveUrl !== undefined && !preview.isStale)
      const element =
        isUnknown && failed === 'link'
          ? linkElement(card, { source, archiveUrl })
          : cardElement(card, { preview, assets })
      return { ...element, start: card.range.start }
    }),
  )
  const edits = replaced.flatMap(({ card }, index) =>
    written[index]!.isOwnLink ? [] : cardEdits(card, card.range, written[index]!),
  )
  if (edits.length === 0 && !findStyles(elements)) return { edits, files: [], written, kept }
  const stylesheet = await readStylesheet()
  return {
    edits: [...styleEdits(page, stylesheet, first.card.range.start), ...edits],
    files: inlineStyles ? [] : [stylesheet],
    written,
    kept,
  }
}

async function hoverChanges(targets: readonly Target[], page: ParsedPage): Promise<Changes & { previews: number }> {
  const { elements, text, options } = page
  const { resolve, assets } = options
  const links = targets.filter(({ kind }) => kind === 'hover')
  const kept: Target[] = []
  const resolved = await Promise.all(
    links.map(async (link) => {
      const preview = await resolve(link.request)
      if (!preview && FROZEN in link.element.attribs) kept.push(link)
      const file = preview && hoverData(link, preview)
      return file ? [{ link, file, edits: hoverEdits(link, text, assets + file.name) }] : []
    }),
  )
  const found = resolved.flat()
  const [first] = found
  if (!first) return { edits: [], files: [], previews: kept.length, kept }
  const { startOffset = 0 } = first.link.element.sourceCodeLocation ?? {}
  const script = findScript(elements) === 'none' ? scriptEdits(page, startOffset) : []
  return {
    edits: [...script, ...found.flatMap(({ edits }) => edits)],
    files: found.map(({ file }) => file),
    previews: found.length + kept.length,
    kept,
  }
}

/**
 * The edit that adds the stylesheet of the cards to a page, or replaces the one of an earlier run; none if it is the same.
 *
 * @param firstCard  Offset of the first card, for a page whose head has no tags.
 */
function styleEdits({ elements, text, options }: ParsedPage, stylesheet: TextFile, firstCard: number): Edit[] {
  const html = options.inlineStyles ? inlineStyles(stylesheet) : linkedStyles(stylesheet, options)
  const { startOffset: start, endOffset: end } = findStyles(elements)?.sourceCodeLocation ?? {}
  if (start !== undefined && end !== undefined) return text.slice(start, end) === html ? [] : [{ start, end, html }]
  const place = headEnd(elements) ?? firstCard
  return [{ start: place, end: place, html }]
}

/** The stylesheet that an earlier run has added. */
const findStyles = (elements: readonly Element[]) =>
  elements.find(({ name, attribs }) => (name === 'link' || name === 'style') && FROZEN in attribs)

const linkedStyles = ({ name }: TextFile, { assets }: FreezeHtmlOptions) =>
  `<link rel="stylesheet"${markupText(attributesMarkup({ href: assets + name }))} ${FROZEN}>`

/** CSS cannot be escaped as HTML; only a closing tag could end the element early. Escapes of CSS work in every encoding. */
const inlineStyles = ({ text }: TextFile) =>
  `<style ${FROZEN}>${text.replaceAll('</', '<\\/').replace(NOT_ASCII, (character) => `\\${character.codePointAt(0)!.toString(16)} `)}</style>`

const NOT_ASCII = /[^\0-\x7f]/gu

/** Whether a page has the script tag, and whether it loads it from the folder of assets. */
function findScript(elements: readonly Element[]): 'none' | 'own' | 'frozen' {
  const script = findScriptElement(elements)
  if (!script) return 'none'
  return FROZEN in script.attribs ? 'frozen' : 'own'
}

/**
 * The edit that adds the script tag to a page.
 *
 * @param firstLink  Offset of the first hover preview, for a page whose head has no tags.
 */
function scriptEdits({ elements, options: { assets } }: ParsedPage, firstLink: number): Edit[] {
  const place = headEnd(elements) ?? firstLink
  const html = `<script async${markupText(attributesMarkup({ src: `${assets}page-preview.js` }))} ${FROZEN}></script>`
  return [{ start: place, end: place, html }]
}

/** Pixels: a hover preview is 20em wide, on screens of two pixels for each of CSS. */
const HOVER_WIDTH = 640

/** The data of a hover preview as the script tag reads it; URLs of images are relative to it. */
function hoverData({ request: { filter } }: Pick<ScannedPreview, 'request'>, preview: FrozenPreview): TextFile {
  const { image, icon } = preview
  const { title, description, lang, screenshot, image: ownImage, logo, state } = preview.data
  const file = image && nearestWebp(image, HOVER_WIDTH)
  const data: PageData = {
    title,
    description,
    lang,
    ...(state && { state }),
    image: ownImage && file && !image.isScreenshot ? { ...ownImage, url: file.name } : null,
    logo: logo && icon?.files.length ? { ...logo, url: icon.files.at(-1)!.name } : null,
    ...(screenshot && file && image.isScreenshot && { screenshot: { ...screenshot, url: file.name } }),
  }
  return contentFile('json', JSON.stringify(filter ? filterData(data, filter) : data))
}

/** The edits that mark a link, so that its hover preview reads its data from a file. */
function hoverEdits({ element }: ScannedPreview, text: string, url: string): Edit[] {
  const { startTag, startOffset = 0 } = element.sourceCodeLocation ?? {}
  const html = markupText(attributesMarkup({ [FROZEN]: url })).trimStart()
  // `FROZEN`, written out, because a regular expression is never built from a variable.
  const existing = / data-frozen="[^"]*"/.exec(text.slice(startOffset, startTag?.endOffset))
  if (existing) {
    const start = startOffset + existing.index + 1
    const end = startOffset + existing.index + existing[0].length
    return text.slice(start, end) === html ? [] : [{ start, end, html }]
  }
  const afterName = startOffset + '<a'.length
  const isMarked = element.attribs['data-page-preview'] !== undefined
  // So that a later run reads the attributes of the page's own as little as this one.
  const auto = Object.keys(readAttributes(element.attributes, 'data-')).some(isParameter) ? ' data-auto' : ''
  const mark = isMarked ? '' : ` data-page-preview="hover"${auto}`
  return [{ start: afterName, end: afterName, html: ` ${html}${mark}` }]
}

/** The offset of `</head>`; `undefined` if the page leaves it out. */
const headEnd = (elements: readonly Element[]): number | undefined =>
  elements.find(({ name }) => name === 'head')?.sourceCodeLocation?.endTag?.startOffset

/** A file that is named by its content, with a prefix if it has one: `page-preview.0123456789abcdef.css`. */
function contentFile(extension: string, text: string, prefix = ''): TextFile {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return { name: `${prefix}${hash}.${extension}`, text }
}

/** Rules for frozen cards only. */
const FROZEN_STYLES = `@layer page-preview {
  page-preview[${FROZEN}] {
    display: block;
    min-inline-size: 0;
    max-inline-size: 100%;
  }
  page-preview[${FROZEN}]:has(> a) {
    display: inline;
  }
  p > page-preview[${FROZEN}],
  p + page-preview[${FROZEN}],
  page-preview[${FROZEN}]:has(+ p) {
    margin-block: 1em;
  }
  page-preview[${FROZEN}][hidden] {
    display: none;
  }
  :where(.pp-archive) {
    position: relative;
    justify-self: end;
    color: inherit;
  }
}
`

/** The stylesheet of frozen cards, named by its content. */
async function readStylesheet(): Promise<TextFile> {
  const styles = await readFile(join(assetsDir, 'styles.css'), 'utf8')
  return contentFile('css', styles + FROZEN_STYLES, 'page-preview.')
}

/** A file of the script tag, and where it is copied from. */
export interface ScriptFile {
  /** Path below the folder of assets. */
  name: string
  /** Where it is now, absolute. */
  path: string
}

/** The script tag and the parts that it loads, with their hashes in their names. */
const SCRIPT_FILE = /^page-preview(\.js|\.[\da-f]{8}\.(js|css))$/

/** The files that a page with frozen hover previews needs beside its images. */
export async function scriptFiles(): Promise<ScriptFile[]> {
  const names = await readdir(assetsDir)
  return names.filter((name) => SCRIPT_FILE.test(name)).map((name) => ({ name, path: join(assetsDir, name) }))
}

/** Folder of the built script tag and stylesheet, which the package `page-preview` contains. */
const assetsDir = join(dirname(fileURLToPath(import.meta.resolve('page-preview/package.json'))), 'dist')
