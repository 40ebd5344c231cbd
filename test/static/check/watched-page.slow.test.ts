// Covers the rounds of a watch with a real page, Chromium and service: withHistory, checkLinks and createRoundComparison.
import { expect, it, onTestFinished } from 'vitest'
import { checkLinks, createRoundComparison, withHistory } from '../../../src/static/check/index.js'
import type { SiteLink } from '../../../src/static/check/inspect-link.js'
import { openPreviewSource } from '../../../src/static/preview-source.js'
import { localSite } from '../../local-site.js'

const COLORS = ['#a00', '#0a0', '#00a', '#aa0', '#0aa']

it('names what has changed on a page with an advert and a clock, and nothing else', { timeout: 120_000 }, async () => {
  let [headline, visits] = ['Old title', 0]
  const site = await localSite({
    '/': (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>A page</title>
        <h1 id="headline">${headline}</h1>
        <p>This stays as it is.</p>
        <div class="advert" style="background: ${COLORS[visits++ % COLORS.length]}; height: 200px">Advert ${visits}</div>
        <p class="clock">${new Date().toISOString()}</p>`),
  })
  onTestFinished(() => site.close())
  const service = openPreviewSource({ allowTargets: [site.host], allowUnsandboxed: true })
  onTestFinished(() => service.close())
  const source = withHistory(service, () => expect.unreachable('The service has a history.'))
  const url = `${site.url}/`
  const link: SiteLink = { url, request: { query: { url } } as SiteLink['request'], entry: undefined, pages: [] }
  const comparison = createRoundComparison()
  const round = async () => {
    const { reports } = await checkLinks([link], {
      source,
      requests: { follow: async () => undefined },
      readImage: async () => undefined,
      history: new Map(),
      goneAfter: 2,
      retryPauseMs: 0,
      concurrency: 1,
      signal: new AbortController().signal,
    })
    return comparison.next(reports)
  }

  expect(await round()).toEqual([])
  expect(await round()).toEqual([])
  headline = 'New title'
  expect(await round()).toMatchObject([
    {
      kind: 'page',
      url,
      changes: [{ kind: 'changed', element: '#headline', text: 'New title', textBefore: 'Old title' }],
    },
  ])
})
