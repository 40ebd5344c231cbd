import { describe, expect, it } from 'vitest'
import { decodeImageUrl } from '../../../src/server/page/data-url.js'

describe('an image in a URL', () => {
  it.each<[url: string, fileType: string, text: string]>([
    ['data:image/png;base64,aGk=', 'png', 'hi'],
    ['data:image/png;base64,aGk', 'png', 'hi'],
    ['data:image/png;base64,aGk%3D', 'png', 'hi'],
    ['data:image/png;base64,a\n Gk=', 'png', 'hi'],
    ['DATA:Image/PNG;Base64,aGk=', 'png', 'hi'],
    ['data:image/x-icon;base64,aGk=', 'ico', 'hi'],
    ['data:image/svg+xml,<svg>🗼</svg>', 'svg', '<svg>🗼</svg>'],
    ['data:image/svg+xml;utf8,<svg/>', 'svg', '<svg/>'],
    ['data:image/svg+xml;charset=utf-8,%3Csvg%2F%3E', 'svg', '<svg/>'],
    ['data:image/svg+xml,100%', 'svg', '100%'],
    ['data:image/svg+xml,<svg fill="%23fff"/>', 'svg', '<svg fill="#fff"/>'],
    // Browsers read it as a fragment.
    ['data:image/svg+xml,<svg fill="#fff"/>', 'svg', '<svg fill="'],
  ])('is decoded: %s', (url, fileType, text) => {
    expect(decodeImageUrl(url)).toEqual({ fileType, bytes: Buffer.from(text) })
  })

  it.each([
    'data:,',
    'data:;base64,aGk=',
    'data:image/png;base64,',
    'data:image/png;base64',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml',
    'data:application/octet-stream;base64,aGk=',
    'https://site.example/data:image/png;base64,aGk=',
    `data:image/png;base64,${'A'.repeat(32_000)}`,
  ])('is none: %.60s', (url) => {
    expect(decodeImageUrl(url)).toBeUndefined()
  })
})
