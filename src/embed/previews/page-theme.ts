import { builtinMember } from '../builtin-member.js'
import { flatTreeParent } from './flat-tree-parent.js'
import { paintedTheme } from './painted-theme.js'

type Theme = 'light' | 'dark'

/**
 * The theme of the page where a preview is, by the first rule that applies: the nearest `data-theme` or `theme`, a class of
 * `<html>` or `<body>`, the `color-scheme` of the place, what is painted behind it. `styles.css` has the first three of these
 * rules, and in a shadow root the third alone.
 *
 * @returns  `undefined` where `color-scheme` decides, so that the browser applies it.
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
