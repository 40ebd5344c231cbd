import { describe, expect, it } from 'vitest'
import { clientHintsOf } from '../../../src/server/browser/client-hints.js'

const chrome = (system: string, rest = 'Chrome/143.0.7499.40 Safari/537.36') =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${rest}`

describe('client hints', () => {
  it.each([
    ['X11; Linux x86_64', { platform: 'Linux', mobile: false, architecture: 'x86', bitness: '64', model: '' }],
    ['X11; Linux aarch64', { platform: 'Linux', mobile: false, architecture: 'arm' }],
    ['Windows NT 10.0; Win64; x64', { platform: 'Windows', mobile: false, architecture: 'x86' }],
    ['Macintosh; Intel Mac OS X 10_15_7', { platform: 'macOS', mobile: false }],
    ['X11; CrOS x86_64 14541.0.0', { platform: 'Chrome OS', mobile: false }],
  ])('are those of Chrome on a desktop: %s', (system, hints) => {
    expect(clientHintsOf(chrome(system))).toMatchObject({
      ...hints,
      brands: [
        { brand: 'Chromium', version: '143' },
        { brand: 'Google Chrome', version: '143' },
        { brand: 'Not.A/Brand', version: '24' },
      ],
      fullVersionList: [{ version: '143.0.7499.40' }, { version: '143.0.7499.40' }, { version: '24.0.0.0' }],
    })
  })

  it('have the model of a phone', () => {
    const phone = chrome('Linux; Android 11; Pixel 5', 'Chrome/90.0.4430.91 Mobile Safari/537.36')
    expect(clientHintsOf(phone)).toMatchObject({
      platform: 'Android',
      platformVersion: '11',
      model: 'Pixel 5',
      mobile: true,
      architecture: '',
    })
  })

  it('have the brand of another Chromium', () => {
    const edge = clientHintsOf(chrome('Windows NT 10.0; Win64; x64', 'Chrome/143.0.0.0 Safari/537.36 Edg/142.0.0.0'))
    expect(edge?.brands?.[1]).toEqual({ brand: 'Microsoft Edge', version: '142' })
  })

  it.each([
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/143.0.0.0 Safari/537.36',
    'Someone',
    '',
  ])('are none for what has none: %s', (userAgent) => {
    expect(clientHintsOf(userAgent)).toBeUndefined()
  })
})
