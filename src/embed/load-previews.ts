import type { ScriptTag } from './script-tag.js'
import type { Previews, startAsking } from './asking/index.js'
import type { PreviewSettings } from './element/index.js'
import type { startPreviews } from './previews/index.js'

/** File and hash of what asks and of what shows, as the build knows them; none where the source itself runs. */
declare const __FILES__: readonly [asks: File, shows: File] | undefined

type File = readonly [name: string, integrity: string]
type Load<Part> = () => Promise<Part>
type Parts = readonly [
  asks: Load<{ startAsking: typeof startAsking }>,
  shows: Load<{ startPreviews: typeof startPreviews }>,
]

/**
 * Brings and starts what makes previews; what comes is checked against the hashes that this script was built with.
 *
 * @throws  When a file does not come, is not the one that was built, or there is no tag that says where it is.
 */
export async function loadPreviews(tag: ScriptTag | undefined, configured: PreviewSettings): Promise<Previews> {
  const [asks, shows]: Parts =
    typeof __FILES__ === 'undefined' ? SOURCES : [preload(...__FILES__[0], tag), preload(...__FILES__[1], tag)]
  return (await asks()).startAsking(tag, configured, shows)
}

const SOURCES: Parts = [() => import('./asking/index.js'), () => import('./previews/index.js')]

/** `import()` takes no hash, but waits for what is on its way with one. */
function preload<Part>(name: string, integrity: string, { src, nonce }: Partial<ScriptTag> = {}): Load<Part> {
  const { href } = new URL(name, src)
  document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', integrity, href, nonce }))
  return () => import(/* @vite-ignore */ href)
}
