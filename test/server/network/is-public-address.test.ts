import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../../src/server/network/is-public-address.js'

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
