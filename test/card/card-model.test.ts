import { expect, it } from 'vitest'
import { cardModel, chooseImage, layoutOf, layoutWarning, toDisplayUrl } from '../../src/card/index.js'
import type { PageData, Screenshot } from '../../src/query/index.js'
import { STATES_WITHOUT_CONTENT } from '../../src/card/page-texts.js'
import { STATES_WITHOUT_CONTENT as capturedWithoutContent } from '../../src/server/browser/capture-page.js'

it('leaves out the texts of pages in the states in which the service captures none of their content', () => {
  expect(STATES_WITHOUT_CONTENT).toEqual(capturedWithoutContent)
})

it.each([
  [undefined, 'card', undefined],
  ['row', 'row', undefined],
  ['wide', 'card', 'Unknown layout "wide"'],
  ['toString', 'card', 'Unknown layout "toString"'],
])('takes the layout %s for %s', (layout, expected, warning) => {
  expect(layoutOf(layout)).toBe(expected)
  expect(layoutWarning(layout)?.slice(0, warning?.length)).toBe(warning)
})

const image = { url: 'https://a.example/i.png', alt: 'A lighthouse' }
const screenshot: Screenshot = {
  url: 'https://a.example/s.png',
  width: 9,
  height: 9,
  type: 'png',
  size: 9,
  size_pretty: '9 B',
  background_color: '#ffffff',
}

it.each<[what: string, page: PageData, alt: string | undefined, expected: string]>([
  ['the text of the page', { image, title: 'Tides' }, undefined, 'A lighthouse'],
  ['the title without one', { image: { url: image.url }, title: 'Tides' }, undefined, 'Tides'],
  ['the title for a screenshot', { image, screenshot, title: 'Tides' }, undefined, 'Tides'],
  [
    'the host if the title is not that of the page',
    { screenshot, title: 'Log in', state: 'login' },
    undefined,
    'Screenshot of a.example',
  ],
  ['the host without either', { image: { url: image.url } }, undefined, 'Picture of a.example'],
  ['the text of the caller', { image }, 'Mine', 'Mine'],
  ['no text, as the caller wants', { image }, '', ''],
  ['the host for a screenshot without a title', { image, screenshot }, undefined, 'Screenshot of a.example'],
])('has as alternative text %s', (_, page, alt, expected) => {
  const displayUrl = toDisplayUrl('https://a.example/')
  expect(cardModel({ displayUrl, state: 'ready', page, image: chooseImage(page), alt }).alt).toBe(expected)
})
