import { expect, it } from 'vitest'
import { findScriptTag, scriptEndpoint } from '../../src/embed/script-tag.js'

const endpointOf = (head: string) => {
  document.head.innerHTML = head
  const tag = findScriptTag()
  return tag && scriptEndpoint(tag)
}

it.each(['', 'data-endpoint=""'])('defaults to the origin that the script came from', (attribute) => {
  expect(endpointOf(`<script src="https://previews.example/v0.1.0/page-preview.js" ${attribute}></script>`)).toBe(
    'https://previews.example/',
  )
})

it.each(['https://previews.example', '/previews'])('is %s if data-endpoint is', (endpoint) => {
  expect(endpointOf(`<script src="https://cdn.example/page-preview.js" data-endpoint="${endpoint}"></script>`)).toBe(
    endpoint,
  )
})

it('has no default in a bundle, which has no script tag', () => {
  expect(endpointOf('<script src="/bundle.js"></script>')).toBeNull()
})
