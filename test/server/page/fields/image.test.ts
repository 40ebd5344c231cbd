import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../src/server/page/document/index.js'
import { imageAlts } from '../../../../src/server/page/fields/image.js'
import { findCandidates } from '../../../../src/server/page/find-candidates.js'
import { jsonLd, og } from '../declarations.js'

const SITE = 'https://site.example'
const read = (html: string) => parseHtml(html, `${SITE}/news/`)
const images = (html: string) => findCandidates(read(html)).image.map((url) => url.replace(SITE, ''))
const best = (html: string): string | undefined => images(html)[0]
const twitter = (name: string, content: string) => `<meta name="twitter:${name}" content="${content}">`
const article = (content: string) => `<article><h1>The quay at dawn</h1>${content}<p>Text</p></article>`

describe('an image of several sizes', () => {
  it.each<[what: string, html: string, path: string]>([
    ['by width', '<img srcset="/150.png 150w, /900.png 900w, /45.png 45w">', '/900.png'],
    ['by density', '<img srcset="/a.png 1x, /b.png 2x, /c.png 1.5x">', '/b.png'],
    ['the larger one beside a small src', '<img src="/s.png" srcset="/s.png 300w, /l.png 1200w">', '/l.png'],
    ['without spaces after commas', '<img srcset="/a.png 300w,/b.png 900w,/c.png 600w">', '/b.png'],
    ['with commas in URLs', '<img srcset="/w_300,h_200/a.png 300w, /w_900,h_600/a.png 900w">', '/w_900,h_600/a.png'],
    ['without descriptors', '<img srcset="/a.png, /b.png 2x">', '/b.png'],
    ['with line breaks', '<img srcset="\n /a.png 400w,\n /b.png 800w\n">', '/b.png'],
    ['with a placeholder among them', '<img srcset="data:image/gif;base64,R0lG 9000w, /a.png 400w">', '/a.png'],
    ['of a script', '<img src="/blank.gif" data-srcset="/a.png 400w, /b.png 800w">', '/b.png'],
    [
      'before the format of a picture that not everything draws',
      '<picture><source type="image/webp" srcset="/900.webp 900w"><img data-srcset="/900.png 2x, /45.png 1x"></picture>',
      '/900.png',
    ],
    [
      'of a picture whose image is a placeholder',
      '<picture><source srcset="/400.webp 400w, /800.webp 800w"><img src="data:image/gif;base64,R0lG"></picture>',
      '/800.webp',
    ],
    [
      'of a picture whose image is the one of small screens',
      '<picture><source media="(min-width: 900px)" srcset="/l.jpg 1600w"><img src="/s.jpg"></picture>',
      '/l.jpg',
    ],
    [
      'rather the image of a picture than the same in another format',
      '<picture><source type="image/avif" srcset="/a.avif"><source type="image/webp" srcset="/a.webp 2x"><img src="/a.jpg"></picture>',
      '/a.jpg',
    ],
    ['of another picture', '<picture><source srcset="/a.webp"></picture><img src="/b.png">', '/b.png'],
    [
      'of Next.js',
      '<img src="/_next/image?url=%2Fa.jpg&amp;w=3840&amp;q=75" srcset="/_next/image?url=%2Fa.jpg&amp;w=640&amp;q=75 1x, /_next/image?url=%2Fa.jpg&amp;w=1920&amp;q=75 2x">',
      '/_next/image?url=%2Fa.jpg&w=1920&q=75',
    ],
  ])('is the largest: %s', (_, html, path) => expect(best(article(html))).toBe(path))
})

