/** An image that looks like a page, the same for the same name, at any size. */
export interface FakeImage {
  width: number
  height: number
  /** `#rrggbb` */
  background: string
  svg: string
}

/** Background, muted and accent colour of an image. */
const PALETTES = [
  ['#eef4f1', '#cfe0d8', '#2f6f5b'],
  ['#f6f1e5', '#e4d9be', '#96702a'],
  ['#eef1f8', '#d0d8ea', '#3f5f9e'],
  ['#f7eeee', '#e7d0d0', '#a04a4a'],
  ['#f2eef7', '#dbd0e8', '#6b4d96'],
  ['#ecf3f5', '#cbdee3', '#2e6d7d'],
] as const

/**
 * The name of an image as the service has them, 64 hexadecimal digits, from which it can be drawn.
 *
 * @param seed  Images of other texts mostly have other colours.
 */
export function fakeImageName(seed: string, { width, height }: { width: number; height: number }): string {
  let sum = 0
  for (const char of seed) sum = (sum * 31 + char.charCodeAt(0)) >>> 0
  return [sum, width, height]
    .map((number) => number.toString(16).padStart(8, '0'))
    .join('')
    .padStart(64, '0')
}

/**
 * Draws the image of a name.
 *
 * @param maxWidth  Of a smaller variant.
 */
export function drawFakeImage(name: string, maxWidth = Infinity): FakeImage {
  const [sum = 0, ownWidth = 0, ownHeight = 0] = [40, 48, 56].map((at) => parseInt(name.slice(at, at + 8), 16))
  const [background, muted, accent] = PALETTES[sum % PALETTES.length]!
  const width = Math.min(ownWidth, maxWidth)
  const height = Math.round((ownHeight * width) / ownWidth)
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 1280 800" preserveAspectRatio="xMidYMin slice">` +
    `<path fill="${background}" d="M0 0h1280v800H0z"/>` +
    `<path fill="${accent}" d="M80 64h150v32H80zM80 200h520v56H80zM80 288h360v56H80zM80 560h190v56H80z"/>` +
    `<path fill="${muted}" d="M880 72h80v16h-80zM1000 72h80v16h-80zM1120 72h80v16h-80zM80 400h500v18H80zM80 440h460v18H80zM80 480h380v18H80zM720 176h480v440H720zM80 704h1120v96H80z"/>` +
    '</svg>'
  return { width, height, background, svg }
}
