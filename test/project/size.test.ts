import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'
import { gzipSize, measureBundle, type BundleSize } from './measure-bundle.js'

interface Budget {
  name: string
  /** An app that uses nothing else. */
  code: string
  /** Bytes, min+gzip, peers apart, of what is loaded at once. */
  maxBytes: number
  /** With what is loaded later; without a bound by default. */
  maxTotalBytes?: number
}

const BUDGETS: readonly Budget[] = [
  { name: 'page-preview', code: `export * from 'page-preview/react'`, maxBytes: 9_000, maxTotalBytes: 18_000 },
  {
    name: 'PageScreenshot alone',
    code: `export { PageScreenshot } from 'page-preview/react'`,
    maxBytes: 6_000,
  },
  { name: 'page-preview/query', code: `export * from 'page-preview/query'`, maxBytes: 3_200 },
  {
    name: 'page-preview/client with query',
    // What signs is for servers alone.
    code: `export { createClient } from 'page-preview/client'; export * from 'page-preview/query'`,
    maxBytes: 5_000,
  },
]
const STYLES: Budget = { name: 'page-preview/styles.css', code: '', maxBytes: 3_200 }
const SCRIPT: Budget = { name: 'script tag', code: '', maxBytes: 1_500 }
/** What the script brings when the first preview is near: what asks, and what shows. */
const SCRIPT_PARTS: Budget = { name: 'script tag, near a preview', code: '', maxBytes: 34_000 }

const DIST = join(import.meta.dirname, '../../dist')

it('takes no more than it may of what a browser loads', async () => {
  const styles = gzipSize(await minifiedStyles(join(DIST, 'styles.css')))
  const sizes = await Promise.all(BUDGETS.map(({ code }) => measureBundle(code)))
  sizes.push({ initial: styles, total: styles }, ...scriptSizes())
  const rows = [...BUDGETS, STYLES, SCRIPT, SCRIPT_PARTS].map(({ name, maxBytes, maxTotalBytes = Infinity }, at) => ({
    name,
    'at once': sizes[at]!.initial,
    'all in all': sizes[at]!.total,
    'may be': maxBytes,
    isHeld: sizes[at]!.initial <= maxBytes && sizes[at]!.total <= maxTotalBytes,
  }))
  console.table(rows)
  expect(rows.filter(({ isHeld }) => !isHeld)).toEqual([])
})

function scriptSizes(): BundleSize[] {
  const sum = (files: string[]) => files.reduce((bytes, file) => bytes + gzipSize(readFileSync(join(DIST, file))), 0)
  const script = sum(['page-preview.js'])
  const parts = readdirSync(DIST).filter((file) => /^page-preview\.[\da-f]{8}\.js$/.test(file))
  const text = readFileSync(join(DIST, 'page-preview.js'), 'utf8')
  return [
    { initial: script, total: script },
    { initial: sum(parts.filter((file) => text.includes(file))), total: sum(parts) },
  ]
}

/** As the bundler of an app ships them. */
async function minifiedStyles(path: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, rolldownOptions: { input: path } },
  })
  const { output } = built as Rolldown.RolldownOutput
  const file = output.find((file) => file.type === 'asset' && file.fileName.endsWith('.css'))
  if (file?.type !== 'asset') throw new TypeError(`${path} gave no stylesheet`)
  return String(file.source)
}
