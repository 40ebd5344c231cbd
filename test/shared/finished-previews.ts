import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** URLs of the previews in a cache folder of `freeze`. */
export async function finishedPreviews(cache: string): Promise<Set<string>> {
  const names = await readdir(join(cache, 'previews')).catch(() => [])
  const files = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFile(join(cache, 'previews', name), 'utf8'))
  return new Set((await Promise.all(files)).map((text) => (JSON.parse(text) as { url: string }).url))
}
