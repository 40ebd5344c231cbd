// Covers src/tools/vite-errors-page.ts, in a DOM because what it builds is a page.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { errorHelp } from '../../src/query/help/index.js'
import { errorCodes, type ErrorCode } from '../../src/query/index.js'
import { errorSections, errorsPage } from '../../src/tools/vite-errors-page.js'

const mdx = readFileSync('stories/docs/errors.mdx', 'utf8')
const codes = Object.keys(errorCodes) as ErrorCode[]
const parse = (html: string) => new DOMParser().parseFromString(html, 'text/html')

/** Builds the page as Vite does, from the HTML around it. */
function transform(html: string): unknown {
  const { transformIndexHtml } = errorsPage()
  if (typeof transformIndexHtml !== 'function') throw new Error('The plugin changes no page.')
  return transformIndexHtml.call(undefined as never, html, { path: '/errors.html', filename: 'errors.html' })
}

it('has a section for every error code, with its status, its cause and what to do', () => {
  const sections = [...parse(errorSections(mdx)).querySelectorAll('section')]
  expect(sections.map(({ id }) => id)).toEqual(codes)
  for (const section of sections) {
    const code = section.id as ErrorCode
    const [heading, status, cause, remedy] = [...section.children].map((element) => element.textContent)
    expect(heading).toBe(code)
    expect(status).toBe(`${statusOf(code)}. ${errorHelp[code]}`)
    expect(cause).toMatch(/^Probable cause: \S/)
    expect(remedy).toMatch(/^What to do: \S/)
  }
})

it('shows nothing that only the documentation can use', () => {
  const page = parse(errorSections(mdx))
  expect(page.body.textContent).not.toMatch(/import \{ Meta|<Meta/)
  expect([...page.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual(
    codes.map((code) => `#${code}`),
  )
})

it('replaces the placeholder of its page and of no other', () => {
  expect(transform('<main><!-- error codes --></main>')).toBe(`<main>${errorSections(mdx)}</main>`)
  expect(transform('<main></main>')).toBe('<main></main>')
})

function statusOf(code: ErrorCode): string {
  if (!errorCodes[code]) return 'Set by the client'
  return code === 'EAUTH' ? 'HTTP 401 or 403' : `HTTP ${errorCodes[code]}`
}
