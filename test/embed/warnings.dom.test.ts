import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { blockedEndpoint } from '../../src/embed/options.js'
import { warn, type WarningCause } from '../../src/embed/warnings.js'
import { PageError } from '../../src/query/index.js'

const log = vi.spyOn(console, 'warn')
beforeEach(() => void log.mockReset().mockImplementation(() => {}))
afterAll(() => log.mockRestore())
afterEach(() => void vi.unstubAllGlobals())

function warningsOf(...causes: WarningCause[]): string[] {
  for (const cause of causes) warn(cause)
  return log.mock.calls.map(([text]) => String(text))
}

it.each([
  ['screnshot', 'screenshot'],
  ['layuot', 'layout'],
  ['fulpage', 'full-page'],
  ['wait-for-selctor', 'wait-for-selector'],
  ['src', 'url'],
  ['href', 'url'],
  ['endpoint', 'data-endpoint of the script tag'],
  ['data-layuot', 'data-layout'],
  ['data-full-pag', 'data-full-page'],
])('names what an author of the attribute %s probably meant: %s', (attribute, meant) => {
  expect(warningsOf({ attribute })).toEqual([`page-preview: Unknown attribute "${attribute}". Did you mean ${meant}?`])
})

it('warns of an attribute of no other element even if nothing has nearly its name', () => {
  expect(warningsOf({ attribute: 'gizmo' })).toEqual(['page-preview: Unknown attribute "gizmo" of <page-preview>.'])
})

it.each(['tabindex', 'accesskey', 'itemprop', 'part', 'is', 'v-cloak', 'astro-island', 'data-analytics', 'data-id'])(
  'says nothing of %s, which is an attribute of any element or of another script',
  (attribute) => {
    expect(warningsOf({ attribute })).toEqual([])
  },
)

it.each(['api-key', 'data-api-key', 'apikey'])('warns of a key in a page: %s', (attribute) => {
  const [warning = 'as before'] = warningsOf({ attribute })
  expect(warning).toMatch(/An API key in a page can be read and used by everybody.*`createProxy`|as before/)
})

it('warns of each attribute, each cause and each code of errors once', () => {
  const error = (code: 'EAUTH' | 'ETIMEOUT', message: string) => ({ error: new PageError(code, message) })
  const causes: WarningCause[] = [
    { attribute: 'embd' },
    { layout: 'tower' },
    error('EAUTH', 'No key.'),
    error('ETIMEOUT', 'The page is slow.'),
    { mixedContent: 'http://previews.example/' },
  ]
  warningsOf(...causes)
  expect(warningsOf(...causes, error('EAUTH', 'No key at all.'))).toEqual([
    'page-preview: Unknown attribute "embd". Did you mean embed?',
    'page-preview: Unknown layout "tower"; showing a card instead. The layouts are card, row, image and inline.',
    'page-preview: No key. (EAUTH); links still work.',
    expect.stringMatching(
      /^page-preview: Browsers block requests from this https page to http:\/\/previews\.example\/,/,
    ),
  ])
})

it.each(['http://localhost:3000', 'http://127.0.0.1:3000/', 'http://[::1]:3000'])(
  'says nothing of a service at %s, which browsers request from any page',
  (mixedContent) => {
    expect(warningsOf({ mixedContent })).toEqual([])
  },
)

it.each([
  ['https:', 'http://previews.example', 'http://previews.example'],
  ['https:', { free: 'http://previews.example', pro: 'https://pro.example' }, 'http://previews.example'],
  ['https:', 'https://previews.example', undefined],
  ['https:', '/page-preview', undefined],
  ['https:', undefined, undefined],
  ['http:', 'http://previews.example', undefined],
] as const)('on a page with %s, browsers block of the service %o: %s', (protocol, endpoint, blocked) => {
  vi.stubGlobal('location', { protocol })
  expect(blockedEndpoint({ endpoint })).toBe(blocked)
})
