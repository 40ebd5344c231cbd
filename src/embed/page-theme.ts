import { builtinMember } from './script-tag.js'

type Theme = 'light' | 'dark'

/**
 * The theme of the page around a preview, by the first rule that applies: the nearest `data-theme` or `theme`, a class of
 * `<html>` or `<body>`, the `color-scheme` of the place, what is painted behind it. `styles.css` has the first three of these
 * rules, and in a shadow root the third alone.
 *
 * @returns  `undefined` if `color-scheme` decides, so that the browser applies it.
 */
export function pageTheme(place: Element): Theme | undefined {
  return attributeTheme(place) ?? classTheme() ?? (hasColorScheme(place) ? undefined : paintedTheme(place))
}

function attributeTheme(place: Element): Theme | undefined {
  for (let element: Element | null = place; element; element = flatTreeParent(element))
    for (const theme of ['dark', 'light'] as const)
      if (builtinMember(element, 'matches').call(element, `[data-theme=${theme}],[theme=${theme}]`)) return theme
  return undefined
}

function classTheme(): Theme | undefined {
  for (const name of ['body', 'documentElement'] as const)
    for (const theme of ['dark', 'light'] as const)
      if (builtinMember(document, name)?.classList.contains(theme)) return theme
  return undefined
}

const hasColorScheme = (place: Element) =>
  getComputedStyle(place).colorScheme !== 'normal' ||
  builtinMember(document, 'querySelector').call(document, 'meta[name=color-scheme i]') !== null

/** White and black text have the same contrast with it. */
const MIDDLE_LUMINANCE = 0.18

/**
 * The theme that suits the nearest opaque background colour of an element and its ancestors; of a gradient, its first colour.
 *
 * @returns  `undefined` if nothing is painted.
 */
function paintedTheme(place: Element): Theme | undefined {
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

/** The three channels of a computed colour (from 0 to 1 for `rgb()`), and its alpha. */
function toNumbers(format: string, values: string): [channels: number[], alpha: number] {
  const [first = 0, second = 0, third = 0, alpha = 1] = (
    values.match(/(?<![\w-])-?(?:[\d.]+(?:e-?\d+)?|none)/g) ?? []
  ).map((number) => Number(number) || 0)
  const range = format.startsWith('rgb') ? 255 : 1
  return [[first / range, second / range, third / range], alpha]
}

/** The luminance of a colour, from 0 (black) to 1 (white); wide gamuts are read as if they were sRGB. */
function luminance(format: string, [first = 0, second = 0, third = 0]: number[]): number {
  if (format.startsWith('ok')) return first ** 3
  if (format.startsWith('l')) return ((first + 16) / 116) ** 3
  return 0.2126 * first ** 2.2 + 0.7152 * second ** 2.2 + 0.0722 * third ** 2.2
}

/** The parent in the flat tree: the slot that an element is assigned to, the host of its shadow root, or its parent element. */
function flatTreeParent(element: Element): Element | null {
  const parent = builtinMember(element, 'parentNode')
  return (
    builtinMember(element, 'assignedSlot') ??
    (parent instanceof ShadowRoot ? parent.host : builtinMember(element, 'parentElement'))
  )
}

/** Calls `onChange` in the next frame whenever the page may have another theme. */
export function observePageTheme(onChange: () => void): void {
  let isScheduled = false
  const update = () => {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(() => {
      isScheduled = false
      observeRoots()
      onChange()
    })
  }
  const observer = new MutationObserver(update)
  const observeRoots = () => {
    // Some pages replace their body, and many insert styles into their head.
    observer.observe(builtinMember(document, 'documentElement'), { attributes: true, childList: true })
    observer.observe(builtinMember(document, 'body'), { attributes: true })
    observer.observe(builtinMember(document, 'head'), { childList: true })
  }
  observeRoots()
  observer.observe(document, { attributeFilter: ['data-theme', 'theme', 'class', 'style'], subtree: true })
  // Not on the window, which does not receive `load` of elements.
  builtinMember(document, 'documentElement').addEventListener(
    'load',
    ({ target }) => void (target instanceof HTMLLinkElement && update()),
    true,
  )
  // During the transition the colour is between the old one and the new one.
  addEventListener('transitionend', ({ propertyName }) => void (propertyName === 'background-color' && update()))
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', update)
}
