import type { PreviewSettings } from '../element/index.js'
import { enhanceLink } from './enhance-link.js'
import { hoverCards } from './hover-cards.js'
import { pagePreviewElement } from './page-preview-element.js'
import { Settings } from './settings.js'
import { sheetOf } from './sheet-of.js'

/** What the script asks of its previews. */
export interface RunningPreviews {
  /** Puts a preview in the place of a link; an element `<page-preview>` sees to itself. */
  enhance(found: Element): void

  /** Shows a preview beside a link that is pointed at. */
  hover(link: Element): void
  refresh(url: string | undefined): Promise<void>
  /** The configured defaults are others now. */
  changed(): void
}

/**
 * Makes previews of all `<page-preview>` on the page, once.
 *
 * @param tag         The script's tag; its `data-` attributes are defaults.
 * @param configured  Defaults of the page, which may change.
 * @param styles      The stylesheet of previews.
 */
export function startPreviews(
  tag: HTMLScriptElement | undefined,
  configured: PreviewSettings,
  styles: string,
): RunningPreviews {
  const settings = new Settings(tag, configured, sheetOf(styles))
  const { queryClient } = settings
  customElements.define('page-preview', pagePreviewElement(settings))
  return {
    enhance: enhanceLink,
    hover: hoverCards(settings),
    async refresh(url) {
      // Those that are far from the screen ask when they come near.
      await queryClient.invalidateQueries({
        predicate: ({ queryKey }) => url === undefined || new URLSearchParams(String(queryKey[3])).get('url') === url,
      })
    },
    changed: () => settings.tellChange(),
  }
}
