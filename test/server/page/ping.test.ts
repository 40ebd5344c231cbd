import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { pageSite, send } from './page-site.js'

/** Two thirds teal, one third orange. */
const flag = sharp({ create: { width: 300, height: 200, channels: 3, background: '#008080' } }).composite([
  {
    input: { create: { width: 100, height: 200, channels: 3, background: '#ff8000' } },
    left: 0,
    top: 0,
  },
])
const png = await flag.png().toBuffer()
const COLOURS = ['#008080', '#ff8000']
const image = (bytes: Buffer, type = 'image/png') => send(bytes, { 'content-type': type })
const PAGE = '<meta property="og:image" content="/i.png"><link rel="icon" href="/l.svg">'
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><circle cx="45" cy="45" r="30" fill="#123456"/></svg>',
)

describe('a page requested with its palette', () => {
  it('has one for an image but not for an SVG, without another request for an image that the ping read completely', async () => {
    const site = await pageSite({ '/': PAGE, '/i.png': image(png), '/l.svg': image(SVG, 'image/svg+xml') })
    const { data } = await site.read({ ping: true, palette: true })
    expect(data).toMatchObject({ image: { palette: COLOURS, width: 300 }, logo: { width: 90 } })
    expect(data.logo).not.toHaveProperty('palette')
    expect(site.requests).toEqual(['GET /', 'GET /i.png', 'GET /l.svg'])
  })

  it('has one for an image that is larger than what a ping reads', async () => {
    const large = await sharp(png).resize(1_000, 667, { kernel: 'nearest' }).png({ compressionLevel: 0 }).toBuffer()
    expect(large.length).toBeGreaterThan(1_000_000)
    const site = await pageSite({ '/': PAGE, '/i.png': image(large) })
    const { data } = await site.read({ ping: true, palette: true })
    expect(data.image).toMatchObject({ palette: COLOURS, width: 1_000 })
  })

  it('has none if the image cannot be decoded, was not pinged, or no palette was requested', async () => {
    const truncated = png.subarray(0, 40)
    const broken = await pageSite({ '/': PAGE, '/i.png': image(truncated) })
    expect((await broken.read({ ping: true, palette: true })).data.image).toEqual(
      expect.not.objectContaining({ palette: expect.anything() }),
    )
    const site = await pageSite({ '/': PAGE, '/i.png': image(png) })
    expect((await site.read({ ping: { image: false }, palette: true })).data.image).not.toHaveProperty('palette')
    expect((await site.read({ ping: true })).data.image).not.toHaveProperty('palette')
  })
})
