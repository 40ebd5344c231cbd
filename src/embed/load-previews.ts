import type { PreviewSettings } from './element/index.js'
import type { startPreviews, RunningPreviews } from './previews/index.js'

/** File and integrity of what makes previews, and of its styles, as the build knows them; none where the source itself runs. */
declare const __PREVIEWS__:
  readonly [previews: string, previewsHash: string, styles: string, stylesHash: string] | undefined

interface Previews {
  startPreviews: typeof startPreviews
}

/**
 * Brings and starts what makes previews; what comes is checked against the hashes that this script was built with.
 *
 * @throws  What the browser says when a file does not come, or is not the one that was built.
 */
export async function loadPreviews(
  tag: HTMLScriptElement | undefined,
  configured: PreviewSettings,
): Promise<RunningPreviews> {
  const [{ startPreviews }, styles] = await Promise.all(
    typeof __PREVIEWS__ === 'undefined'
      ? ([
          import('./previews/index.js'),
          import('../react/styles.css?inline').then((module) => module.default),
        ] as const)
      : fetchChecked(__PREVIEWS__, (file) => new URL(file, tag?.src).href),
  )
  return startPreviews(tag, configured, styles)
}

function fetchChecked(
  [previews, previewsHash, styles, stylesHash]: NonNullable<typeof __PREVIEWS__>,
  addressOf: (file: string) => string,
): readonly [Promise<Previews>, Promise<string>] {
  // `import()` takes no hash, but waits for what is on its way with one.
  const href = addressOf(previews)
  const preload = { rel: 'modulepreload', integrity: previewsHash, href }
  document.head.append(Object.assign(document.createElement('link'), preload))
  return [
    import(/* @vite-ignore */ href),
    fetch(addressOf(styles), { integrity: stylesHash }).then((response) => response.text()),
  ]
}
