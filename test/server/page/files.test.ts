// Covers targets that are not HTML.
import { describe, expect, it } from 'vitest'
import { pageSite, send } from './page-site.js'

describe('a target that is not HTML', () => {
  it.each([
    ['/a%20photo.png', 'image/png', {}, { title: 'a photo.png', image: expect.stringContaining('/a%20photo.png') }],
    ['/song', 'audio/mpeg', { 'content-disposition': 'inline; filename="My Song.mp3"' }, { title: 'My Song.mp3' }],
    ['/clip.mp4', 'video/mp4; codecs=avc1', {}, { title: 'clip.mp4', video: expect.stringContaining('/clip.mp4') }],
    ['/paper.pdf', 'application/pdf', {}, { title: 'paper.pdf', image: undefined, video: undefined }],
    [
      '/x',
      'application/pdf',
      { 'content-disposition': "attachment; filename*=UTF-8''na%C3%AFve.pdf" },
      { title: 'naïve.pdf' },
    ],
  ])('has its file name as title and its own URL as media: %s of type %s', async (path, type, headers, expected) => {
    const site = await pageSite({ [path]: send('bytes', { 'content-type': type, ...headers }) })
    const { title, image, video, audio } = (await site.read({}, path)).data
    expect({ title, image: image?.url, video: video?.url, audio: audio?.url }).toMatchObject(expected)
  })
})

describe('a target without a meaningful type', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAAA1BMVEX/AAAZ4gk3AAAADElEQVQI12NgIA0AAAAwAAHHqoWOAAAAAElFTkSuQmCC',
    'base64',
  )
  it.each<[path: string, headers: Record<string, string>, body: Buffer, hasImage: boolean]>([
    ['/a', {}, png, true],
    ['/a.png', { 'content-type': 'application/octet-stream' }, png, true],
    ['/get', { 'content-type': 'application/force-download', 'content-disposition': 'filename="a.png"' }, png, true],
    ['/a.png', { 'content-type': 'binary/octet-stream' }, Buffer.from('no image'), false],
    ['/a.zip', { 'content-type': 'application/octet-stream' }, png, false],
    ['/a', {}, Buffer.from([0, 1, 2, 3]), false],
  ])('is an image if it is one: %s %o', async (path, headers, body, hasImage) => {
    const site = await pageSite({ [path]: (_, response) => void response.writeHead(200, headers).end(body) })
    const { image } = (await site.read({ ping: true, meta: { image: true } }, path)).data
    expect(image?.url).toBe(hasImage ? site.url + path : undefined)
  })
})

describe('an image that was requested itself', () => {
  const icon = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAAA1BMVEX/AAAZ4gk3AAAADElEQVQI12NgIA0AAAAwAAHHqoWOAAAAAElFTkSuQmCC',
    'base64',
  )
  it.each(['/icon.png', '/favicon.ico', '/avatar/7.png', '/npm/badge.svg', '/pixel.gif'])(
    'is the image, of any size and name: %s',
    async (path) => {
      const site = await pageSite({ [path]: send(icon, { 'content-type': 'image/png' }) })
      const { image } = (await site.read({ ping: true, meta: { image: true } }, path)).data
      expect(image).toMatchObject({ url: site.url + path, width: 16 })
    },
  )
})
