import type { PageScript } from './page-script.js'

/** A script, by the block of Unicode that it uses, and one of its letters. */
interface Block {
  name: string
  sample: string
  from: number
  to: number
}

interface GlyphReport {
  /** The scripts that the fonts of the system have. */
  covered: string[]
  /** The scripts that neither these fonts nor those of the page have. */
  missing: string[]
}

/**
 * Finds out which scripts are drawn as boxes. A letter without a glyph looks like a code point that has no meaning. The fonts of a page
 * are those of the first text that uses the script.
 */
export const findMissingGlyphs: PageScript<[blocks: readonly Block[], maxNodes: number], GlyphReport> = {
  run: findMissing,
  helpers: [createPen, findUse],
}

function findMissing(blocks: readonly Block[], maxNodes: number): GlyphReport {
  const draw = createPen()
  const hasGlyph = (letter: string, font: string) => draw(letter, font) !== draw('\u0378', font)
  const covered: string[] = []
  const missing: string[] = []
  for (const block of blocks) {
    if (hasGlyph(block.sample, '24px sans-serif')) covered.push(block.name)
    else {
      const use = findUse(block, maxNodes)
      if (!use || !hasGlyph(use.letter, use.font)) missing.push(block.name)
    }
  }
  return { covered, missing }
}

/** @returns Draws a letter, and returns its pixels. */
function createPen(): (letter: string, font: string) => string {
  const SIDE = 40
  // In documents of XML, `createElement` creates no canvas.
  const canvas = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas') as HTMLCanvasElement
  canvas.width = canvas.height = SIDE
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  return (letter, font) => {
    context.clearRect(0, 0, SIDE, SIDE)
    context.font = font
    context.textBaseline = 'middle'
    context.fillText(letter, 4, SIDE / 2)
    return context.getImageData(0, 0, SIDE, SIDE).data.join()
  }
}

/** The first visible letter of a block, with its font; `undefined` if none is in the first nodes of the document. */
function findUse({ from, to }: Block, maxNodes: number): { letter: string; font: string } | undefined {
  const walker = document.createTreeWalker(document.body ?? document.documentElement, 4)
  for (let node = walker.nextNode(), count = 0; node && count < maxNodes; node = walker.nextNode(), count++) {
    const parent = node.parentElement
    for (const letter of (node.nodeValue ?? '').slice(0, 1_000)) {
      const code = letter.codePointAt(0)!
      if (code < from || code > to || !parent?.checkVisibility()) continue
      const { fontStyle, fontWeight, fontFamily } = getComputedStyle(parent)
      return { letter, font: `${fontStyle} ${fontWeight} 24px ${fontFamily}` }
    }
  }
  return undefined
}
