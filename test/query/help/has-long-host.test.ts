import { expect, it } from 'vitest'
import { hasLongHost } from '../../../src/query/help/has-long-host.js'

const LONG = 'a'.repeat(1_000)

it.each([
  `https://${LONG}`,
  `HTTPS://${LONG}/path`,
  `http:${LONG}`,
  `http:/${LONG}?a`,
  `http:\\\\${LONG}`,
  `//${LONG}`,
  `http:\n//${LONG}`,
  `h\tttp://${LONG}`,
  `http:/\r/${LONG}`,
  `\0 \u001f http://${LONG}`,
  `ftp://${LONG}`,
  `view-source+x.1://${LONG}`,
  `http://user:password@${LONG}`,
  `http://a\n${LONG}`,
])('finds the host as a URL parser does: %j', (url) => expect(hasLongHost(url)).toBe(true))

it.each([
  `https://example.com/${LONG}`,
  `https://example.com\\${LONG}`,
  `https://example.com?${LONG}`,
  `https://example.com#${LONG}`,
  `https://${'a'.repeat(999)}`,
  `/${LONG.slice(1)}`,
  `?${LONG}`,
  '',
])('takes nothing else for a host: %j', (url) => expect(hasLongHost(url)).toBe(false))