describe('a picture whose image is a blurred copy has the other image behind it', () => {
  it.each([
    ['of several densities', '<source srcset="/a.avif 1x, /b.avif 2x">', '/b.avif'],
    ['without a descriptor', '<source srcset="/a.jpg">', '/a.jpg'],
    ['that is small', '<source srcset="/a.webp 400w">', '/a.webp'],
    ['that a script loads later', '<source data-srcset="/a.webp 400w">', '/a.webp'],
  ])('%s', (_, source, path) => {
    const picture = `<picture>${source}<img src="/tiny.jpg" width="800" height="400"></picture>`
    expect(images(article(`${picture}<img src="/c.jpg">`))).toEqual(['/tiny.jpg', path, '/c.jpg'])
  })

  it('unless it is decorative, or the same', () => {
    const html =
      '<picture><source srcset="/logo.png"><img src="/a.jpg"></picture><picture><source srcset="/b.jpg"><img src="/b.jpg"></picture>'
    expect(images(article(html))).toEqual(['/a.jpg', '/b.jpg'])
  })
})

describe('an image that a script loads later', () => {
  it.each<[what: string, html: string, path: string | undefined]>([
    ['lazysizes', '<img class="lazyload" src="data:image/gif;base64,R0lG" data-src="/a.jpg">', '/a.jpg'],
    ['a small copy first', '<img src="/a-20x13.jpg" data-src="/a.jpg">', '/a.jpg'],
    ['WordPress', '<img src="/wp-content/lazy.svg" data-lazy-src="/a.jpg" data-lazy-srcset="/b.jpg 2x">', '/b.jpg'],
    ['Jetpack', '<img src="/a-300x200.jpg" data-large-file="/a-1024x683.jpg">', '/a-1024x683.jpg'],
    ['jQuery', '<img src="/img/grey.gif" data-original="/a.jpg">', '/a.jpg'],
    ['mod_pagespeed', '<img src="/pagespeed_static/1.gif" data-pagespeed-lazy-src="/a.jpg">', '/a.jpg'],
    ['Cloudflare', '<img data-cfsrc="/a.jpg" style="opacity:0">', '/a.jpg'],
    ['NitroPack', '<img src="data:image/svg+xml;nitro-empty-id=1" nitro-lazy-src="/a.jpg">', '/a.jpg'],
    ['Avada', '<img src="/a-66x44.jpg" data-orig-src="/a.jpg">', '/a.jpg'],
    ['WooCommerce', '<img src="/a-600x600.jpg" data-large_image="/a.jpg">', '/a.jpg'],
    ['a shop that enlarges', '<img src="/a._AC_SX300_.jpg" data-old-hires="/a._AC_SL1500_.jpg">', '/a._AC_SL1500_.jpg'],
    ['a template of Shopify', '<img data-src="//cdn.example/a_{width}x.jpg">', 'https://cdn.example/a_1080x.jpg'],
    ['AMP', '<amp-img src="/a.jpg" width="900" height="600" layout="responsive"></amp-img>', '/a.jpg'],
    ['a flag in place of a URL', '<img src="/a.jpg" data-lazy="true">', '/a.jpg'],
    ['nothing but a placeholder', '<img src="/spacer.gif">', undefined],
    ['loaded at once, with loading=lazy', '<img src="/a.jpg" loading="lazy">', '/a.jpg'],
  ])('is the real one: %s', (_, html, path) => expect(best(article(html))).toBe(path))
})

