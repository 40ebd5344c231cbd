import { afterAll, expect, it, vi } from 'vitest'

// The tests of other files share modules with this one.
vi.resetModules()
vi.doMock('node:fs/promises', async (original) => ({
  ...(await original<object>()),
  // A watcher of a folder that is removed.
  async *watch() {
    yield { filename: 'index.html' }
  },
}))
const { watchFolder } = await import('../../../src/static/freeze/watch-folder.js')
afterAll(() => {
  vi.doUnmock('node:fs/promises')
  vi.resetModules()
})

it('ends when the folder is no longer watched, after the last change', async () => {
  let groups = 0
  for await (const _ of watchFolder('/site', new AbortController().signal)) groups++
  expect(groups).toBe(1)
})
