import { lstat, readFile } from 'node:fs/promises'

/** An HTML file of the site. */
export interface SitePage {
  bytes: Buffer
  /** Permissions. */
  mode: number
  /** Milliseconds since 1970. */
  modifiedAt: number
}

const MAX_BYTES = 20_000_000

/** @throws  Error with a sentence when it cannot be read, is too large, or is no longer a file. */
export async function readSitePage(path: string): Promise<SitePage> {
  const found = await lstat(path)
  if (!found.isFile()) throw new Error('It is not a file.')
  if (found.size > MAX_BYTES) throw new Error(`It is larger than ${MAX_BYTES / 1e6} MB.`)
  return { bytes: await readFile(path), mode: found.mode & 0o7777, modifiedAt: found.mtimeMs }
}
