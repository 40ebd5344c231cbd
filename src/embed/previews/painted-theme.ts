import { flatTreeParent } from './flat-tree-parent.js'

/** White and black text have the same contrast with it. */
const MIDDLE_LUMINANCE = 0.18

/**
 * The theme that suits the nearest opaque background colour of an element and its ancestors; of a gradient, its first colour.
 *
 * @returns  `undefined` where nothing is painted.
 */
export function paintedTheme(place: Element): 'light' | 'dark' | undefined {
  for (let element: Element | null = place; element; element = flatTreeParent(element)) {
    const { backgroundImage, backgroundColor } = getComputedStyle(element)
    // Images are painted over the colour.
    const layers = `${backgroundImage.replaceAll(/url\("[^"]*"\)/g, '')} ${backgroundColor}`
    for (const [, format, values] of layers.matchAll(/\b(rgba?|color|(?:ok)?l(?:ab|ch))\(([^()]*)\)/g)) {
      const [channels, alpha] = toNumbers(format!, values!)
      if (alpha > 0.5) return luminance(format!, channels) < MIDDLE_LUMINANCE ? 'dark' : 'light'
    }
  }
  return undefined
}

/** The three channels of a computed colour, those of `rgb()` from 0 to 1, and its alpha. */
function toNumbers(format: string, values: string): [channels: number[], alpha: number] {
  const [first = 0, second = 0, third = 0, alpha = 1] = (
    values.match(/(?<![\w-])-?(?:[\d.]+(?:e-?\d+)?|none)/g) ?? []
  ).map((number) => Number(number) || 0)
  const range = format.startsWith('rgb') ? 255 : 1
  return [[first / range, second / range, third / range], alpha]
}

/** From 0, black, to 1, white; of wide gamuts as if they were sRGB. */
function luminance(format: string, [first = 0, second = 0, third = 0]: number[]): number {
  if (format.startsWith('ok')) return first ** 3
  if (format.startsWith('l')) return ((first + 16) / 116) ** 3
  return 0.2126 * first ** 2.2 + 0.7152 * second ** 2.2 + 0.0722 * third ** 2.2
}
