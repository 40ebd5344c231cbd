import { expect, it } from 'vitest'
import { parseDeniedRanges } from '../../../src/server/network/denied-ranges.js'

it('denies the addresses of a range, and one address', () => {
  const isDenied = parseDeniedRanges(['2001:db8:64::/96', '198.18.0.0/15', '9.9.9.9'])
  for (const address of ['2001:db8:64::a00:1', '198.19.1.1', '::ffff:198.18.0.1', '9.9.9.9'])
    expect(isDenied(address), address).toBe(true)
  for (const address of ['2001:db8:65::1', '198.20.0.1', '9.9.9.10']) expect(isDenied(address), address).toBe(false)
})

it.each([
  '::ffff:198.18.0.1',
  '::198.18.0.1',
  '::ffff:0:198.18.0.1',
  '64:ff9b::198.18.0.1',
  '64:ff9b::c612:1',
  '2002:c612:1::1',
  '2001:0:4136:e378:8000:63bf:39ed:fffe',
  '2606:4700::5efe:c612:1',
])('denies %s, which leads to an address of a range of IPv4', (address) => {
  expect(parseDeniedRanges(['198.18.0.0/15'])(address)).toBe(true)
  expect(parseDeniedRanges(['198.20.0.0/15', '2001:db8::/32'])(address)).toBe(false)
})

it.each(['10.0.0.0/33', 'example.com', '', '1.2.3.4/'])('refuses %j, which is no range', (range) => {
  expect(() => parseDeniedRanges([range])).toThrow(TypeError)
})
