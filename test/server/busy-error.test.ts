import { expect, it } from 'vitest'
import { busyError } from '../../src/server/busy-error.js'

it.each([
  [undefined, 2_000, 'No room. Try again in 2 seconds.'],
  [500, 500, 'No room. Try again in a second.'],
  [1_000, 1_000, 'No room. Try again in a second.'],
  [4_200, 4_200, 'No room. Try again in 5 seconds.'],
])('says when to come again, in words and as a header: %s ms', (delayMs, retryAfterMs, message) => {
  const options = delayMs === undefined ? {} : { retryAfterMs: delayMs }
  expect(busyError('No room', options)).toMatchObject({ code: 'EBUSY', message, retryAfterMs })
})
