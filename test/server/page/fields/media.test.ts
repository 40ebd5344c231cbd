import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../src/server/page/document/index.js'
import { findCandidates } from '../../../../src/server/page/find-candidates.js'
import type { MetadataField } from '../../../../src/server/page/fields/index.js'
import { og } from '../declarations.js'

const best = (field: MetadataField, html: string) =>
  findCandidates(parseHtml(html, 'https://site.example/news/'))[field][0]
const OWN_VIDEO = '<video src="/own.mp4"></video>'

describe('media that the page plays', () => {
  it.each<[field: MetadataField, what: string, html: string, url: string | undefined]>([
    ['audio', 'a source without a type', '<audio controls><source src="/own.mp3"></audio>', '/own.mp3'],
    ['video', 'a source without a type', '<video controls><source src="/own"></video>', '/own'],
    ['video', 'a playlist', '<video><source src="/own.m3u8" type="application/x-mpegURL"></video>', '/own.m3u8'],
    [
      'audio',
      'a source of its type in a video',
      '<video><source src="/own.mp3" type="audio/mpeg"></video>',
      '/own.mp3',
    ],
    ['video', 'a video of AMP', '<amp-video src="/own.mp4" poster="/own.jpg"></amp-video>', '/own.mp4'],
    ['image', 'a video of AMP', '<amp-video src="/own.mp4" poster="/own.jpg"></amp-video>', '/own.jpg'],
    ['audio', 'a recording of AMP', '<amp-audio><source src="/own.mp3"></amp-audio>', '/own.mp3'],
    ['image', 'an animation of AMP', '<amp-anim src="/own.webp" width="800" height="400"></amp-anim>', '/own.webp'],
    ['video', 'none behind a video', '<video></video><source src="/other.mp4">', undefined],
    ['video', 'none of a picture', '<picture><source src="/other.jpg"><img src="/own.jpg"></picture>', undefined],
    ['video', 'none in the background', '<video autoplay loop muted><source src="/waves.mp4"></video>', undefined],
  ])('%s: %s', (field, _, html, path) => {
    expect(best(field, html)).toBe(path && `https://site.example${path}`)
  })
})

describe('media of others', () => {
  it.each<[field: MetadataField, what: string, html: string, url: string | undefined]>([
    [
      'video',
      'a container of ads',
      `<div class="ad-container"><video src="/ad.mp4"></video></div>${OWN_VIDEO}`,
      'https://site.example/own.mp4',
    ],
    ['video', 'an ad slot', '<div id="div-gpt-ad-1"><video src="/ad.mp4"></video></div>', undefined],
    [
      'video',
      'a widget of a sidebar',
      `<div class="widget widget_media_video"><video src="/new.mp4"></video></div>${OWN_VIDEO}`,
      'https://site.example/own.mp4',
    ],
    [
      'video',
      'a hidden overlay',
      `<div style="display: none"><p>Loading</p><video src="/loading.mp4"></video></div>${OWN_VIDEO}`,
      'https://site.example/own.mp4',
    ],
    [
      'video',
      'a background',
      `<video autoplay loop muted><source type="video/mp4" src="/waves.mp4"></video>${OWN_VIDEO}`,
      'https://site.example/own.mp4',
    ],
    [
      'audio',
      'a player of videos',
      '<meta name="twitter:player:stream" content="/720"><meta name="twitter:player:stream:content_type" content="video/mp4">',
      undefined,
    ],
    ['audio', 'a video file', '<meta name="twitter:player:stream" content="/own.mp4">', undefined],
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
    [
      'video',
      'a video object with the address of the page',
      `<script type="application/ld+json">${JSON.stringify({ '@type': 'VideoObject', contentUrl: 'https://site.example/news/#film' })}</script>`,
      undefined,
    ],
    ['url', 'a template', '<link rel="canonical" href="https://site.example/{{slug}}">', 'https://site.example/news/'],
    [
      'url',
      'an undefined canonical',
      '<link rel="canonical" href="https://site.example/undefined">',
      'https://site.example/news/',
    ],
  ])('%s of %s', (field, _, html, url) => expect(best(field, html)).toBe(url))

  it('do not hide the media of a page that only talks about ads', () => {
    expect(best('video', `<body class="has-ads no-sidebar"><main class="ad-free">${OWN_VIDEO}</main>`)).toBe(
      'https://site.example/own.mp4',
    )
    expect(best('image', '<div class="download"><img src="/uploads/road.jpg"></div>')).toBe(
      'https://site.example/uploads/road.jpg',
    )
  })
})

