import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const page = (body: string, head = '') => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`

let test: TestBrowser
beforeAll(async () => {
  test = await startTestBrowser({
    '/text': page(
      '<h1>News</h1><p id="lead">One <b>bold</b> and <a href="/">a link</a>.</p><div style="display:none">no</div>',
    ),
  })
})
afterAll(() => test.close())

describe('blocks', () => {
  it('are what is', async () => {
    const { blocks } = await test.capture('/text', { history: 3 })
    expect(blocks!.map(({ element, text }) => [element, text])).toEqual([
      ['body > h1', 'News'],
      ['#lead', 'One bold and a link.'],
    ])
  })
})
