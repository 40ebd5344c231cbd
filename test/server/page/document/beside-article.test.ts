// Covers what stands beside an article: its dates and authors are never those of the article.
import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../src/server/page/document/index.js'
import { findCandidates } from '../../../../src/server/page/find-candidates.js'

const TEXT =
  '<p>The tide gauge on the old quay was read again at dawn, and the water stood higher than in any spring.</p>'
const ARTICLE = `<h1>Rain is coming</h1>${TEXT.repeat(4)}`
const read = (body: string) => {
  const { date, author } = findCandidates(
    parseHtml(
      `<html lang="en"><title>Rain is coming</title><body>${body}</body></html>`,
      'https://courier.example/rain',
    ),
  )
  return { date: date[0]?.slice(0, 10), author: author[0] }
}
const TEASER =
  '<time datetime="2021-04-18">April 18, 2021</time> <span class="author">Bo Roe</span> <a href="/w">Workshop</a>'
const BYLINE = '<div class="byline">March 12, 2020 by Mira Solheim</div>'

describe('an article without date and author has none', () => {
  it.each([
    ['an aside', `${ARTICLE}<aside>${TEASER}</aside>`],
    ['an aside in front', `<aside>${TEASER}</aside>${ARTICLE}`],
    ['an aside with a class', `${ARTICLE}<aside class="sidebar"><div class="teaser">${TEASER}</div></aside>`],
    ['a sidebar', `${ARTICLE}<div class="blog-sidebar">${TEASER}</div>`],
    ['a sidebar with an identifier', `${ARTICLE}<div id="sidebar">${TEASER}</div>`],
    ['a right rail', `${ARTICLE}<div class="rightRail">${TEASER}</div>`],
    ['a complementary part', `${ARTICLE}<div role="complementary">${TEASER}</div>`],
    ['a sidebar within the article', `<article>${ARTICLE}<div class="sidebar">${TEASER}</div></article>`],
    [
      'the header of the page',
      `<header><a href="/">Courier</a><span class="date">November 27, 2024</span></header>${ARTICLE}`,
    ],
    ['a menu', `<nav>${TEASER}</nav>${ARTICLE}`],
    ['the footer', `${ARTICLE}<footer>© 2024 Courier. Last update: <time datetime="2024-01-01">1/1/24</time></footer>`],
    ['a footer with a class', `${ARTICLE}<div><div><div class="site-footer">${TEASER}</div></div></div>`],
    ['content information', `${ARTICLE}<div role="contentinfo">Updated <span class="date">March 3, 2023</span></div>`],
    [
      'the only teaser below it',
      `<main>${ARTICLE}</main><div><article><h3><a href="/w">Quay</a></h3>${TEASER}</article></div>`,
    ],
    [
      'teasers of one day',
      `${ARTICLE}<h2>More news</h2>${`<article><h3><a href="/w">Quay</a></h3>${TEASER}</article>`.repeat(3)}`,
    ],
    ['recent posts', `${ARTICLE}<div class="widget_recent_entries">${TEASER}</div>`],
    ['comments', `${ARTICLE}<section id="comments"><div class="comment">${TEASER}</div></section>`],
    ['comments of WordPress', `${ARTICLE}<div class="wp-block-comments">${TEASER}</div>`],
    ['the lines of comments', `${ARTICLE}<div class="comment-meta">${TEASER}</div>`],
    ['comments in Spanish', `${ARTICLE}<div id="comentarios">${TEASER}</div>`],
    ['comments in microdata', `${ARTICLE}<div itemscope itemtype="https://schema.org/Comment">${TEASER}</div>`],
    ['old comments in microdata', `${ARTICLE}<div itemscope itemtype="http://schema.org/UserComments">${TEASER}</div>`],
    ['what follows the heading of the comments', `${ARTICLE}<h3>4 Comments</h3><div>${TEASER}</div>`],
    ['what follows a German heading of the comments', `${ARTICLE}<h2>Kommentare (4)</h2><div>${TEASER}</div>`],
  ])('because of %s', (_, body) => {
    expect(read(body)).toEqual({ date: undefined, author: undefined })
    expect(read(body.replace('</h1>', `</h1>${BYLINE}`))).toEqual({ date: '2020-03-12', author: 'Mira Solheim' })
  })
})

describe('date and author of the article are read', () => {
  const DATED = '<time datetime="2020-03-12">March 12</time> <span class="author">Mira Solheim</span>'
  it.each([
    ['in a footer of the article', `<article>${ARTICLE}<footer>${DATED}</footer></article>`],
    [
      'in a footer within the content',
      `<main><div class="post">${ARTICLE}<footer class="entry-footer">${DATED}</footer></div></main>`,
    ],
    ['in an aside after the headline', `<h1>Rain is coming</h1><aside>${DATED}</aside>${TEXT.repeat(4)}`],
    ['in an aside for a byline', `${ARTICLE}<aside class="byline">March 12, 2020 by Mira Solheim</aside>`],
    ['in an aside within the article', `<article>${ARTICLE}<aside class="post-info">${DATED}</aside></article>`],
    ['in the only article, below the headline', `<h1>Rain is coming</h1><article>${DATED}${TEXT}</article>`],
    [
      'in a header of the article above its headline',
      `<main><div class="post"><header>${DATED}</header>${ARTICLE}</div></main>`,
    ],
    ['in a header of an article above its headline', `<article><header>${DATED}</header>${ARTICLE}</article>`],
    ['in a header below the headline', `<h1>Rain is coming</h1><header>${DATED}</header>${TEXT.repeat(4)}`],
    ['in a header', `<header><h1>Rain is coming</h1>${DATED}</header>${TEXT.repeat(4)}`],
    ['in a page whose layout has a sidebar', `<div class="has-sidebar sidebar-right">${ARTICLE}${DATED}</div>`],
    ['in an article that is open for comments', `<div class="post comments-open">${ARTICLE}${DATED}</div>`],
    ['in a widget', `<div class="widget Blog"><h1>Rain is coming</h1>${DATED}${TEXT.repeat(4)}</div>`],
    ['beside the number of comments', `<h1>Rain is coming</h1><a class="comments-link">4 Comments</a> ${DATED}${TEXT}`],
    ['below a heading that mentions comments', `<h1>Rain is coming</h1><h2>Comments on the rain</h2>${DATED}${TEXT}`],
  ])('%s', (_, body) => expect(read(body)).toEqual({ date: '2020-03-12', author: 'Mira Solheim' }))
})
