import { expect, it } from 'vitest'
import { errorList, errorsPage } from '../../src/tools/vite-errors-page.js'
import { errorHelp } from '../../src/query/help/index.js'
import { errorCodes, type ErrorCode } from '../../src/query/index.js'

const page = (html: string) => new DOMParser().parseFromString(html, 'text/html')

it('explains every code under its own name, with its status', () => {
  const list = page(errorList())
  const codes = Object.keys(errorCodes) as ErrorCode[]
  expect([...list.querySelectorAll('dt')].map(({ id }) => id)).toEqual(codes)
  for (const code of codes) {
    const entry = list.getElementById(code)!
    expect(entry.nextElementSibling?.textContent).toBe(errorHelp[code])
    expect(entry.textContent).toContain(errorCodes[code] || 'made by the client')
  }
})

it('puts the list into its page and into no other', () => {
  const { transformIndexHtml } = errorsPage()
  if (typeof transformIndexHtml !== 'function') throw new Error('The plugin changes no page.')
  const context = { path: '/errors.html', filename: 'errors.html' }
  const change = (html: string) => transformIndexHtml.call(undefined as never, html, context)
  expect(change('<main><!-- error codes --></main>')).toBe(`<main>${errorList()}</main>`)
  expect(change('<main></main>')).toBe('<main></main>')
})
