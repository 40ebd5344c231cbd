import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A site in its own folder, with lock file and cache beside it. */
export async function temporarySite(pages: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'page-preview-freeze-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const dir = join(folder, 'site')
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  for (const [name, text] of Object.entries(pages)) await write(name, text)
  /** The files below the site with their content, as text. */
  const snapshot = async () => {
    const names = await readdir(dir, { recursive: true, withFileTypes: true })
    const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const contents = files.toSorted().map(async (file) => [file, (await readFile(file)).toString('latin1')] as const)
    return Object.fromEntries(await Promise.all(contents)) as Record<string, string>
  }
  return {
    folder,
    dir,
    paths: { dir, lock: join(folder, 'page-preview.lock.json'), cache: join(folder, 'cache') },
    write,
    snapshot,
    read: (name: string) => readFile(join(dir, name), 'utf8'),
  }
}

/** A page with a preview of each URL. */
export const pageWith = (...urls: string[]) =>
  `<!doctype html><html><head><title>Site</title></head><body>\n${urls
    .map((url) => `<page-preview url="${url}" screenshot><a href="${url}">Link</a></page-preview>`)
    .join('\n')}\n</body></html>\n`
