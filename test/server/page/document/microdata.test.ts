// Covers which microdata describes the page, and which only a part of it: its author, its reviews, what stands beside it.
import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../src/server/page/document/index.js'
import { findDuration } from '../../../../src/server/page/fields/duration.js'
import { findCandidates } from '../../../../src/server/page/find-candidates.js'

const URL = 'https://site.example/news/clock'
const TEXT = 'The brass tide clock above the harbour office has run without pause since it was wound in spring.'
const HEADLINE = '<h1 itemprop="headline">The tide clock</h1>'

const item = (type: string, content: string, property?: string) =>
  `<div ${property ? `itemprop="${property}" ` : ''}itemscope itemtype="https://schema.org/${type}">${content}</div>`
const meta = (property: string, content: string) => `<meta itemprop="${property}" content="${content}">`
const ARTICLE = `${HEADLINE}<p class="byline">By Mira Solheim, <time datetime="2018-08-27">27 August 2018</time></p><p>${TEXT}</p><img itemprop="image" src="/own.jpg">`
const OTHER = [
  meta('name', 'Bob Roe'),
  meta('author', 'Bob Roe'),
  meta('datePublished', '2021-04-18'),
  meta('uploadDate', '2021-04-18'),
  meta('description', 'Bob likes ropes.'),
  meta('headline', 'Ropes'),
  meta('image', '/other.jpg'),
].join('')

function read(body: string, attributes = '') {
  const html = `<html lang="en" ${attributes}><title>The tide clock</title><body>${body}`
  const { title, author, date, description, image } = findCandidates(parseHtml(html, URL))
  return {
    title: title[0],
    author: author[0],
    date: date[0]?.slice(0, 10),
    description: description[0],
    image: image[0]?.replace('https://site.example', ''),
  }
}

describe('what describes only a part of the page, or something beside it, is not its metadata', () => {
  const OWN = {
    title: 'The tide clock',
    author: 'Mira Solheim',
    date: '2018-08-27',
    description: TEXT,
    image: '/own.jpg',
  }
  it.each<[what: string, body: string]>([
    ['a comment', item('Article', ARTICLE + item('Comment', OTHER, 'comment'))],
    ['a comment without a property', item('Article', ARTICLE) + item('UserComments', OTHER)],
    ['a review', item('Article', ARTICLE + item('Review', OTHER, 'review'))],
    ['one of several reviews', item('Article', ARTICLE + item('Review', OTHER, 'reviews'))],
    ['a video', item('Article', ARTICLE + item('VideoObject', OTHER, 'video'))],
    ['a performer', item('Article', ARTICLE + item('Person', OTHER, 'performer'))],
    ['an organisation in the text', item('Article', ARTICLE + item('Organization', OTHER))],
    ['the publisher', item('Article', item('Organization', OTHER, 'publisher') + ARTICLE)],
    [
      'what a part of the page has',
      item('Article', ARTICLE + item('Person', item('ImageObject', OTHER, 'image'), 'about')),
    ],
    ['an article in an aside', `${item('Article', ARTICLE)}<aside>${item('Article', OTHER)}</aside>`],
    ['an article in a sidebar', `${item('Article', ARTICLE)}<div class="sidebar">${item('Article', OTHER)}</div>`],
    ['a related article', `${item('Article', ARTICLE)}<div class="related-posts">${item('Article', OTHER)}</div>`],
    ['a business in the footer', `${item('Article', ARTICLE)}<footer>${item('LocalBusiness', OTHER)}</footer>`],
  ])('%s', (_, body) => expect(read(body)).toEqual(OWN))

  it('the portrait and the description of an author, whose name is', () => {
    const author = item(
      'Person',
      `${meta('name', 'Mira Solheim')}${meta('image', '/m.jpg')}${meta('description', 'She writes.')}`,
      'author',
    )
    const picture = '<img itemprop="image" src="/own.jpg">'
    expect(read(item('Article', `${HEADLINE}${author}<p>${TEXT}</p>${picture}`))).toMatchObject({
      author: 'Mira Solheim',
      description: TEXT,
      image: '/own.jpg',
    })
  })

  it.each<[what: string, review: string]>([
    [
      'by a property',
      `<b itemprop="author">Bob Roe</b>${meta('datePublished', '2021-04-01')}${meta('description', 'Great.')}`,
    ],
    [
      'by an element',
      '<b itemprop="author">Bob Roe</b><time itemprop="datePublished" datetime="2021-04-01">1 April</time>',
    ],
    [
      'by a meta',
      `${meta('author', 'Bob Roe')}${meta('datePublished', '2021-04-01')}<p itemprop="reviewBody">Great.</p>`,
    ],
  ])('the author and the date of a review of a product: %s', (_, review) => {
    const product = `<h1>The tide clock</h1><p>${TEXT}</p>`
    const NOTHING = { author: undefined, date: undefined, description: TEXT }
    expect(read(item('Product', product + item('Review', review, 'review')))).toMatchObject(NOTHING)
    expect(read(product + item('Review', review, 'review'))).toMatchObject(NOTHING)
  })
})