describe('an image of a page without scripts', () => {
  const placeholder = '<img src="data:image/gif;base64,R0lG" alt="">'
  const noscript = (content: string) => `<noscript>${content}</noscript>`
  it.each<[what: string, html: string, path: string | undefined]>([
    ['Next.js', placeholder + noscript('<img alt="" srcSet="/a.jpg 1x, /b.jpg 2x" src="/b.jpg">'), '/b.jpg'],
    [
      'Medium',
      '<div><img src="/s.jpg" width="40" height="21"><canvas></canvas>' + noscript('<img src="/a.jpg">') + '</div>',
      '/a.jpg',
    ],
    [
      'Gatsby',
      '<img src="/blank.gif" aria-hidden="true">' +
        noscript('<picture><source srcset="/a.webp 900w"><img src="/a.jpg"></picture>'),
      '/a.webp',
    ],
    ['WordPress', `<figure>${placeholder}${noscript('<img class="wp-image-3" src="/a.jpg">')}</figure>`, '/a.jpg'],
    ['on another line', `${placeholder}\n  ${noscript('\n<img src="/a.jpg">')}`, '/a.jpg'],
    ['alone', noscript('<img src="https://count.example/p?id=1">'), undefined],
    ['after a text', placeholder + '<p>Text</p>' + noscript('<img src="https://count.example/p?id=1">'), undefined],
    ['after an image', '<img src="/a.jpg">' + noscript('<img src="https://count.example/p?id=1">'), '/a.jpg'],
    ['that counts', placeholder + noscript('<img height="1" width="1" src="https://count.example/p">'), undefined],
    ['that is hidden', placeholder + noscript('<img style="display:none" src="https://count.example/p">'), undefined],
    ['of Facebook', placeholder + noscript('<img src="https://www.facebook.com/tr?id=1&noscript=1">'), undefined],
    ['that is a portrait', placeholder + noscript('<img class="avatar" src="/ann.jpg">'), undefined],
  ])('is the one behind the placeholder: %s', (_, html, path) => expect(best(article(html))).toBe(path))
})

describe('a background', () => {
  const hero = (attributes: string) => `<section class="hero" ${attributes}><h1>Stay by the quay</h1></section>`
  it.each<[what: string, html: string, path: string]>([
    ['of a style', hero('style="background-image: url(/a.jpg)"'), '/a.jpg'],
    ['in quotes', hero(`style="background-image:url('/a.jpg')"`), '/a.jpg'],
    ['in escaped quotes', hero('style="background-image: url(&quot;/a.jpg&quot;);"'), '/a.jpg'],
    ['with its position', hero('style="background: #000 url(/a.jpg) no-repeat center / cover"'), '/a.jpg'],
    [
      'behind a gradient',
      hero('style="min-height:60vh;background-image:linear-gradient(rgba(0,0,0,.3), #0003), url(/a.jpg)"'),
      '/a.jpg',
    ],
    ['that is not repeated', hero('style="background-image:url(/a.jpg);background-repeat:no-repeat"'), '/a.jpg'],
    ['that a script sets', hero('data-bg="/a.jpg"'), '/a.jpg'],
    ['that a template sets', hero('data-setbg="img/hero/a.jpg"'), '/news/img/hero/a.jpg'],
    ['that a script sets, as CSS', hero('data-bg="url(/a.jpg)"'), '/a.jpg'],
    ['of several widths', hero('data-bgset="/s.jpg 400w, /l.jpg 1600w"'), '/l.jpg'],
    ['of a parallax', hero('data-parallax="scroll" data-image-src="/a.jpg"'), '/a.jpg'],
    ['with a query', hero('style="background-image:url(/media/hero?w=1600&amp;q=80)"'), '/media/hero?w=1600&q=80'],
    [
      'before images further down',
      hero('style="background-image:url(/a.jpg)"') + '<p>Text</p>'.repeat(400) + '<img src="/b.jpg">',
      '/a.jpg',
    ],
  ])('is the image: %s', (_, html, path) => expect(best(html)).toBe(path))

  it.each<[what: string, html: string]>([
    ['a pattern', hero('style="background-image:url(/img/pattern.png)"')],
    ['a tile', hero('style="background: url(/img/wood.jpg) repeat-x"')],
    ['a repeated one', hero('style="background-image:url(/wood.jpg);background-repeat: repeat"')],
    ['a shape', hero('style="background-image:url(/wave.svg)"')],
    ['a logo', '<a style="background-image:url(/img/logo.png)" href="/">Quay</a>'],
    ['a portrait', '<span style="background-image:url(/avatar/7.jpg)"></span>'],
    ['a colour', hero('data-background="rgba(0,0,0,.5)"')],
    ['the name of a style', hero('data-background="dark.blue"')],
    ['a gradient', hero('style="background-image:linear-gradient(red, blue)"')],
    ['data', hero('style="background-image:url(data:image/png;base64,iVBO)"')],
    ['a script', '<script data-bg="/a.js"></script><h1>Stay</h1>'],
    ['in a sidebar', '<h1>Stay</h1><aside><div style="background-image:url(/a.jpg)"></div></aside>'],
  ])('is no image: %s', (_, html) => expect(images(html)).toEqual([]))

  it('comes after an image near the headline, and after a declared one', () => {
    const html = hero('style="background-image:url(/a.jpg)"') + '<img src="/b.jpg">'
    expect(images(html)).toEqual(['/b.jpg', '/a.jpg'])
    expect(best(og('image', '/c.jpg') + html)).toBe('/c.jpg')
  })
})