describe('the image of a page without a declared one', () => {
  it.each<[what: string, html: string, url: string | undefined]>([
    [
      'follows the headline',
      '<img src="/guide.png"><p>Words</p><h1>Story</h1><img src="/own.jpg"><img src="/next.jpg">',
      '/own.jpg',
    ],
    [
      'stands in the article',
      '<img src="/guide.png"><article><img src="/own.jpg"><h1>Story</h1></article><img src="/next.jpg">',
      '/own.jpg',
    ],
    ['is that above a headline when there is no other', `<img src="/own.jpg"><h1>Story</h1>`, '/own.jpg'],
    ['is no button', '<h1>Story</h1><img src="/rss.gif"><img src="/img/home.gif"><img src="/own.jpg">', '/own.jpg'],
    [
      'is no button of a network',
      '<h1>Story</h1><img src="//assets.pinterest.com/images/Ext.png"><img src="/img/tweet-btn.png"><img src="/own.jpg">',
      '/own.jpg',
    ],
    ['is no tile of the site', '<meta name="msapplication-TileImage" content="/tile.png"><h1>Story</h1>', undefined],
    ['is no sign of loading', '<h1>Story</h1><img src="/ajax-loading.png"><img src="/own.jpg">', '/own.jpg'],
    ['is no small animation', '<h1>Story</h1><img src="/a.gif"><img src="/own.jpg">', '/own.jpg'],
    ['may be a large animation', '<h1>Story</h1><img src="/own.gif" width="600">', '/own.gif'],
    ['is loaded later', '<h1>Story</h1><img src="/spacer.gif" data-src="/own.jpg">', '/own.jpg'],
    [
      'is loaded later by another script',
      '<h1>Story</h1><img src="data:image/gif;base64,x" data-original="/own.jpg">',
      '/own.jpg',
    ],
    [
      'is the largest of several',
      '<h1>Story</h1><picture><img srcset="/small.jpg 400w, /own.jpg 800w"></picture>',
      '/own.jpg',
    ],
    [
      'is no portrait that is loaded later',
      '<h1>Story</h1><img src="/spacer.gif" data-src="/staff/portrait.jpg">',
      undefined,
    ],
  ])('%s', (_, html, url) => expect(best('image', html)).toBe(url && `https://site.example${url}`))
})

describe('a declared image', () => {
  const own = '<meta name="twitter:image" content="/own.jpg">'
  it.each([
    '/images/placeholders/story-large.jpg',
    '/img/social_placeholder.png',
    '/tinymce/img/trans.gif',
    '/clear.gif',
    '/1x1.png',
  ])('that stands for a missing one: %s', (url) =>
    expect(best('image', og('image', url) + own)).toBe('https://site.example/own.jpg'),
  )

  it('that is a logo gives way to the image of an entity, and to no other in the page', () => {
    const logo = og('image', '/assets/haven-logo.png')
    const recipe = '<script type="application/ld+json">{"@type":"Recipe","image":"/soup.jpg"}</script>'
    expect(best('image', logo + recipe)).toBe('https://site.example/soup.jpg')
    const page = `${logo}<h1>Story</h1>${'<p>Words of it.</p>'.repeat(200)}<img src="/other.jpg">`
    expect(best('image', page)).toBe('https://site.example/assets/haven-logo.png')
  })

  it('may name a place or a trans-national company', () => {
    expect(best('image', og('image', '/trans-siberian.jpg') + own)).toBe('https://site.example/trans-siberian.jpg')
    expect(best('image', og('image', '/clearwater.jpg') + own)).toBe('https://site.example/clearwater.jpg')
    expect(best('image', og('image', '/map_60_trans.png') + own)).toBe('https://site.example/map_60_trans.png')
  })
})

