import { describe, expect, it } from 'vitest'
import { resolveClip } from '../../../src/server/browser/index.js'

const clip = (text: string) => resolveClip({ url: 'https://example.com', screenshot: { clip: text } })

describe('a clip', () => {
  it.each([
    ['0,0,640,400', { x: 0, y: 0, width: 640, height: 400 }],
    ['10.5, 20.25, 0.5, 1', { x: 10.5, y: 20.25, width: 0.5, height: 1 }],
  ])('%s is a rectangle of the page', (text, box) => {
    expect(clip(text)).toEqual(box)
  })

  it.each(['0,0,0,400', '0,0,640,0', '10,10,0.0,0'])('%s has no area and is rejected', (text) => {
    expect(() => clip(text)).toThrow(
      expect.objectContaining({
        code: 'EINVALQUERY',
        message: 'screenshot.clip must have a width and a height above 0.',
        data: { 'screenshot.clip': 'must have a width and a height above 0' },
      }),
    )
  })

  it('that a query does not have is none', () => {
    expect(resolveClip({ url: 'https://example.com' })).toBeUndefined()
    expect(resolveClip({ url: 'https://example.com', screenshot: true })).toBeUndefined()
  })
})
