// Covers the test of the documentation in apps that install the packed package: with React 19 and with React 18.
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { readDocs } from '../docs/read-docs.js'
import { appDir } from './build-app.js'

const page = readDocs().find(({ path }) => path === 'stories/docs/testing.mdx')!
const sample = page.blocks.find(({ language }) => language === 'tsx')!

it.each([
  ['React 19', 'fresh-vite'],
  ['React 18', 'react-18'],
])(`passes with %s and vitest, as it stands at ${sample.name}`, async (_, name) => {
  const app = appDir(name)
  await mkdir(join(app, 'tests'), { recursive: true })
  await writeFile(join(app, 'tests/preview.spec.tsx'), sample.code)
  // Those of this run are not for that one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--environment=jsdom', '--reporter=tap-flat']
  const { stdout } = await promisify(execFile)(process.execPath, vitest, { cwd: app, env })
  expect(stdout).toMatch(/^TAP version \d+\n1\.\.1\nok 1 /)
})