describe('what describes the page is its metadata', () => {
  const STATED = `${meta('author', 'Mira Solheim')}${meta('datePublished', '2018-08-27')}${meta('description', TEXT)}${meta('image', '/own.jpg')}`
  it.each<[what: string, body: string, attributes?: string]>([
    ['outside of an item', STATED],
    ['of an article', item('Article', `<h1>The tide clock</h1>${STATED}`)],
    ['of the post of a blog', item('Blog', item('BlogPosting', STATED, 'blogPost'))],
    [
      'of the main content of a page',
      item('WebPage', item('Blog', item('BlogPosting', STATED, 'blogPost'), 'mainContentOfPage')),
    ],
    ['of an article within the main content', item('Blog', item('BlogPosting', STATED), 'mainContentOfPage')],
    ['of the main entity of a page', item('WebPage', item('Article', STATED, 'mainEntity'))],
    ['of a review that is the page', item('Product', item('Review', `<h1>The tide clock</h1>${STATED}`))],
    ['of a document about a company', STATED, 'itemscope itemtype="https://schema.org/Organization"'],
    ['behind a part of the page', item('Article', item('Organization', '', 'publisher') + STATED)],
  ])('%s', (_, body, attributes) =>
    expect(read(body, attributes)).toMatchObject({
      author: 'Mira Solheim',
      date: '2018-08-27',
      description: TEXT,
      image: '/own.jpg',
    }),
  )

  it.each([
    ['by its URL', meta('url', '/own.jpg')],
    ['by the URL of its content', '<link itemprop="contentUrl" href="/own.jpg">'],
    ['by its element', '<img itemprop="url contentUrl" src="/own.jpg">'],
  ])('an image that is an item of its own: %s', (_, content) => {
    const image = item('ImageObject', `${content}${meta('description', 'A clock.')}`, 'image')
    expect(read(item('Article', `${HEADLINE}${image}<p>${TEXT}</p>`))).toMatchObject({
      image: '/own.jpg',
      description: TEXT,
    })
  })

  it('the logo of the publisher, but no portrait of the author, that is an item of its own', () => {
    const image = (property: string, path: string) => item('ImageObject', meta('url', path), property)
    const html = item(
      'Article',
      `${HEADLINE}${item('Person', image('image', '/portrait.jpg'), 'author')}${item('Organization', image('logo', '/logo.png'), 'publisher')}`,
    )
    const { logo, image: images } = findCandidates(parseHtml(html, URL))
    expect(logo).toContain('https://site.example/logo.png')
    expect(images.join()).not.toContain('portrait')
  })

  it('the duration, the file and the image of its video, if it has no other', () => {
    const video = item(
      'VideoObject',
      `${meta('duration', 'PT2M')}${meta('contentUrl', '/clip.mp4')}${meta('thumbnailUrl', '/clip.jpg')}`,
      'video',
    )
    const sources = parseHtml(item('Article', `${HEADLINE}${video}<p>${TEXT}</p>`), URL)
    const { video: videos, image } = findCandidates(sources)
    expect(videos[0]).toBe('https://site.example/clip.mp4')
    expect(image).toEqual(['https://site.example/clip.jpg'])
    expect(findDuration(sources, 'video')).toBe(120)
  })
})
