import { expect, it } from 'vitest'
import { parseDeniedHosts } from '../../../src/server/network/denied-hosts.js'

const isDenied = parseDeniedHosts(['Example.com', 'bücher.de', '192.0.2.7', '2001:db8::1', 'co.uk.'])

it.each([
  ['example.com', true],
  ['www.example.com', true],
  ['a.b.c.example.com', true],
  ['notexample.com', false],
  ['example.com.attacker.test', false],
  ['com', false],
  ['xn--bcher-kva.de', true],
  ['192.0.2.7', true],
  ['192.0.2.70', false],
  ['::ffff:c000:207', true],
  ['64:ff9b::c000:207', true],
  ['2002:c000:207::', true],
  ['::ffff:c000:208', false],
  ['2001:db8::1', true],
  ['shop.co.uk', true],
  ['', false],
])('%s: %s', (hostname, expected) => {
  expect(isDenied(hostname)).toBe(expected)
})

it.each([
  '',
  '.',
  'example.com..',
  'a..b',
  'https://example.com',
  'example.com/path',
  'example.com:8080',
  '*.example.com',
  'a b',
  'x'.repeat(300),
])('rejects "%s"', (host) => {
  expect(() => parseDeniedHosts([host])).toThrow('is not a host to deny')
})
