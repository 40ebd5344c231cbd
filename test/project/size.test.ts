// Covers what browsers load: the built package, not one of its source files.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { minifyStyles } from '../../src/tools/build-script-tag.js'
import { gzipSize, measureBundle, type BundleSize } from './measure-bundle.js'

/** What an app uses of the package, and how many bytes (min+gzip, without peers) it may load for that. */
interface Budget {
  name: string
  size: BundleSize
  maxInitial: number
  /** Together with what loads later. */
  maxTotal?: number
}

const DIST = join(import.meta.dirname, '../../dist')

it('limits the size of the files that a browser loads', async () => {
  const rows = (await budgets()).map(({ name, size, maxInitial, maxTotal }) => ({
    name,
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
    {
      name: 'page-preview',
      size: await measureBundle(`export * from 'page-preview/react'`),
      maxInitial: 13_750,
      maxTotal: 18_500,
    },
    {
      name: 'PageScreenshot alone',
      size: await measureBundle(`export { PageScreenshot } from 'page-preview/react'`),
      maxInitial: 6_150,
    },
    {
      name: 'page-preview/query',
      // A parser per type, sentences that say what is expected, and the parsed query as a value.
      size: await measureBundle(`export * from 'page-preview/query'`),
      maxInitial: 3_830,
    },
    {
      // Signed URLs are created on servers.
      name: 'page-preview/client with query',
      size: await measureBundle(
        `export { createClient } from 'page-preview/client'; export * from 'page-preview/query'`,
      ),
      maxInitial: 5_165,
    },
    { name: 'page-preview/styles.css', size: { initial: styles, total: styles }, maxInitial: 3_200 },
    { name: 'script tag', size: fileSize(['page-preview.js']), maxInitial: 1_640 },
    { name: 'script tag, with the first preview', size: scriptPartsSize(), maxInitial: 34_050 },
  ]
}

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
