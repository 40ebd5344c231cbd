import { expect, it } from 'vitest'
import { filterData } from '../../src/card/index.js'
import type { PageData } from '../../src/query/index.js'

const image = {
  url: 'https://example.com/a.png',
  type: 'png',
  size: 4_200,
  size_pretty: '4.2 kB',
  width: 640,
  height: 320,
  palette: ['#ffffff', '#000000'],
}
const data: PageData = { title: 'Example', author: null, image, logo: null }

it.each<[string, unknown]>([
  ['title', { title: 'Example' }],
  ['title,image.width', { title: 'Example', image: { width: 640 } }],
  ['image.width,image.height', { image: { width: 640, height: 320 } }],
  ['image', { image }],
  ['image,image.width', { image }],
  ['image.width,image', { image }],
  ['image.palette', { image: { palette: image.palette } }],
  ['author', { author: null }],
])('filter=%s selects %j', (filter, expected) => {
  expect(filterData(data, filter)).toEqual(expected)
})

it.each([
  'date',
  'nothing.at.all',
  'image.depth',
  'image.width.pixels',
  'logo.url',
  'title.length',
  'toString',
  '__proto__',
])('leaves out %s, which has no value', (path) => {
  expect(JSON.stringify(filterData(data, `${path},title`))).toBe('{"title":"Example"}')
  expect(Object.keys(filterData(data, path))).toEqual([])
})

it('does not change the data', () => {
  const before = structuredClone(data)
  filterData(data, 'image,image.width')
  expect(data).toEqual(before)
})
