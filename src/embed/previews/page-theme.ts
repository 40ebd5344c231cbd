import type { PagePreviewProps } from '../../react/index.js'

/**
 * The theme of the page around an element, which rules in a shadow root cannot see: the nearest `data-theme`, a class
 * `dark` or `light` on the page, or the colour scheme that its styles or its head have settled on.
 *
 * @param own  Goes before all that, unless it is `auto`.
 */
export function themeAround(element: Element, own?: PagePreviewProps['theme']): NonNullable<PagePreviewProps['theme']> {
  const { documentElement: root, body } = element.ownerDocument
  const said = [own, ...themesAbove(element), ...root.classList, ...body.classList]
  const meta = document.querySelector<HTMLMetaElement>('meta[name=color-scheme]')
  const schemes = [getComputedStyle(element).colorScheme, meta?.content]
  return [...said, ...schemes.map((scheme) => scheme?.replace('only', '').trim())].find(isTheme) ?? 'auto'
}

/** The nearest first; elements in a shadow root are below its host. */
function themesAbove(element: Element): (string | undefined)[] {
  const root = element.getRootNode()
  const above = root instanceof ShadowRoot ? themesAbove(root.host) : []
  return [element.closest<HTMLElement>('[data-theme]')?.dataset.theme, ...above]
}

const isTheme = (name: string | null | undefined) => name === 'dark' || name === 'light'
