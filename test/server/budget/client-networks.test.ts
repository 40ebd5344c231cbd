import { expect, it } from 'vitest'
import { identifyClient, createClientIdentifier } from '../../../src/server/budget/client-networks.js'
import { expectTimeRatio } from '../../shared/time-ratio.js'

it.each([
  ['203.0.113.7', null, 0, '203.0.113.7'],
  ['::ffff:203.0.113.7', null, 0, '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', null, 0, '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', null, 0, '2001:db8:1:2::/64'],
  ['10.0.0.1', '198.51.100.1', 0, '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1', 1, '198.51.100.1'],
  ['10.0.0.1', '6.6.6.6, 198.51.100.1', 1, '198.51.100.1'],
  ['10.0.0.1', '6.6.6.6, 198.51.100.1, 10.0.0.2', 2, '198.51.100.1'],
  ['10.0.0.1', '198.51.100.1', 5, '198.51.100.1'],
  ['10.0.0.1', '198.51.100.1:51234', 1, '198.51.100.1'],
  ['10.0.0.1', '6.6.6.6:1, [2001:db8:1:2::7]:443', 1, '2001:db8:1:2::/64'],
  ['10.0.0.1', '[2001:db8:1:2::7]', 1, '2001:db8:1:2::/64'],
  ['10.0.0.1', '[::ffff:198.51.100.1]:443', 1, '198.51.100.1'],
  ['10.0.0.1', '2001:db8:1:2::7', 1, '2001:db8:1:2::/64'],
  ['10.0.0.1', '198.51.100.1:51234:1', 1, '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1:port', 1, '10.0.0.1'],
  ['10.0.0.1', 'not an IP address', 1, '10.0.0.1'],
  ['', null, 0, 'unknown'],
])(
  'identifies the peer %s with x-forwarded-for %s behind %i trusted proxies as %s',
  (peer, forwardedFor, trustProxy, expected) => {
    expect(identifyClient(peer, forwardedFor, trustProxy)).toBe(expected)
  },
)

it('stays fast for long headers of equal length', () => {
  const readHeaders = (headers: number) => () => {
    const addressOf = createClientIdentifier(1)
    for (let count = 0; count < headers; count++) {
      const claimed = Buffer.from(`${'1'.repeat(30_000)}${String(count).padStart(6, '0')}`).toString('latin1')
      expect(addressOf('127.0.0.1', `${claimed}, 8.8.8.8`)).toBe('8.8.8.8')
    }
  }
  expectTimeRatio(readHeaders(800), readHeaders(100), 40)
})
