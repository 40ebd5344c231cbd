import { describe, expect, it } from 'vitest'
import { createOwnAddresses, isPublicAddress, parseDeniedRanges } from '../../../src/server/network/addresses.js'

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
]

const NOT_PUBLIC = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255
  192.0.0.8 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 168.63.129.16
  :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:168.63.129.16 ::127.0.0.1 ::808:808 ::ffff:0:127.0.0.1 ::ffff:0:8.8.8.8
  64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::808:808 2002:7f00:1:: 2002:808:808:: 2001:0:7f00:1:: 2001:db8::1 2001:10::1
  2001:20::1 3fff::1 5f00::1 100::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 4000::1
  2606:4700::5efe:7f00:1 2606:4700::200:5efe:7f00:1 localhost`
  .trim()
  .split(/\s+/)

describe('isPublicAddress', () => {
  it.each(PUBLIC)('accepts %s', (address) => expect(isPublicAddress(address)).toBe(true))
  it.each(NOT_PUBLIC)('rejects %s', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('denied ranges', () => {
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
})

describe('the addresses of this machine', () => {
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
})
