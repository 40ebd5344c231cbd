import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../src/server/page/document/index.js'
import { findCandidates } from '../../../../src/server/page/find-candidates.js'
import type { MetadataField } from '../../../../src/server/page/values/index.js'

const best = (field: MetadataField, html: string) =>
  findCandidates(parseHtml(html, 'https://site.example/news/'))[field][0]
const og = (name: string, content: string) => `<meta property="og:${name}" content="${content}">`
const OWN_VIDEO = '<video src="/own.mp4"></video>'

describe('media of others', () => {
  it.each<[field: MetadataField, what: string, html: string, url: string | undefined]>([
    [
      'video',
      'a container of ads',
      `<div class="ad-container"><video src="/ad.mp4"></video></div>${OWN_VIDEO}`,
      'https://site.example/own.mp4',
    ],
    ['video', 'an ad slot', '<div id="div-gpt-ad-1"><video src="/ad.mp4"></video></div>', undefined],
    ['video', 'an aside', `<aside><video src="/ad.mp4"></video></aside>${OWN_VIDEO}`, 'https://site.example/own.mp4'],
    [
      'video',
      'an ad server',
      `<video src="https://cdn.doubleclick.net/ad.mp4"></video>${OWN_VIDEO}`,
      'https://site.example/own.mp4',
    ],
    [
      'video',
      'a sponsor',
      `<section class="sponsored"><video><source type="video/mp4" src="/ad.mp4"></video></section>${OWN_VIDEO}`,
      'https://site.example/own.mp4',
    ],
    ['video', 'related pages', `<div class="related-articles"><video src="/ad.mp4"></video></div>`, undefined],
    [
      'audio',
      'an ad',
      '<div class="advertisement"><audio src="/ad.mp3"></audio></div><audio src="/own.mp3"></audio>',
      'https://site.example/own.mp3',
    ],
    [
      'image',
      'a tracker',
      '<img src="https://www.facebook.com/tr?id=1&amp;ev=PageView"><img src="/own.jpg">',
      'https://site.example/own.jpg',
    ],
    [
      'image',
      'a statistics service',
      '<img src="https://sb.scorecardresearch.com/p?c1=2"><img src="/own.jpg">',
      'https://site.example/own.jpg',
    ],
    [
      'image',
      'a tracking pixel without a size',
      '<img src="/t.gif" width="1" height="1"><img src="/own.jpg">',
      'https://site.example/own.jpg',
    ],
    [
      'image',
      'a hidden image',
      '<img src="/h.gif" style="display:none"><img src="/own.jpg">',
      'https://site.example/own.jpg',
    ],
    [
      'image',
      'a container of ads',
      '<div class="ads"><img src="/ad.jpg"></div><img src="/own.jpg">',
      'https://site.example/own.jpg',
    ],
    [
      'image',
      'a blank default',
      `${og('image', 'https://s0.wp.com/i/blank.jpg')}<meta name="twitter:image" content="/own.jpg">`,
      'https://site.example/own.jpg',
    ],
    [
      'image',
      'a placeholder',
      `${og('image', '/undefined')}<meta name="twitter:image" content="/own.jpg">`,
      'https://site.example/own.jpg',
    ],
    [
      'image',
      'a template',
      `${og('image', 'https://site.example/{{image}}')}<meta name="twitter:image" content="/own.jpg">`,
      'https://site.example/own.jpg',
    ],
    [
      'image',
      'an address without a path',
      `${og('image', 'https://site.example/')}<meta name="twitter:image" content="/own.jpg">`,
      'https://site.example/own.jpg',
    ],
    ['url', 'a template', '<link rel="canonical" href="https://site.example/{{slug}}">', 'https://site.example/news/'],
    [
      'url',
      'an undefined canonical',
      '<link rel="canonical" href="https://site.example/undefined">',
      'https://site.example/news/',
    ],
  ])('%s of %s', (field, _, html, url) => expect(best(field, html)).toBe(url))

  it('do not hide those of a page that only talks of ads', () => {
    expect(best('video', `<body class="has-ads no-sidebar"><main class="ad-free">${OWN_VIDEO}</main>`)).toBe(
      'https://site.example/own.mp4',
    )
    expect(best('image', '<div class="download"><img src="/uploads/road.jpg"></div>')).toBe(
      'https://site.example/uploads/road.jpg',
    )
  })
})

it('reads several properties in one', () => {
  expect(best('image', '<meta property="og:image twitter:image" content="/own.jpg">')).toBe(
    'https://site.example/own.jpg',
  )
})
