import { expect, it } from 'vitest'
import { CARD_MARK, markCards } from '../../../src/static/plugins/cards-in-html.js'

const URL = 'https://example.com/'
const marksIn = (html: string) => [...html.matchAll(CARD_MARK)].map(([, id, index]) => ({ id, index }))

it('leaves a page without previews alone', () => {
  expect(markCards(`<p><a href="${URL}">A link</a></p>`, {})).toBeUndefined()
})

it('makes a mark the content of an element, and leaves everything else as it was', () => {
  const page = markCards(
    `<p>One</p>\n<page-preview url="${URL}" screenshot>\n<a href="${URL}">It</a></page-preview>\n`,
    {},
  )!
  expect(page.html).toBe(
    `<p>One</p>\n<page-preview url="${URL}" screenshot data-frozen v-html="'__PAGE_PREVIEW_${page.id}_0__'"></page-preview>\n`,
  )
})

it('makes elements of links, with their parameters', () => {
  const html = `<p>One: <a href="${URL}?a&amp;b" data-page-preview data-layout="row">it</a></p>\n<p><a href="${URL}">Two</a></p>`
  const page = markCards(html, { auto: 'p > a' })!
  expect(page.html).toContain(`<p>One: <page-preview url="${URL}?a&#38;b" layout="row" data-frozen v-html=`)
  expect(page.html).toContain(`<p><page-preview url="${URL}" data-frozen v-html=`)
  expect(marksIn(page.html).map(({ index }) => index)).toEqual(['0', '1'])
})

it('leaves hover previews and code alone', () => {
  const html = `<p><a href="${URL}" data-page-preview="hover">It</a></p><pre><page-preview url="${URL}"></page-preview></pre>`
  expect(markCards(html, {})).toBeUndefined()
})

it('marks an element that is frozen already once', () => {
  const page = markCards(`<page-preview url="${URL}" data-frozen><span>Old</span></page-preview>`, {})!
  expect(page.html).toMatch(/^<page-preview url="https:\/\/example.com\/" data-frozen v-html="[^"]+"><\/page-preview>$/)
})
