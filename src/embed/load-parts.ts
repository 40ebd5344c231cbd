import type { PreviewConfig } from './element/index.js'
import type { mountPreviews } from './previews/index.js'
import type { ScriptTag } from './script-tag.js'
import type { Previews, startPreviews } from './start-previews.js'

/** Name and hash of the files that load with the first preview, as built; undefined where the source itself runs, as in tests. */
declare const __SCRIPT_PARTS__: readonly [prefetch: HashedFile, previews: HashedFile] | undefined

type HashedFile = readonly [name: string, integrity: string]
type Load<Part> = () => Promise<Part>
type Parts = readonly [
  prefetch: Load<{ startPreviews: typeof startPreviews }>,
  previews: Load<{ mountPreviews: typeof mountPreviews }>,
]

/**
 * Loads both parts of the script at once and starts the first, which does not wait for the second. The browser checks them
 * against the hashes that are built into this script.
 *
 * @throws  When a file does not load or has another hash, or when there is no script tag whose URL locates the files.
 */
export async function loadParts(tag: ScriptTag | null, configured: PreviewConfig): Promise<Previews> {
  const [prefetch, previews]: Parts =
    typeof __SCRIPT_PARTS__ === 'undefined'
      ? SOURCES
      : [preload(...__SCRIPT_PARTS__[0], tag), preload(...__SCRIPT_PARTS__[1], tag)]
  return (await prefetch()).startPreviews(tag, configured, previews)
}

const SOURCES: Parts = [() => import('./start-previews.js'), () => import('./previews/index.js')]

/** `import()` takes no hash, but waits for a `modulepreload` of the same URL that has one. */
function preload<Part>(name: string, integrity: string, tag: ScriptTag | null): Load<Part> {
  const { href } = new URL(name, tag?.src)
  // Not `document.head`, which an image of this name would replace.
  Reflect.get(Document.prototype, 'head', document).append(
    Object.assign(document.createElement('link'), { rel: 'modulepreload', integrity, href, nonce: tag?.nonce }),
  )
  return () => import(/* @vite-ignore */ href)
}
