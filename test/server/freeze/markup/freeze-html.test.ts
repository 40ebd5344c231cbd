import { expect, it } from 'vitest'
import type { PreviewRequest } from '../../../../src/server/freeze/markup/index.js'
import { freeze, PREVIEW } from './freeze-test.js'

const PAGE = `<!doctype html>
<html><head><title>A</title></head><body>
<h1>Links</h1>
<page-preview url="https://shoreline.example/" screenshot layout="row"><a href="https://shoreline.example/">Tides</a></page-preview>
<p><a href="https://shoreline.example/b" data-page-preview data-screenshot data-full-page>More</a> of them</p>
</body></html>
`

it('writes complete cards in the place of previews', async () => {
  const requests: PreviewRequest[] = []
  const { previews, skipped, files } = await freeze(PAGE, {
    resolve: (request) => {
      requests.push(request)
      return Promise.resolve(PREVIEW)
    },
  })

  expect({ previews, skipped }).toEqual({ previews: 2, skipped: [] })
  expect(requests.map(({ key, layout }) => [key, layout])).toEqual([
    ['screenshot=true&url=https%3A%2F%2Fshoreline.example%2F', 'row'],
    ['screenshot.fullPage=true&url=https%3A%2F%2Fshoreline.example%2Fb', 'card'],
  ])
  expect(files.map(({ name }) => name)).toEqual([expect.stringMatching(/^page-preview\.[\da-f]{16}\.css$/)])
})

it('gives the same page when it runs again', async () => {
  const { html } = await freeze(PAGE)
  expect((await freeze(html)).html).toBe(html)
})
