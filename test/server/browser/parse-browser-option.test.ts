import { describe, expect, it } from 'vitest'
import { parseBrowserOption } from '../../../src/server/browser/parse-browser-option.js'

describe('--browser', () => {
  it.each([
    [['/opt/my chromium, 143/chrome'], ['/opt/my chromium, 143/chrome']],
    [['http://chromium:9222'], ['http://chromium:9222']],
    [
      ['http://a:9222,http://b:9222', 'http://a:9222'],
      ['http://a:9222', 'http://b:9222'],
    ],
    [['ws://a:9222/devtools/browser/1-2'], ['ws://a:9222/devtools/browser/1-2']],
  ])('reads %j', (values, browsers) => expect(parseBrowserOption(values)).toEqual(browsers))

  it.each([
    [['/usr/bin/chromium', '/opt/chromium'], /one Chromium/],
    [['/usr/bin/chromium', 'http://a:9222'], /not both/],
    [['ws://a/devtools/browser/1,ws://b/devtools/browser/2'], /ws:\/\/ URL names one process/],
    [['http://a:9222', 'ws://b/devtools/browser/2'], /ws:\/\/ URL names one process/],
    [['https://a:9222'], /must be http:\/\/HOST:PORT/],
    [['http://a:9222/path'], /must be http:\/\/HOST:PORT/],
    [['http://user:secret@a:9222'], /must be http:\/\/HOST:PORT/],
    [[Array.from({ length: 33 }, (_, n) => `http://a:${n + 1}`).join()], /at most 32/],
  ])('refuses %j', (values, reason) => expect(() => parseBrowserOption(values)).toThrow(reason))
})
