// Covers test/shared/failed-tests-reporter.ts, with a run of vitest that fails in every way.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const REPORTERS = ['default', join(root, 'test/shared/failed-tests-reporter.ts')]

const FAILING = `
describe('sums', () => {
  it('are right', () => expect(1 + 1).toBe(2))
  it('are wrong', () => { throw new Error('one is not two\\nand more') })
})
describe('a suite without its set-up', () => {
  beforeAll(() => { throw new Error('no set-up') })
  it('does not run', () => undefined)
})`

/** @returns  What vitest prints for test files, by their names. */
async function run(files: Record<string, string>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'page-preview-reporter-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content)
  const reporters = REPORTERS.map((reporter) => `--reporter=${reporter}`)
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', dir, '--globals']
  return new Promise((done) =>
    execFile(process.execPath, [...vitest, ...reporters], { env: { ...process.env, NO_COLOR: '1' } }, (_, stdout) =>
      done(stdout),
    ),
  )
}

it('names failed tests, suites and files with the first line of their errors, after everything else', async () => {
  const output = await run({ 'sums.test.js': FAILING, 'unloadable.test.js': "throw new Error('not loaded')" })
  const [, last = ''] = output.split('\nFailed: 3\n- ')
  expect(last.trimEnd().split('\n- ').toSorted()).toEqual([
    'sums.test.js > a suite without its set-up\n  no set-up',
    'sums.test.js > sums > are wrong\n  one is not two',
    'unloadable.test.js\n  not loaded',
  ])
})

it('prints nothing when nothing failed', async () => {
  const output = await run({ 'a.test.js': "it('passes', () => undefined)" })
  expect(output).toContain('1 passed')
  expect(output).not.toContain('Failed:')
})
