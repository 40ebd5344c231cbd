// Covers both packed packages as npm installs them into empty folders: no source file takes part alone.
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyFolder, installPackages, startWithNpx } from './npx-service.js'
import { runNpm } from './run-npm.js'

const MAX_UNPACKED_BYTES = 2_000_000

const root = join(import.meta.dirname, '../..')
const { LIBRARY_TARBALL, SERVER_TARBALL } = process.env as Record<string, string>
const { devDependencies } = await readJson<{ devDependencies: Record<string, string> }>(join(root, 'package.json'))

describe('the library in an empty folder', () => {
  let dir: string
  beforeAll(async () => {
    dir = await emptyFolder()
    await installPackages(dir, LIBRARY_TARBALL!)
  })
  afterAll(() => rm(dir, { recursive: true }))

  it('comes with its peers and nothing else', async () => {
    expect(await installedPackages(dir)).toEqual([
      '@tanstack/query-core',
      '@tanstack/react-query',
      'page-preview',
      'react',
      'react-dom',
      'scheduler',
    ])
  })

  it('takes at most 2 MB', async () => {
    const bytes = await folderBytes(join(dir, 'node_modules/page-preview'))
    console.log(`page-preview unpacked: ${(bytes / 1e6).toFixed(2)} MB`)
    expect(bytes).toBeLessThanOrEqual(MAX_UNPACKED_BYTES)
  })

  it('says which package to install for the command serve', async () => {
    const failed = runNpm(dir, ['exec', '--no', '--', 'page-preview', 'serve'])
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^page-preview: "serve" [^\n]+: npm install page-preview-server\n$/m),
    })
  })
})

describe('both packages in an empty folder', () => {
  let dir: string
  beforeAll(async () => {
    dir = await emptyFolder()
    await installPackages(dir, LIBRARY_TARBALL!, SERVER_TARBALL!)
  })
  afterAll(() => rm(dir, { recursive: true }))

  it.each(['page-preview-server', 'page-preview'])('start the service with npx %s serve --demo', async (command) => {
    const service = await startWithNpx(dir, command)
    try {
      expect((await fetch(`${service.free}/readyz`)).status).toBe(200)
    } finally {
      await service.stop()
    }
  })

  it('give TypeScript the module of previews by the line of the docs', async () => {
    const page = await readFile(join(root, 'stories/docs/static-sites.mdx'), 'utf8')
    const [, reading] = /```tsx\n(import [^`]*'virtual:page-preview'[^`]*)```/.exec(page)!
    const [reference] = /^\/\/\/ <reference .*$/m.exec(page)!
    await installPackages(dir, ...['typescript', '@types/react'].map((name) => `${name}@${devDependencies[name]}`))
    const wrong = "import previews from 'virtual:page-preview'\nexport const title: number = previews['/']!.title\n"
    await Promise.all([writeFile(join(dir, 'reading.tsx'), reading!), writeFile(join(dir, 'wrong.ts'), wrong)])
    const options = '--noEmit --strict --jsx react-jsx --module esnext --moduleResolution bundler --pretty false'
    const errorsWith = async (declarations: string) => {
      await writeFile(join(dir, 'vite-env.d.ts'), `${declarations}\n`)
      const tsc = ['exec', '--no', '--', 'tsc', ...options.split(' '), 'vite-env.d.ts', 'reading.tsx', 'wrong.ts']
      const { stdout = '' } = (await runNpm(dir, tsc).then(
        () => ({}),
        (error: unknown) => error,
      )) as { stdout?: string }
      return [...stdout.matchAll(/^(\S+)\(.*?: error (TS\d+)/gm)].map(([, file, code]) => `${file} ${code}`)
    }
    expect(await errorsWith(reference)).toEqual(['wrong.ts TS2322'])
    expect(await errorsWith('')).toEqual(['reading.tsx TS2307', 'wrong.ts TS2307'])
  })
})

async function installedPackages(dir: string): Promise<string[]> {
  const lock = await readJson<{ packages: object }>(join(dir, 'node_modules/.package-lock.json'))
  return Object.keys(lock.packages).map((path) => path.replace('node_modules/', ''))
}

async function folderBytes(dir: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function readJson<Content>(path: string): Promise<Content> {
  return JSON.parse(await readFile(path, 'utf8')) as Content
}
