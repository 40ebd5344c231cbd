import { describe, expect, it } from 'vitest'
import { padBox, prepareArea, resolveClip } from '../../../src/server/browser/screenshot-area.js'
import { intersection } from '../../../src/server/browser/take-screenshot.js'
import type { Visit } from '../../../src/server/browser/visit.js'

const FOUND = { state: 'found', isExpanded: false, hiddenHeight: 0 }
const EDGES = { left: 1, top: 2, right: 31, bottom: 42, isCut: false }
const METRICS = {
  cssLayoutViewport: { pageX: 0, pageY: 100 },
  cssVisualViewport: { offsetX: 0, offsetY: 0 },
  cssContentSize: { x: 0, y: 0, width: 300, height: 2_000 },
}

/** Looks for an element in a page whose scripts end as given, one after another, once all of the page is rendered. */
function findElement(...scripts: (Error | object)[]) {
  const ends = [{}, ...scripts]
  const send = async (method: string) => {
    if (method === 'Page.createIsolatedWorld') return { executionContextId: 1 }
    if (method === 'Page.getLayoutMetrics') return METRICS
    const end = ends.shift()
    if (end instanceof Error) throw end
    return { result: { value: end } }
  }
  return prepareArea({
    query: { url: 'https://example.com', element: '#story', animations: true, javascript: false },
    page: { session: { send }, frameId: 'main', setups: { sessions: new Set() } },
    frame: { requestsInFlight: () => [] },
    device: { width: 300, height: 400 },
    deadline: { limitWait: () => 5_000 },
    signal: new AbortController().signal,
  } as unknown as Visit)
}

it.each([
  'Protocol error (Runtime.evaluate): Cannot find context with specified id',
  'Protocol error (Runtime.evaluate): Execution context was destroyed.',
  'Protocol error (Runtime.evaluate): Inspected target navigated or closed',
])('looks for the element in the next document after: %s', async (message) => {
  const found = await findElement(new Error(message), FOUND, EDGES, {})
  expect(found).toEqual({ x: 1, y: 102, width: 30, height: 40 })
})

it('fails as the browser does for any other reason', async () => {
  await expect(findElement(new Error('Target closed'), FOUND)).rejects.toThrow('Target closed')
})

const clip = (text: string) => resolveClip({ url: 'https://example.com', screenshot: { clip: text } })

describe('a clip', () => {
  it.each([
    ['0,0,640,400', { x: 0, y: 0, width: 640, height: 400 }],
    ['10.5, 20.25, 0.5, 1', { x: 10.5, y: 20.25, width: 0.5, height: 1 }],
  ])('%s is a rectangle of the page', (text, box) => {
    expect(clip(text)).toEqual(box)
  })

  it.each(['0,0,0,400', '0,0,640,0', '10,10,0.0,0'])('%s has no area and is rejected', (text) => {
    expect(() => clip(text)).toThrow(
      expect.objectContaining({
        code: 'EINVALQUERY',
        message: 'screenshot.clip must have a width and a height above 0.',
        data: { 'screenshot.clip': 'must have a width and a height above 0' },
      }),
    )
  })

  it('that a query does not have is none', () => {
    expect(resolveClip({ url: 'https://example.com' })).toBeUndefined()
    expect(resolveClip({ url: 'https://example.com', screenshot: true })).toBeUndefined()
  })
})

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const document = box(0, 0, 300, 2_000)

describe('the intersection of two boxes', () => {
  it.each([
    ['inside', box(10, 20, 30, 40), box(10, 20, 30, 40)],
    ['across an edge', box(290, 1_990, 30, 40), box(290, 1_990, 10, 10)],
    ['around', box(0, 0, 900, 9_000), document],
  ])('of one %s', (_, one, expected) => {
    expect(intersection(one, document)).toEqual(expected)
  })

  it('has no area when they do not meet', () => {
    expect(intersection(box(300, 0, 10, 10), document).width).toBeLessThanOrEqual(0)
    expect(intersection(box(0, 5_000, 10, 10), document).height).toBeLessThanOrEqual(0)
  })
})

describe('padding', () => {
  it.each([
    ['on all sides', box(100, 100, 50, 50), box(90, 90, 70, 70)],
    ['up to the edges of the document', box(5, 1_945, 290, 50), box(0, 1_935, 300, 65)],
    ['without cutting a box that is larger than the document', box(-20, 100, 400, 50), box(-20, 90, 400, 70)],
  ])('is added %s', (_, one, expected) => {
    expect(padBox(one, 10, document)).toEqual(expected)
  })
})
