import { domainToUnicode } from 'node:url'
import { expect, it } from 'vitest'
import { toDisplayUrl } from '../../src/card/index.js'
import { unicodeHost, withUnicodeHost } from '../../src/card/unicode-host.js'

it.each([
  'münchen.de',
  'www.müller-büromöbel.example',
  'café.fr',
  'łódź.pl',
  'dağıtım.com.tr',
  'việtnam.vn',
  'пример.рф',
  'россия.example',
  'москва-река.рф',
  'παράδειγμα.gr',
  '例え.jp',
  'お名前.com',
  'ソニー.jp',
  '한국.kr',
  '中国.cn',
  'google検索.jp',
  'موقع.وزارة-الاتصالات.مصر',
  'דוגמה.co.il',
  'उदाहरण.भारत',
  'ตัวอย่าง.ไทย',
  'հայաստան.am',
])('shows %s in Unicode', (name) => {
  const { host } = new URL(`https://${name}/`)
  expect(host).toContain('xn--')
  expect(unicodeHost(host)).toBe(name)
})

it.each([
  ['Cyrillic letters that look Latin', 'аррӏе.com'],
  ['a Cyrillic letter among Latin ones', 'pаypal.com'],
  ['Greek letters that look Latin', 'ικο.com'],
  ['Greek and Latin', 'goοgle.com'],
  ['phonetic letters', 'ɡoogle.com'],
  ['a Japanese sign like a slash', 'exampleノlogin.com'],
  ['Thai and Latin', 'exampleตัว.com'],
  ['an emoji', 'i❤.ws'],
])('keeps Punycode for %s', (_, name) => {
  const { host } = new URL(`https://${name}/`)
  expect(host).toContain('xn--')
  expect(unicodeHost(host)).toBe(host)
})

it.each(['xn--', 'xn--a', 'xn--99999999', `xn--${'9'.repeat(59)}`, 'xn--ls8h=', 'a.xn--0.b'])(
  'keeps %s, which is no Punycode',
  (host) => expect(unicodeHost(host)).toBe(host),
)

it('decodes as Node does', () => {
  for (const name of ['bücher', 'ñandú', '日本語', 'добро', 'ελλάδα', '안녕하세요', 'straßenbahn', 'ไทยแลนด์']) {
    const { host } = new URL(`https://${name}.example/`)
    expect(unicodeHost(host)).toBe(domainToUnicode(host))
  }
})

it('keeps port and path of the URL', () => {
  const shown = withUnicodeHost(toDisplayUrl('https://www.bücher.example:8443/neu/'))
  expect(shown).toMatchObject({ host: 'bücher.example:8443', text: 'bücher.example:8443/neu', letter: 'B' })
})
