import { describe, expect, it } from 'vitest'
import { readTokens } from '../../../../src/server/page/document/token-meaning.js'

/** Each is written in the three ways in which class names are. */
function spellingsOf(token: string): string[] {
  const camelCase = token.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return [token, token.replaceAll('-', '_'), camelCase]
}

const meaningOf = (token: string) => Object.entries(readTokens(token)).flatMap(([name, has]) => (has ? name : []))

describe.each<[meaning: string, tokens: string]>([
  [
    'isUnrelated',
    'disqus-thread comment comments comment-list comments-section respond replies more-stories more-articles more-posts more-news most-read most-popular popular-posts review-list customer-reviews testimonials sponsor promo reviewer related-links recommended-stories recommendations taboola-box outbrain-box trending-now promoted-box ad ads ad-slot top-ad google-ad ads-wrapper advert advertisement advertising google-ads-1',
  ],
  ['isModified', 'lastmod lastmodified last-modified updated date-updated post-modified entry-lastmod'],
  ['isDate', 'date published publish pubdate posted-on time timestamp dateline entry-date post-time'],
  [
    'isByline',
    'byline by-line bylines dateline submitted written-by posted-by author author-name auteur autor autora writer skribent yazar',
  ],
  ['isTitle', 'entry-title post-title p-name headline first-heading story-headline'],
  ['isAside', 'sidebar widget'],
  ['isSidebar', 'sidebar sidenav right-rail left-column blog-sidebar sidebar-primary'],
  ['isPageFooter', 'footer site-footer page-footer colophon'],
  ['isUnrelated', 'comment-meta comment-author wp-block-comments post-comments kommentare comentarios recent-posts'],
])('%s', (meaning, tokens) => {
  it.each(tokens.split(' ').flatMap(spellingsOf))('%s', (token) => {
    expect(meaningOf(`box ${token}`)).toContain(meaning)
  })
})

it.each([
  'heading',
  'has-sidebar',
  'sidebar-right',
  'no-sidebar',
  'comments-open',
  'comments-closed',
  'entry-footer',
  'column',
  'grail',
  'loaded',
  'header',
  'read-more',
  'shadow',
  'gradient',
  'thread',
  'hasAds',
  'no-ads',
  'roadAdvice',
  'mostly',
])('has no meaning: %s', (token) => expect(meaningOf(token)).toEqual([]))

it.each(['bday', 'dtstart published updated', 'date dtend', 'dtstart'])(
  'of a fact is no date of the page: %s',
  (tokens) => expect(meaningOf(tokens)).toEqual([]),
)
