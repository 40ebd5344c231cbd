import type { ScriptTag } from '../script-tag.js'
import type { PreviewSettings } from '../element/index.js'
import type { ShownPreviews, startPreviews } from '../previews/index.js'
import { tellFailure } from '../tell-failure.js'
import { bringStyles } from './bring-styles.js'
import { isWord, PROPERTIES } from './read-attributes.js'
import { resolveOptions } from './resolve-options.js'
import { Settings } from './settings.js'

export { PROPERTIES, readAttributes } from './read-attributes.js'
export { resolveOptions } from './resolve-options.js'
export type { Settings } from './settings.js'

/** What the script asks of its previews. */
export interface Previews {
  /** A preview, or a link that is to become one, is near the screen. */
  near(found: Element): void
  /** A link with a preview beside it is pointed at. */
  hover(link: Element): void
  refresh(url: string | undefined): Promise<void>
  /** The configured defaults are others now. */
  changed(): void
}

/**
 * Asks for what is near, while that which shows it is still on its way.
 *
 * @param tag         The script's tag; its `data-` attributes are defaults.
 * @param configured  Defaults of the page, which may change.
 * @param loadShown   Brings what shows previews.
 */
export function startAsking(
  tag: ScriptTag | undefined,
  configured: PreviewSettings,
  loadShown: () => Promise<{ startPreviews: typeof startPreviews }>,
): Previews {
  const settings = new Settings(tag, configured)
  const styles = bringStyles()
  // Whoever waits for them says what is wrong.
  styles.catch(() => undefined)
  let shown: Promise<ShownPreviews | void> | undefined
  // Not before something is there to be shown, so that what is near was asked for by then.
  const show = () =>
    (shown ??= loadShown()
      .then(({ startPreviews }) => startPreviews(settings, styles))
      .catch(tellFailure))
  return {
    near(found) {
      if (!settings.areShown) askFor(found, settings)
      void show().then((previews) => previews?.enhance(found))
    },
    hover: (link) => void show().then((previews) => previews?.hover(link)),
    refresh: async (url) => (await shown)?.refresh(url),
    changed: () => settings.tellChange(),
  }
}

function askFor(found: Element, settings: Settings): void {
  settings.near.add(found)
  const { hosts, apiKey, fetch, data, layout, ...said } = resolveOptions(found, settings)
  // What goes another way than usual or may be there already waits for that, and what was set on the element is read once it is one of ours.
  if (settings.isKept || !hosts || apiKey || fetch || data || PROPERTIES.some((name) => Object.hasOwn(found, name)))
    return
  const words = Object.fromEntries(Object.entries(said).filter(([name]) => isWord(name)))
  settings.ahead.ask({ url: said.url, ...words }, hosts, layout)
}