describe('the URL of an image', () => {
  it.each<[what: string, html: string, url: string | undefined]>([
    ['&amp; in JSON-LD', jsonLd({ '@type': 'Article', headline: 'A', image: '/i?a=1&amp;b=2' }), '/i?a=1&b=2'],
    [
      '&amp; in an object of JSON-LD',
      jsonLd({ '@type': 'Article', headline: 'A', image: [{ '@type': 'ImageObject', url: '/i?w=1&amp;s=2' }] }),
      '/i?w=1&s=2',
    ],
    ['&amp; escaped twice', og('image', '/i?a=1&amp;amp;b=2'), '/i?a=1&b=2'],
    ['&amp; escaped three times', og('image', '/i?a=1&amp;amp;amp;b=2'), '/i?a=1&b=2'],
    ['&#038; of WordPress', og('image', '/i.jpg?a=1&amp;#038;b=2'), '/i.jpg?a=1&b=2'],
    ['an ampersand of its own', og('image', '/i.jpg?a=1&amp;amplitude=2'), '/i.jpg?a=1&amplitude=2'],
    ['an escaped ampersand', og('image', '/i.jpg?u=a%26amp%3Bb'), '/i.jpg?u=a%26amp%3Bb'],
    ['spaces', og('image', '/pictures/the old quay.jpg'), '/pictures/the%20old%20quay.jpg'],
    ['spaces, relative', og('image', 'pictures/the old quay.jpg'), '/news/pictures/the%20old%20quay.jpg'],
    ['spaces around it', og('image', '  /a.jpg \n'), '/a.jpg'],
    ['a line break within it', og('image', '/pictures/\n  a.jpg'), '/pictures/%20%20a.jpg'],
    ['no scheme', og('image', '//cdn.example/a.jpg'), 'https://cdn.example/a.jpg'],
    ['no scheme and no slashes', og('image', 'www.site.example/a.jpg'), 'https://www.site.example/a.jpg'],
    ['other alphabets', og('image', '/bilder/brücke.jpg'), '/bilder/br%C3%BCcke.jpg'],
    ['backslashes', og('image', '\\pictures\\a.jpg'), '/pictures/a.jpg'],
    ['a sentence', og('image', 'No image. Please add one'), undefined],
    ['data', og('image', 'data:image/png;base64,iVBORw0KGgo='), undefined],
    ['a blob', og('image', 'blob:https://site.example/1'), undefined],
    ['a missing value', og('image', '/undefined'), undefined],
    [
      'escaped slashes',
      og('image', 'https:&amp;#x2F;&amp;#x2F;cdn.example&amp;#x2F;a.jpg'),
      'https://cdn.example/a.jpg',
    ],
    [
      'escaped slashes in JSON-LD',
      jsonLd({ '@type': 'Article', headline: 'A', image: 'https:&#x2F;&#x2f;cdn.example&#47;a.jpg' }),
      'https://cdn.example/a.jpg',
    ],
    ['escaped equals signs', og('image', '/a.jpg?w&amp;#x3D;1&amp;amp;h&amp;#061;2'), '/a.jpg?w=1&h=2'],
    ['a fragment behind an ampersand', og('image', '/a.jpg?w=1&amp;#top'), '/a.jpg?w=1&#top'],
    ['quotes', og('image', '&quot;/a.jpg&quot;'), '/a.jpg'],
    ['single quotes', og('image', "'https://cdn.example/a.jpg'"), 'https://cdn.example/a.jpg'],
    ['an array', og('image', '[&quot;/a.jpg&quot;, &quot;/b.jpg&quot;]'), '/a.jpg'],
    ['an apostrophe at its end', og('image', "/sailors'"), "/sailors'"],
    ['a scheme twice', og('image', 'https:https://cdn.example/a.jpg'), 'https://cdn.example/a.jpg'],
    ['a scheme twice, with slashes', og('image', 'http://https://cdn.example/a.jpg'), 'https://cdn.example/a.jpg'],
    ['the origin in front of it', og('image', `${SITE}https://cdn.example/a.jpg`), 'https://cdn.example/a.jpg'],
    [
      'another URL in its path',
      og('image', 'https://cdn.example/w_300,c_fill/https://other.example/a.jpg'),
      'https://cdn.example/w_300,c_fill/https://other.example/a.jpg',
    ],
    [
      'another URL behind a parameter',
      og('image', 'https://cdn.example/fit:300,https://other.example/a.jpg'),
      'https://cdn.example/fit:300,https://other.example/a.jpg',
    ],
    [
      'another URL in its query',
      og('image', 'https://cdn.example/?url=https://other.example/a.jpg'),
      'https://cdn.example/?url=https://other.example/a.jpg',
    ],
  ])('with %s', (_, html, url) => expect(best(html)).toBe(url))
})

