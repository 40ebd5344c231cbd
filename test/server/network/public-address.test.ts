import { describe, expect, it } from 'vitest'
import { isAllowedPort } from '../../../src/server/network/allowed-port.js'
import { isPublicAddress } from '../../../src/server/network/public-address.js'

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
  it.each(PUBLIC)('takes %s for public', (address) => expect(isPublicAddress(address)).toBe(true))
  it.each(NOT_PUBLIC)('does not take %s for public', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('isAllowedPort', () => {
  it.each([80, 443, 1024, 3000, 3001, 4200, 5000, 5173, 6006, 8000, 8080, 8443, 8888, 9000, 65_535])(
    'lets port %i through, where pages are served',
    (port) => expect(isAllowedPort(port)).toBe(true),
  )
  it.each([0, 1, 21, 22, 25, 53, 81, 445, 1023, 2375, 3306, 5432, 5900, 6379, 9200, 9222, 10250, 11211, 27017, 65_536])(
    'keeps port %i closed',
    (port) => expect(isAllowedPort(port)).toBe(false),
  )
})
