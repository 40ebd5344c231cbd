import { expect, it } from 'vitest'
import { createOwnAddresses } from '../../../src/server/network/own-addresses.js'

it('knows the addresses of the interfaces in every spelling', () => {
  const isOwn = createOwnAddresses(() => ({
    eth0: [{ address: '203.0.113.7' }, { address: '2a01:4f8::7' }, { address: 'fe80::1%eth0' }],
  }))
  for (const address of [
    '203.0.113.7',
    '::ffff:203.0.113.7',
    '64:ff9b::203.0.113.7',
    '2002:cb00:7107::',
    '2a01:04f8:0::0:7',
    'fe80::1',
  ])
    expect(isOwn(address), address).toBe(true)
  for (const address of ['203.0.113.8', '2a01:4f8::8', 'nonsense']) expect(isOwn(address), address).toBe(false)
})

it('notices addresses that change while the service runs', () => {
  let time = 0
  let address = '203.0.113.7'
  const isOwn = createOwnAddresses(
    () => ({ eth0: [{ address }] }),
    () => time,
  )
  expect(isOwn('203.0.113.8')).toBe(false)
  address = '203.0.113.8'
  time = 1_001
  expect([isOwn('203.0.113.7'), isOwn('203.0.113.8')]).toEqual([false, true])
})
