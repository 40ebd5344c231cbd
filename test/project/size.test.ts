// Covers what browsers load: the built package, not one of its source files.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { minifyStyles } from '../../src/tools/build-script-tag.js'
import { bundlerNames, gzipSize, measureBundle, type Bundler, type BundleSize } from './measure-bundle.js'

/** What an app uses of the package, and how many bytes (min+gzip, without peers) it may load for that. */
interface Budget {
  name: string
  bundler?: Bundler
  size: BundleSize
  maxInitial: number
  /** Together with what loads later. */
  maxTotal?: number
}

const DIST = join(import.meta.dirname, '../../dist')

// Three bundlers write four apps each.
it('limits the size of the files that a browser loads', { timeout: 180_000 }, async () => {
  const rows = (await budgets()).map(({ name, bundler, size, maxInitial, maxTotal }) => ({
    name,
    bundler,
    'at once': size.initial,
    'at most': maxInitial,
    'all in all': size.total,
    'all at most': maxTotal,
    isKept: size.initial <= maxInitial && size.total <= (maxTotal ?? Infinity),
  }))
  console.table(rows)
  expect(rows.filter(({ isKept }) => !isKept)).toEqual([])
})

async function budgets(): Promise<Budget[]> {
  const styles = gzipSize(await minifyStyles(join(DIST, 'styles.css')))
  return [
    ...(await bundleBudgets()),
    { name: 'page-preview/styles.css', size: { initial: styles, total: styles }, maxInitial: 3_590 },
    { name: 'script tag', size: fileSize(['page-preview.js']), maxInitial: 1_650 },
    { name: 'script tag, with the first preview', size: scriptPartsSize(), maxInitial: 33_450 },
  ]
}

/** What apps import, as each bundler writes it. */
async function bundleBudgets(): Promise<Budget[]> {
  const query = await namesOf('query')
  const apps: (Omit<Budget, 'size'> & { code: string; maxInitialBy?: Partial<Record<Bundler, number>> })[] = [
    {
      name: 'page-preview',
      code: use(await namesOf('react'), 'page-preview'),
      maxInitial: 16_000,
      maxTotal: 22_210,
    },
    {
      name: 'PageScreenshot alone',
      code: use(['PageScreenshot'], 'page-preview'),
      // The aim is 7,000. Vite adds its preloader, webpack its runtime, and esbuild splits the code at what loads later.
      maxInitial: 7_170,
      maxInitialBy: { esbuild: 7_360, webpack: 7_336 },
    },
    { name: 'page-preview/query', code: use(query, 'page-preview/query'), maxInitial: 3_800 },
    // Signed URLs are created on servers.
    { name: 'createClient', code: use(['createClient'], 'page-preview/client'), maxInitial: 5_200 },
  ]
  const budgets: Budget[] = []
  for (const bundler of bundlerNames)
    for (const { name, code, maxInitial, maxTotal, maxInitialBy } of apps)
      budgets.push({
        name,
        bundler,
        size: await measureBundle(code, bundler),
        maxInitial: maxInitialBy?.[bundler] ?? maxInitial,
        ...(maxTotal && { maxTotal }),
      })
  return budgets
}

/** Names that an entry exports. */
const namesOf = async (entry: string) => Object.keys((await import(join(DIST, entry, 'index.js'))) as object)

/** An app that imports names and uses them. */
const use = (names: readonly string[], entry: string) =>
  `import { ${names.join()} } from '${entry}'; globalThis.used = [${names.join()}]`

/** The parts that `page-preview.js` names load with the first preview, the others when they are needed. */
function scriptPartsSize(): BundleSize {
  const loader = readFileSync(join(DIST, 'page-preview.js'), 'utf8')
  const parts = readdirSync(DIST).filter((file) => /^page-preview\.[\da-f]{8}\.js$/.test(file))
  const initialParts = parts.filter((file) => loader.includes(file))
  expect(initialParts).toHaveLength(2)
  return { initial: fileSize(initialParts).initial, total: fileSize(parts).total }
}

function fileSize(files: readonly string[]): BundleSize {
  const bytes = files.reduce((sum, file) => sum + gzipSize(readFileSync(join(DIST, file))), 0)
  return { initial: bytes, total: bytes }
}
