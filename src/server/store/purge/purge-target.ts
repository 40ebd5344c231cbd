import { PageError } from '../../../query/index.js'
import { hostnameOf, isHostname } from '../../hostnames/index.js'
import { subjectOfUrl } from '../subject.js'
import type { Purge } from './purge.js'

/** What an operator wants to purge: exactly one of them. */
export interface PurgeTarget {
  /** URL of a page. */
  url?: string | undefined
  /** Without port; covers its subdomains. */
  host?: string | undefined
  all?: boolean | undefined
}

const MAX_URL_CHARS = 8_192
const MAX_HOST_CHARS = 255

/** @throws  {PageError} `EINVALURL`, `EINVALQUERY` */
export function parsePurgeTarget({ url, host, all }: PurgeTarget): Purge {
  if ([url !== undefined, host !== undefined, all === true].filter(Boolean).length !== 1)
    throw new PageError('EINVALQUERY', 'Name what to purge: one of url, host and all.', {
      data: { url: 'one of url, host and all is needed' },
    })
  if (url !== undefined) return { page: subjectOfUrl(parsePage(url)) }
  return host === undefined ? { all: true } : { host: parseHost(host) }
}

function parsePage(text: string): URL {
  const parsed =
    text.length <= MAX_URL_CHARS && /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (parsed && isHostname(hostnameOf(parsed))) return parsed
  throw new PageError('EINVALURL', 'The page to purge must be an absolute http or https URL.', {
    data: { url: 'must be an absolute http or https URL' },
  })
}

function parseHost(text: string): string {
  const url = `http://${text.includes(':') && !text.startsWith('[') ? `[${text}]` : text}`
  const parsed =
    text.length <= MAX_HOST_CHARS && /^[^\s/?#@\\*]+$/.test(text) && URL.canParse(url) ? new URL(url) : undefined
  if (parsed && !parsed.port && isHostname(hostnameOf(parsed))) return hostnameOf(parsed)
  throw new PageError('EINVALQUERY', 'The host to purge must be a name or an IP address, without a port.', {
    data: { host: 'must be a name or an IP address, without a port' },
  })
}
