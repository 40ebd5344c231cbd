import type { Element } from 'domhandler'
import { isPageError } from '../../../query/index.js'
import { cardEdits } from './card-edits.js'
import { scanPage, type ScannedPreview } from './find-previews.js'
import type { FreezeHtmlOptions, FrozenHtml, PreviewWarning, SkippedPreview, TextFile } from './freeze-html-options.js'
import { hoverData, hoverEdits } from './hover-edits.js'
import { decodePage, type Edit } from './page-text.js'
import { parsePage } from './parse-page.js'
import { readStylesheet } from './read-stylesheet.js'
import { findScript, scriptEdits } from './script-edits.js'
import { sourceRanges, type SourceRange } from './source-range.js'
import { styleEdits } from './style-edits.js'

/** A card and its place, or a hover preview. */
type Target = ScannedPreview & ({ kind: 'hover' } | { kind: 'card'; range: SourceRange })

/** The changes to a page that its previews need. */
interface Changes {
  edits: Edit[]
  files: TextFile[]
  previews: number
}

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
  const { elements, previews, skipped, warnings } = scanPage(document, options)
  const targets = previews.length ? rangesOf(previews, sourceRanges(document, elements), skipped) : []
  if (!targets.length) return unchanged(html, { skipped, warnings })
  const cards = await cardChanges(targets, { elements, text, options })
  const hovers = await hoverChanges(targets, { elements, text, options })
  const edits = [...cards.edits, ...hovers.edits].toSorted((a, b) => a.start - b.start)
  try {
    return {
      html: replace(edits),
      previews: cards.previews + hovers.previews,
      skipped,
      warnings,
      needsScript: hovers.previews > 0 && findScript(elements) !== 'own',
      files: [...cards.files, ...hovers.files],
    }
  } catch (error) {
    return unchanged(html, { skipped: [{ line: 1, column: 1, reason: reasonOf(error) }] })
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
  skipped,
  warnings,
  needsScript: false,
  files: [],
})

function rangesOf(
  previews: readonly ScannedPreview[],
  findRange: ReturnType<typeof sourceRanges>,
  skipped: SkippedPreview[],
): Target[] {
  return previews.flatMap((preview): Target[] => {
    const { kind, element, line, column } = preview
    if (kind === 'hover') return [{ ...preview, kind }]
    const range = findRange(element)
    if (!('reason' in range)) return [{ ...preview, kind, range }]
    skipped.push({ line, column, reason: range.reason })
    return []
  })
}

interface PageContext {
  elements: readonly Element[]
  text: string
  options: FreezeHtmlOptions
}

async function cardChanges(targets: readonly Target[], { elements, text, options }: PageContext): Promise<Changes> {
  const { resolve, assets, inlineStyles } = options
  const cards = targets.filter((target) => target.kind === 'card')
  const [first] = cards
  if (!first) return { edits: [], files: [], previews: 0 }
  const edits = await Promise.all(
    cards.map(async (card) => cardEdits(card, card.range, { preview: await resolve(card.request), assets })),
  )
  const stylesheet = await readStylesheet()
  const styles = { stylesheet, assets, inlineStyles, firstCard: first.range.start }
  return {
    edits: [...styleEdits(elements, text, styles), ...edits.flat()],
    files: inlineStyles ? [] : [stylesheet],
    previews: cards.length,
  }
}

async function hoverChanges(targets: readonly Target[], { elements, text, options }: PageContext): Promise<Changes> {
  const { resolve, assets } = options
  const links = targets.filter(({ kind }) => kind === 'hover')
  const resolved = await Promise.all(
    links.map(async (link) => {
      const preview = await resolve(link.request)
      const file = preview && hoverData(link, preview)
      return file ? [{ link, file, edits: hoverEdits(link, text, assets + file.name) }] : []
    }),
  )
  const found = resolved.flat()
  const [first] = found
  if (!first) return { edits: [], files: [], previews: 0 }
  const { startOffset = 0 } = first.link.element.sourceCodeLocation ?? {}
  const script = findScript(elements) === 'none' ? scriptEdits(elements, assets, startOffset) : []
  return {
    edits: [...script, ...found.flatMap(({ edits }) => edits)],
    files: found.map(({ file }) => file),
    previews: found.length,
  }
}
