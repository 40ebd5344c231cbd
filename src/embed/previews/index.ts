import { QueryClient } from '@tanstack/react-query'
import { prefetchPagePreview } from '../../react/index.js'
import type { Settings } from '../asking/index.js'
import { enhanceLink } from './enhance-link.js'
import { pagePreviewElement } from './page-preview-element.js'
import { shadowSheet } from './sheet-of.js'
import { watchPage } from './watch-page.js'

/** What asks does the rest itself. */
export interface ShownPreviews {
  /** Puts a preview in the place of a link; an element `<page-preview>` sees to itself. */
  enhance(found: Element): void
  /** Shows a preview beside a link that is pointed at. */
  hover(link: Element): void
  refresh(url: string | undefined): Promise<void>
}

/** How long to wait for answers that were asked for ahead, so that a preview is made once and not twice. */
const PATIENCE_MS = 100
/** A failure is known to whom it was told just now. */
const JUST_NOW_MS = 1_000

/** Makes previews of all `<page-preview>` on the page, once. */
export async function startPreviews(settings: Settings, styles: Promise<string>): Promise<ShownPreviews> {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        // The preview that was asked for does not ask again.
        retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > JUST_NOW_MS,
        // What leaves the cache leaves the storage.
        ...(settings.isKept && { gcTime: Infinity }),
      },
    },
  })
  queryClient.mount()
  settings.areShown = true
  // Where there is no storage, each visit asks.
  if (settings.isKept)
    await import('./keep-answers.js').then(({ keepAnswers }) => keepAnswers(queryClient)).catch(() => undefined)
  const { fetch, queries } = settings.ahead
  const answers = queries.map(({ words, hosts }) => prefetchPagePreview(queryClient, words, { hosts, fetch }))
  await Promise.race([Promise.all(answers), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
  const making = { settings, queryClient, sheet: shadowSheet(await styles) }
  customElements.define('page-preview', pagePreviewElement(making))
  watchPage(settings)
  let cards: Promise<(link: Element) => void> | undefined
  const loadCards = () => (cards ??= import('./hover-cards.js').then(({ hoverCards }) => hoverCards(making)))
  return {
    enhance: (found) => enhanceLink(found, settings),
    hover(link) {
      loadCards().then(
        (show) => show(link),
        // The link goes without.
        () => undefined,
      )
    },
    async refresh(url) {
      // Those that are far from the screen ask when they come near.
      await queryClient.invalidateQueries({
        predicate: ({ queryKey }) =>
          url === undefined || addressOf(new URLSearchParams(String(queryKey[3])).get('url')) === addressOf(url),
      })
    },
  }
}

/** As a browser writes it, which is how links have it. */
const addressOf = (url: string | null) => (url && URL.canParse(url) ? new URL(url).href : url)
