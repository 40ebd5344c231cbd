/** The contrast of an element's text with what is painted behind it: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrastRatio(element: Element): number {
  const canvas = new OffscreenCanvas(1, 1)
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  const paint = (colour: string) => {
    context.fillStyle = colour
    context.fillRect(0, 0, 1, 1)
    return luminance(context.getImageData(0, 0, 1, 1).data)
  }
  const ancestors = ancestorsOf(element)
  paint('#fff')
  const background = ancestors.map((ancestor) => paint(getComputedStyle(ancestor).backgroundColor)).at(-1)!
  context.globalAlpha = ancestors.reduce((alpha, ancestor) => alpha * Number(getComputedStyle(ancestor).opacity), 1)
  const text = paint(getComputedStyle(element).color)
  return (Math.max(text, background) + 0.05) / (Math.min(text, background) + 0.05)
}

/** The element last. */
const ancestorsOf = (element: Element): Element[] =>
  element.parentElement ? [...ancestorsOf(element.parentElement), element] : [element]

function luminance([red = 0, green = 0, blue = 0]: Uint8ClampedArray): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

const linear = (channel: number) => (channel <= 10 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4)
