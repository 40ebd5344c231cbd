import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { errorHelp } from '../query/help/index.js'
import { errorCodes, type ErrorCode } from '../query/index.js'

const PLACE = '<!-- error codes -->'
const page = (name: string) => fileURLToPath(new URL(`../playground/${name}`, import.meta.url))

/** Builds `errors.html` beside the playground: one entry per error code, with the code as its id, and no script. */
export function errorsPage(): Plugin {
  return {
    name: 'page-preview:errors-page',
    config: () => ({ build: { rolldownOptions: { input: [page('index.html'), page('errors.html')] } } }),
    transformIndexHtml: (html) => html.replace(PLACE, errorList),
  }
}

/** The list itself. */
export function errorList(): string {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  return `<dl>${codes.map(entry).join('')}</dl>`
}

const entry = (code: ErrorCode) =>
  `<dt id="${code}"><a href="#${code}">${code}</a> <span class="note">${statusWords(code)}</span></dt>` +
  `<dd>${escapeHtml(errorHelp[code])}</dd>`

const statusWords = (code: ErrorCode) =>
  errorCodes[code] ? `HTTP ${errorCodes[code]}${code === 'EAUTH' ? ' or 403' : ''}` : 'made by the client'

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