describe('the video of JSON-LD', () => {
  const video = (data: object) =>
    best('video', `<script type="application/ld+json">${JSON.stringify({ '@type': 'Recipe', video: data })}</script>`)

  it('may be declared as the address of a player, if that is a file', () => {
    const contentUrl = 'https://site.example/news/'
    expect(video({ contentUrl, embedUrl: '/soup.mp4' })).toBe('https://site.example/soup.mp4')
    expect(video({ contentUrl, embedUrl: 'https://player.example/soup' })).toBeUndefined()
  })
})

describe('an address', () => {
  it.each<[what: string, html: string, url: string]>([
    [
      'without a scheme',
      '<link rel="canonical" href="www.site.example/news/story">',
      'https://www.site.example/news/story',
    ],
    [
      'that begins with its host',
      '<link rel="canonical" href="site.example/news/story">',
      'https://site.example/news/story',
    ],
    [
      'with blanks',
      '<link rel="canonical" href="https://site.example/the news/story">',
      'https://site.example/the%20news/story',
    ],
    ['relative with a dot', '<link rel="canonical" href="story.v2.html">', 'https://site.example/news/story.v2.html'],
    ['that is a sentence', '<link rel="canonical" href="See our site.">', 'https://site.example/news/'],
  ])('%s', (_, html, url) => expect(best('url', html)).toBe(url))
})

it('reads several properties in one', () => {
  expect(best('image', '<meta property="og:image twitter:image" content="/own.jpg">')).toBe(
    'https://site.example/own.jpg',
  )
})

describe('the URL of a page', () => {
  const urlOf = (url: string, head = '') => findCandidates(parseHtml(head, url)).url[0]
  const canonical = (href: string) => `<link rel="canonical" href="${href}">`
  const [wiki, mobile] = ['https://wiki.example/wiki/NaN', 'https://m.wiki.example/wiki/NaN']

  it.each<[what: string, url: string, head: string, expected: string]>([
    ['ends with NaN', wiki, '', wiki],
    ['ends with NaN, which is canonical', wiki, canonical(wiki), wiki],
    ['ends with NaN on another host', mobile, canonical(wiki), wiki],
    ['ends with NaN and a query', `${wiki}?x=1`, canonical(wiki), wiki],
    ['ends with NaN in og:url', wiki, og('url', wiki), wiki],
    ['ends with undefined', 'https://docs.example/js/undefined', '', 'https://docs.example/js/undefined'],
    ['ends with null', 'https://docs.example/js/Operators/null', '', 'https://docs.example/js/Operators/null'],
    ['has a template in it', 'https://docs.example/%7B%7Bx%7D%7D', '', 'https://docs.example/%7B%7Bx%7D%7D'],
    [
      'has a canonical URL that was built from a missing value',
      'https://site.example/story',
      canonical('/undefined'),
      'https://site.example/story',
    ],
    [
      'has a canonical URL of null',
      'https://site.example/news/',
      canonical('/news/null'),
      'https://site.example/news/',
    ],
    ['has a canonical template', 'https://site.example/a', canonical('/${slug}'), 'https://site.example/a'],
  ])('%s', (_, url, head, expected) => expect(urlOf(url, head)).toBe(expected))

  it('is not the address of a missing image', () => {
    expect(best('image', og('image', '/images/undefined'))).toBeUndefined()
    expect(best('image', og('image', 'https://site.example/null'))).toBeUndefined()
  })
})
