import { describe, expect, it } from 'vitest'
import { readImage } from '../../../../src/server/page/document/tag-image.js'

const kindOf = (url: string) => readImage({ src: url })?.kind

describe('an image by the words in its URL', () => {
  it.each([
    'logo.png',
    'site-logo.png',
    'sitelogo.png',
    'bbclogo.png',
    'siteLogo.svg',
    'LOGO.png',
    'logotype.svg',
    'logo_2024.png',
    'images/logos/courier.png',
  ])('is the logo: %s', (path) => expect(kindOf(`https://site.example/${path}`)).toBe('logo'))

  it.each([
    'catalogo/chair.jpg',
    'catálogo/chair.jpg',
    'catalogos/2024/chair.jpg',
    'es/dialogo/talk.jpg',
    'prologo.jpg',
    'psicologo-madrid.jpg',
    'monologo/stage.jpg',
    'logout.jpg',
    'silicon-valley.jpg',
    'lexicon/entry.jpg',
    'iconic-bridge.jpg',
    'port-authority.jpg',
    'authorities.jpg',
    'uploading.jpg',
    'downloading.jpg',
  ])('illustrates the page: %s', (path) => expect(kindOf(`https://site.example/${path}`)).toBe('image'))

  it.each([
    'https://silicon.example/a/boat.jpg',
    'https://catalogo.example/boat.jpg',
    'https://home.example/boat.jpg',
    'https://profile.example/boat.jpg',
    'https://www.button.example/boat.jpg',
    'https://pixel.example/boat.jpg',
    '//cdn.printer.example/boat.jpg',
    'https://a.example/pixel-9-review.jpg',
    'https://a.example/blanket.jpg',
    '/boat.jpg',
  ])('illustrates the page, whatever the name of its host: %s', (url) => expect(kindOf(url)).toBe('image'))

  it.each([
    ['https://ads.site.example/boat.jpg', undefined],
    ['https://pixel.site.example/boat.jpg', undefined],
    ['//badges.site.example/boat.jpg', undefined],
    ['https://secure.gravatar.com/avatar/0123', undefined],
    ['https://a.example/tracking-pixel.png', undefined],
    ['https://logo.site.example/courier.png', 'logo'],
  ])('is told by the name of its host or file: %s', (url, kind) => expect(kindOf(url)).toBe(kind))

  it.each([
    'icon.png',
    'favicon.png',
    'social-icons/x.png',
    'userIcon.png',
    'authors/jane.jpg',
    'author-jane.jpg',
    'loading.jpg',
    'emoticon.png',
  ])('is neither: %s', (path) => expect(kindOf(`https://site.example/${path}`)).toBeUndefined())
})
