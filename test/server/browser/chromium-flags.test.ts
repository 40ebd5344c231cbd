import { describe, expect, it } from 'vitest'
import {
  findFlagMistakes,
  forbiddenFlags,
  recommendedFlags,
  requiredFlags,
} from '../../../src/server/browser/chromium-flags.js'

const OPTIONS = { proxyPublicHost: 'previews' }
const recommended = ['/usr/bin/chromium', ...recommendedFlags(OPTIONS.proxyPublicHost)]
const nameOf = (flag: string) => flag.split('=')[0]!
const withRules = (rules: string) => [...recommended, `--host-resolver-rules=${rules}`]

describe('the flags of a browser that runs already', () => {
  it('are accepted as recommended, and with others beside', () => {
    expect(findFlagMistakes(recommended, OPTIONS)).toEqual([])
    expect(findFlagMistakes([...recommended, '--window-size=9,9', 'about:blank'], OPTIONS)).toEqual([])
  })

  it.each(Object.keys(requiredFlags))('are refused without %s', (flag) => {
    const without = recommended.filter((each) => nameOf(each) !== nameOf(flag))
    expect(without).toHaveLength(recommended.length - 1)
    const missing = `${flag.replace('HOST', 'previews')} is missing`
    expect(findFlagMistakes(without, OPTIONS)).toEqual([missing])
    // Chromium stops reading flags there.
    expect(findFlagMistakes([...without, '--', `${nameOf(flag)}=x`], OPTIONS)).toEqual([missing])
  })

  it.each(forbiddenFlags)('are refused with %s', (flag) => {
    expect(findFlagMistakes([...recommended, `${flag}=1`], OPTIONS)).toEqual([`${flag} is set`])
    expect(findFlagMistakes([...recommended, flag.slice(1)], OPTIONS)).toEqual([`${flag} is set`])
  })

  it('are read as Chromium reads them, where the last value counts', () => {
    const overridden = [...recommended, '--webrtc-ip-handling-policy=default']
    expect(findFlagMistakes(overridden, OPTIONS)).toEqual([
      '--webrtc-ip-handling-policy=disable_non_proxied_udp is missing',
    ])
  })

  it.each([
    ['MAP * 127.0.0.1:9 , EXCLUDE previews', true],
    ['MAP * 127.0.0.1:9,EXCLUDE other,EXCLUDE Previews', true],
    ['MAP * 127.0.0.1:9', false],
    ['MAP * ~NOTFOUND , EXCLUDE previews', false],
    ['MAP * 127.0.0.1 , EXCLUDE previews', false],
    ['MAP * 10.0.0.1:9 , EXCLUDE previews', false],
    ['MAP * 127.0.0.1:9 , EXCLUDE *', false],
    ['MAP * 127.0.0.1:9 , EXCLUDE previews , EXCLUDE *.test', false],
    ['MAP * 127.0.0.1:9 , EXCLUDE previews , MAP a 10.0.0.1', false],
    ['EXCLUDE previews', false],
    ['', false],
  ])('may have the resolver rules %j: %s', (rules, isAccepted) => {
    expect(findFlagMistakes(withRules(rules), OPTIONS).length === 0).toBe(isAccepted)
  })

  it('may leave out the sandbox where that is allowed', () => {
    const unsandboxed = [...recommended, '--no-sandbox']
    expect(findFlagMistakes(unsandboxed, { ...OPTIONS, allowUnsandboxed: true })).toEqual([])
  })

  it('are refused where the browser does not disclose them', () => {
    expect(findFlagMistakes(undefined, OPTIONS)).toEqual(['--enable-automation is missing'])
  })
})