it.each([', ', ',', ' ', ';', '; ', '|', ' | ', ' , '])(
  'the first URL of a list with %j between counts',
  (separator) => {
    const list = ['a.jpg', 'b.jpg', 'c.jpg?d=1'].map((name) => `https://cdn.example/${name}`)
    expect(best(og('image', list.join(separator)))).toBe('https://cdn.example/a.jpg')
  },
)

describe('an image that JSON-LD refers to', () => {
  it.each<[what: string, image: unknown, url: string | undefined]>([
    ['by its IRI', { '@id': '/a.jpg' }, '/a.jpg'],
    ['by its IRI and type', { '@type': 'ImageObject', '@id': '/a.jpg' }, '/a.jpg'],
    ['by the IRI of its file', { '@type': 'ImageObject', url: { '@id': '/a.jpg' } }, '/a.jpg'],
    ['first in a list', [{ '@id': '/a.jpg' }, { '@id': '/b.jpg' }], '/a.jpg'],
    ['by the name of an object that is missing', { '@id': 'https://site.example/one/#primaryimage' }, undefined],
    ['by the name of an object that has a URL', { '@id': '#primary' }, '/p.jpg'],
    ['by the URL of an object that has another', { '@id': 'https://site.example/images/1' }, '/q.jpg'],
  ])('%s', (_, image, url) => {
    const graph = [
      { '@type': 'Article', headline: 'A', image },
      { '@type': 'ImageObject', '@id': '#primary', url: '/p.jpg' },
      { '@type': 'ImageObject', '@id': 'https://site.example/images/1', url: '/q.jpg' },
    ]
    expect(best(jsonLd({ '@graph': graph }))).toBe(url)
  })
})

