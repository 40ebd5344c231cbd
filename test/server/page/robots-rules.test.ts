import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allowsPath, parseRobots } from '../../../src/server/page/robots-rules.js'

const AGENTS = ['pagepreviewbot']
const allows = (robots: string, path: string) =>
  allowsPath(parseRobots(robots, AGENTS), new URL(`https://example.com${path}`))
const group = (...rules: string[]) => ['User-agent: PagePreviewbot', ...rules].join('\n')

describe('a group of robots.txt', () => {
  it.each([
    ['names the agent', 'User-agent: PagePreviewbot\nDisallow: /'],
    ['names it in another case', 'user-AGENT:pagepreviewBOT\ndisallow: /'],
    ['names it with a version', 'User-agent: PagePreviewbot/1.0\nDisallow: /'],
    ['names it among others', 'User-agent: a\nUser-agent: PagePreviewbot\nUser-agent: b\nDisallow: /'],
    ['is one of two that name it', `${group('Disallow: /a')}\n\nUser-agent: x\nAllow: /\n\n${group('Disallow: /')}`],
    ['has empty lines, comments and other fields in it', group('', '# note', 'Sitemap: /s.xml', 'Disallow: / # all')],
    ['begins with a byte order mark', `\uFEFF${group('Disallow: /')}`],
    ['has lines of old computers', group('Disallow: /').replaceAll('\n', '\r')],
  ])('applies if it %s', (_, robots) => {
    expect(allows(robots, '/page')).toBe(false)
  })

  it.each([
    ['is for crawlers', 'User-agent: *\nDisallow: /'],
    ['names another agent', 'User-agent: PagePreviewbotics\nDisallow: /'],
    ['ended before the rule', 'User-agent: PagePreviewbot\nAllow: /\nUser-agent: x\nDisallow: /'],
    ['disallows nothing', group('Disallow:')],
    ['is the page of a site without robots.txt', '<!doctype html><title>User-agent: PagePreviewbot</title>Disallow: /'],
  ])('does not apply if it %s', (_, robots) => {
    expect(allows(robots, '/page')).toBe(true)
  })
})

// The examples of https://www.rfc-editor.org/rfc/rfc9309.html, and those of Google's documentation.
it.each([
  ['/fish', '/fish.html', true],
  ['/fish', '/Fish.asp', false],
  ['/fish/', '/fish', false],
  ['/fish/', '/fish/?id=1', true],
  ['/fish*', '/fishheads/yummy', true],
  ['/*.php', '/folder/any.php?x=1', true],
  ['/*.php', '/windows.PHP', false],
  ['/*.php$', '/folder/file.php', true],
  ['/*.php$', '/file.php?x', false],
  ['/fish*.php', '/fishheads/catfish.php?x', true],
  ['/a$', '/a', true],
  ['/a$', '/ab', false],
  ['/a*b*a$', '/aba', true],
  ['/a*ba$', '/aba', true],
  ['/aba*ba$', '/aba', false],
  ['/?q=', '/?q=1', true],
  ['/caf%C3%A9', '/café', true],
  ['/café', '/caf%c3%a9', true],
  ['/%7Eme', '/~me', true],
  ['fish', '/fish', false],
])('the pattern %s and the path %s match: %s', (pattern, path, isMatch) => {
  expect(allows(group(`Disallow: ${pattern}`), path)).toBe(!isMatch)
})

it.each([
  [['Allow: /p', 'Disallow: /'], '/page', true],
  [['Disallow: /', 'Allow: /p'], '/page', true],
  [['Allow: /folder', 'Disallow: /folder'], '/folder/page', true],
  [['Disallow: /*.htm', 'Allow: /page'], '/page.htm', false],
  [['Allow: /$', 'Disallow: /'], '/', true],
  [['Allow: /$', 'Disallow: /'], '/page', false],
])('of the rules %j that match %s the longest decides', (rules, path, isAllowed) => {
  expect(allows(group(...rules), path)).toBe(isAllowed)
})

it.each([
  ['Crawl-delay: 3', 3_000],
  ['crawl-delay: 0.5', 500],
  ['Crawl-delay: 86400', 10_000],
  ['Crawl-delay: soon', 0],
  ['Crawl-delay: -1', 0],
])('reads %s', (line, crawlDelayMs) => {
  expect(parseRobots(group(line), AGENTS).crawlDelayMs).toBe(crawlDelayMs)
})

it('has no delay for a group that names another agent', () => {
  expect(parseRobots('User-agent: *\nCrawl-delay: 5', AGENTS).crawlDelayMs).toBe(0)
})

it('reads a limited number of rules', () => {
  const many = Array.from({ length: 5_000 }, (_, at) => `Disallow: /${at}`)
  expect(parseRobots(group(...many), AGENTS).paths).toHaveLength(2_000)
  const stars = Array.from({ length: 100 }, (_, at) => `Disallow: /*${'a'.repeat(1_000)}${at}`)
  expect(parseRobots(group(...stars), AGENTS).paths).toHaveLength(9)
  expect(parseRobots(group(`Disallow: /${'a'.repeat(3_000)}`), AGENTS).paths).toEqual([])
})

it('never throws', () => {
  const line = fc.oneof(
    fc.string(),
    fc.string().map((text) => `disallow:${text}`),
    fc.constant(group('Allow: /')),
  )
  fc.assert(
    fc.property(fc.array(line), fc.webPath(), (lines, path) => {
      expect(typeof allows(lines.join('\n'), path)).toBe('boolean')
    }),
  )
})
