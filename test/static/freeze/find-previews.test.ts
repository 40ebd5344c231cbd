import { expect, it } from 'vitest'
import { findPreviews } from '../../../src/static/freeze/index.js'

const URL = 'https://shoreline.example/'
const link = (path: string) => `<a href="${URL}${path}">Tides</a>`

it('takes a link that is alone in its paragraph for a card, and none in the middle of a sentence', () => {
  const html = `<main><p>\n${link('alone')}\n</p><p>See ${link('sentence')}.</p><p>${link('one')}${link('two')}</p></main>`
  const found = findPreviews(html, { auto: 'main p > a[href^=http]:only-child' })
  expect(found.map(({ kind, request }) => [kind, request.query.url])).toEqual([['card', `${URL}alone`]])
})