describe('an image of a card', () => {
  it.each<[what: string, html: string]>([
    ['a favicon', og('image', '/favicon-196x196.png')],
    ['an icon file', og('image', '/icon.ico')],
    ['a touch icon', og('image', '/apple-touch-icon.png')],
    ['a tile', og('image', '/mstile-144x144.png')],
    ['a home-screen icon', og('image', '/android-chrome-512x512.png')],
    ['a badge', article('<img src="https://img.shields.io/npm/v/name.svg">')],
    ['a badge of a workflow', article('<img src="https://github.com/a/b/actions/workflows/test.yml/badge.svg">')],
    ['a badge of coverage', article('<img src="https://codecov.io/gh/a/b/graph/x.svg?token=1">')],
    ['a badge that is declared', og('image', 'https://badge.fury.io/js/name.svg')],
    ['contributors', article('<img src="https://opencollective.com/name/contributors.svg?width=890">')],
    ['the button of a licence', article('<img src="https://licensebuttons.net/l/by/4.0/88x31.png">')],
    ['the button of a licence on its site', article('<img src="http://i.creativecommons.org/l/by-sa/3.0/us/b.png">')],
    ['a button by its size', article('<img src="/img/hosted-by-88x31.png">')],
    ['a button by its sizes', article('<img src="/b/88x31/1.png">')],
    ['a chart of stars', article('<img src="https://api.star-history.com/svg?repos=a/b">')],
    ['a button to buy a coffee', article('<img src="https://cdn.buymeacoffee.com/default-orange.png">')],
    ['a portrait in the text', article('<img src="/avatars/ann.jpg">')],
    ['a portrait by its class', article('<img class="avatar" src="/ann.jpg">')],
    ['a portrait of Gravatar', article('<img src="https://secure.gravatar.com/avatar/0f?s=200">')],
    ['a pixel of Facebook', article('<img src="https://www.facebook.com/tr?id=1&ev=PageView&noscript=1">')],
    ['a pixel by its size', article('<img width="1" height="1" src="https://stats.example/p?id=1">')],
    ['a pixel by its name', og('image', 'https://stats.example/pixel.gif?id=1')],
    ['a counter', article('<img src="https://sb.scorecardresearch.com/p?c1=2">')],
    ['something hidden', article('<img style="display:none" src="/a.jpg">')],
    ['a thumbnail', article('<img width="80" height="80" src="/a.jpg">')],
  ])('is never %s', (_, html) => expect(images(html)).toEqual([]))

  it.each<[what: string, html: string, path: string]>([
    ['as wide as its place', article('<img width="100%" height="auto" src="/a.jpg">'), '/a.jpg'],
    ['with lengths in em', article('<img width="40em" src="/a.jpg">'), '/a.jpg'],
    ['a photograph of an icon', og('image', '/paintings/icon-of-christ.jpg'), '/paintings/icon-of-christ.jpg'],
    ['about favicons', og('image', '/blog/how-favicons-work.png'), '/blog/how-favicons-work.png'],
    ['of a portrait, which the page declares', og('image', 'https://site.example/avatars/7.png'), '/avatars/7.png'],
    ['of badges', og('image', '/img/scout-badges-1930.jpg'), '/img/scout-badges-1930.jpg'],
    ['of the catalogue', article('<img src="/catalogo/chair.jpg">'), '/catalogo/chair.jpg'],
    ['about a phone named Pixel', og('image', '/pixel-8-review.jpg'), '/pixel-8-review.jpg'],
    ['the only logo of a page', og('image', '/logo.png'), '/logo.png'],
  ])('may be one %s', (_, html, path) => expect(best(html)).toBe(path))

  it.each<[what: string, html: string, path: string]>([
    ['a portrait', og('image', '/avatar/7.png') + twitter('image', '/a.jpg'), '/a.jpg'],
    ['the icon', '<link rel="icon" href="/i.png">' + og('image', '/i.png') + twitter('image', '/a.jpg'), '/a.jpg'],
    ['a placeholder', og('image', '/img/no-image.png') + article('<img src="/a.jpg">'), '/a.jpg'],
    ['the default image', og('image', '/default-og-image.png?v=2') + article('<img src="/a.jpg">'), '/a.jpg'],
    ['the logo', og('image', '/logo.png') + article('<img src="/a.jpg">'), '/a.jpg'],
    [
      'one that is declared as small',
      og('image', '/s.jpg') + og('image:width', '150') + og('image', '/a.jpg') + og('image:width', '1200'),
      '/a.jpg',
    ],
  ])('is rather another than %s', (_, html, path) => expect(best(html)).toBe(path))

  const sized = (path: string, width: number) => og('image', path) + og('image:width', `${width}`)
  it.each<[what: string, html: string]>([
    ['the only one', sized('/a.jpg', 150) + article('<img src="/b.jpg">')],
    ['no smaller than others', sized('/a.jpg', 150) + sized('/b.jpg', 160)],
    ['without its width', og('image', '/a.jpg') + sized('/b.jpg', 1_200)],
    ['the first of two large ones', sized('/a.jpg', 600) + sized('/b.jpg', 1_200)],
  ])('stays the first if it is %s', (_, html) => expect(best(html)).toBe('/a.jpg'))

  it.each<[size: string, path: string | undefined]>([
    ['width="220" height="147"', '/a.jpg'],
    ['width="300" height="100"', '/a.jpg'],
    ['width="468" height="60"', undefined],
    ['width="160" height="120"', undefined],
    ['width="100" height="100"', undefined],
  ])('in the text may be wide: %s', (size, path) => expect(best(article(`<img src="/a.jpg" ${size}>`))).toBe(path))
})

