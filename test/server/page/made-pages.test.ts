// Covers the metadata of whole pages, as publishing systems of many kinds write them in many languages.
import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../src/server/page/document/index.js'
import { findCandidates } from '../../../src/server/page/find-candidates.js'
import { blogs } from './made-pages/blogs.js'
import { newspapers } from './made-pages/newspapers.js'
import { others } from './made-pages/others.js'

const FIELDS = ['title', 'description', 'author', 'date', 'publisher', 'lang'] as const

describe.each(Object.entries({ blogs, newspapers, others }))('%s', (_, pages) => {
  it.each(pages.map((page) => [page.name, page] as const))('%s', (_name, { url, html, expected }) => {
    const candidates = findCandidates(parseHtml(html, url))
    const found = Object.fromEntries(FIELDS.map((field) => [field, candidates[field][0] ?? null]))
    expect({ ...found, date: found['date']?.slice(0, 10) ?? null }).toEqual(expected)
  })
})
