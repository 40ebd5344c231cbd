import type { PagePreviewProps } from '../../react/index.js'
import { builtinMember } from '../builtin-member.js'

/**
 * The theme that applies to an element, which stylesheets in a shadow root cannot know: the nearest `data-theme`, a class
 * `dark` or `light` on `<html>` or `<body>`, or the `color-scheme` of the element or of a `<meta>`.
 *
 * @param ownTheme  Wins over the page's, unless it is `auto`.
 */
export function pageTheme(
  element: Element,
  ownTheme?: PagePreviewProps['theme'],
): NonNullable<PagePreviewProps['theme']> {
  const { classList } = builtinMember(document, 'body')
  const rootClasses = builtinMember(document, 'documentElement').classList
  const names = [ownTheme, ...ancestorThemes(element), ...rootClasses, ...classList]
  const meta = document.querySelector<HTMLMetaElement>('meta[name=color-scheme]')
  const colorSchemes = [getComputedStyle(element).colorScheme, meta?.content]
  return [...names, ...colorSchemes.map((scheme) => scheme?.replace('only', '').trim())].find(isTheme) ?? 'auto'
}

/** `data-theme` of the nearest ancestor, then of the nearest one outside of each shadow root. */
function ancestorThemes(element: Element): (string | undefined)[] {
  const root = element.getRootNode()
  const outside = root instanceof ShadowRoot ? ancestorThemes(root.host) : []
  return [element.closest<HTMLElement>('[data-theme]')?.dataset.theme, ...outside]
}

const isTheme = (name: string | null | undefined) => name === 'dark' || name === 'light'