describe('an image that belongs to the site', () => {
  const teaser = '<a href="/b"><img src="/b.jpg" width="800" height="400">Another day</a>'
  const lead = '<h1>Rain is coming</h1><p>The harbour is closed.</p>'

  it.each<[what: string, html: string]>([
    ['is in its menu', `<nav>${teaser}</nav>${lead}`],
    ['is in a menu by its role', `<div role="navigation">${teaser}</div>${lead}`],
    ['is its banner', `<header><a href="/"><img src="/b.jpg" width="900" height="200"></a></header>${lead}`],
    ['is its banner with a whole address', `<a href="https://site.example/?r=1"><img src="/b.jpg"></a>${lead}`],
    ['is behind its banner', `<a href="/" style="background-image: url(/b.jpg)">The Site</a>${lead}`],
    ['is in its footer', `${lead}<footer><img src="/b.jpg"></footer>`],
    ['is in its footer by its class', `${lead}<div class="site-footer"><div><img src="/b.jpg"></div></div>`],
    ['stands for a related page', `${lead}<h3>You may also like</h3><ul><li>${teaser}</li></ul>`],
    ['stands for a related page, German', `${lead}<h2>Ähnliche Beiträge</h2>${teaser}`],
    ['stands for a related page, Japanese', `${lead}<h2>関連記事</h2>${teaser}`],
    ['leads to the next page', `${lead}<nav class="pages">${teaser}</nav>`],
  ])('is none of the page if it %s', (_, html) => {
    expect(images(html)).toEqual([])
    expect(images(`${html}<main><img src="/a.jpg"></main>`)).toEqual(['/a.jpg'])
  })

  it('is none of the page if it is in a comment', () => {
    const comment = '<h2>4 comments</h2><div><p>See this</p><img src="/b.jpg"></div>'
    expect(images(`${lead}<img src="/a.jpg">${comment}`)).toEqual(['/a.jpg'])
  })

  it.each<[what: string, html: string]>([
    ['in the footer of an article', `<article>${lead}<footer><img src="/a.jpg"></footer></article>`],
    ['in the header of an article', `<article><header>${lead}<img src="/a.jpg"></header></article>`],
    ['in a link to the home page of its subject', `${lead}<a href="https://boats.example/"><img src="/a.jpg"></a>`],
    ['in a link to its file', `${lead}<a href="/a.jpg"><img src="/a.jpg"></a>`],
    ['behind links to related pages', `${lead}<h3>Read also</h3><a href="/b">B</a><p>It rains.</p><img src="/a.jpg">`],
    ['in a list of pages', `<h1>News</h1><h2>Latest news</h2>${teaser.replaceAll('/b.jpg', '/a.jpg')}`],
    ['that the page declares', `${og('image', '/a.jpg')}<nav><img src="/a.jpg"></nav>`],
  ])('may be one of the page: %s', (_, html) => expect(best(html)).toBe('/a.jpg'))
})

