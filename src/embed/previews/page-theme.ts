import type { PagePreviewProps } from '../../react/index.js'

/**
 * The theme of the page around an element, which rules in a shadow root cannot see: the nearest `data-theme`, a class
 * `dark` or `light` on the page, or the colour scheme that its styles have settled on.
 */
export function themeAround(element: Element): NonNullable<PagePreviewProps['theme']> {
  const { documentElement: root, body } = element.ownerDocument
  const said = [element.closest('[data-theme]')?.getAttribute('data-theme'), ...root.classList, ...body.classList]
  const scheme = getComputedStyle(element).colorScheme.replace('only', '').trim()
  return [...said, scheme].find(isTheme) ?? 'auto'
}

const isTheme = (name: string | null | undefined) => name === 'dark' || name === 'light'
