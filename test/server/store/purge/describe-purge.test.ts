import { expect, it } from 'vitest'
import { describePurge } from '../../../../src/server/store/purge/describe-purge.js'
import { parsePurgeTarget } from '../../../../src/server/store/purge/purge-target.js'

it('names the host of a page, and nothing else of its URL', () => {
  const purge = parsePurgeTarget({ url: 'https://example.com/secret?token=1' })
  expect(describePurge(purge)).toEqual({ scope: 'page', targetHost: 'example.com' })
  expect(describePurge(parsePurgeTarget({ host: 'example.com' }))).toEqual({ scope: 'host', targetHost: 'example.com' })
  expect(describePurge(parsePurgeTarget({ all: true }))).toEqual({ scope: 'all', targetHost: undefined })
  expect(describePurge({ images: [`${'a'.repeat(64)}.png`] })).toBeUndefined()
})