describe('the alternative text of an image', () => {
  const altOf = (html: string): string | undefined => {
    const sources = read(html)
    const [url] = findCandidates(sources).image
    return url === undefined ? undefined : imageAlts(sources, [url])[url]
  }

  it.each<[what: string, html: string, alt: string | undefined]>([
    ['of Open Graph', og('image', '/i.png') + og('image:alt', 'A lighthouse'), 'A lighthouse'],
    ['before its image', og('image:alt', 'A lighthouse') + og('image', '/i.png'), 'A lighthouse'],
    [
      'after its other properties',
      og('image', '/i.png') + og('image:width', '9') + og('image:type', 'image/png') + og('image:alt', 'A mole'),
      'A mole',
    ],
    [
      'of a secure URL',
      og('image', 'http://a.example/i') + og('image:secure_url', '/i.png') + og('image:alt', 'A mole'),
      'A mole',
    ],
    [
      'of the first of two',
      og('image', '/i.png') + og('image:alt', 'One') + og('image', '/j.png') + og('image:alt', 'Two'),
      'One',
    ],
    ['that belongs to the second', og('image', '/i.png') + og('image', '/j.png') + og('image:alt', 'Two'), undefined],
    ['of Twitter', twitter('image', '/i.png') + twitter('image:alt', 'A buoy'), 'A buoy'],
    ['of Twitter for the image of Open Graph', og('image', '/i.png') + twitter('image:alt', 'A buoy'), 'A buoy'],
    [
      'of Open Graph before the one of Twitter',
      og('image', '/i.png') + og('image:alt', 'A mole') + twitter('image:alt', 'A buoy'),
      'A mole',
    ],
    [
      'of JSON-LD',
      jsonLd({
        '@type': 'Article',
        headline: 'A',
        image: { '@type': 'ImageObject', url: '/i.png', caption: 'A pier' },
      }),
      'A pier',
    ],
    ['in the page', article('<img src="/i.png" alt="The old quay">'), 'The old quay'],
    [
      'in the page, for a declared image',
      og('image', '/i.png') + article('<img src="/i.png" alt="The old quay">'),
      'The old quay',
    ],
    ['with entities', og('image', '/i.png') + og('image:alt', 'Tea &amp;amp; milk &lt;3'), 'Tea & milk <3'],
    ['over several lines', og('image', '/i.png') + og('image:alt', ' A mole\n  at dusk '), 'A mole at dusk'],
    ['that is empty', og('image', '/i.png') + og('image:alt', ' '), undefined],
    ['that says nothing', og('image', '/i.png') + og('image:alt', 'Featured image'), undefined],
    ['that is the name of a file', og('image', '/i.png') + og('image:alt', 'IMG_2041.jpg'), undefined],
    ['that is a number of a camera', og('image', '/i.png') + og('image:alt', 'DSC_0042'), undefined],
    ['that is a template', og('image', '/i.png') + og('image:alt', '{{ alt }}'), undefined],
    ['that names an image', og('image', '/i.png') + og('image:alt', 'Image of the moon'), 'Image of the moon'],
    ['of another image', og('image', '/i.png') + article('<img src="/j.png" alt="The old quay">'), undefined],
  ])('%s', (_, html, alt) => expect(altOf(html)).toBe(alt))

  it('is cut off at 420 characters', () => {
    expect(altOf(og('image', '/i.png') + og('image:alt', 'long '.repeat(200)))).toHaveLength(420)
  })
})
