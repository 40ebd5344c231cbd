import { expect, it } from 'vitest'
import { findScriptTag } from '../../src/embed/create-script.js'
import { scriptHosts } from '../../src/embed/script-tag.js'

const hostsOf = (head: string) => {
  document.head.innerHTML = head
  const tag = findScriptTag()
  return tag && scriptHosts(tag)
}

it('defaults to the origin that the script came from', () => {
  expect(hostsOf('<script src="https://previews.example/v0.1.0/page-preview.js"></script>')).toEqual({
    free: 'https://previews.example/',
    pro: 'https://previews.example/',
  })
})

it('reads the hosts of the tag', () => {
  const src = 'src="https://cdn.example/page-preview.js"'
  expect(hostsOf(`<script ${src} data-free="https://f.example" data-pro="https://p.example"></script>`)).toEqual({
    free: 'https://f.example',
    pro: 'https://p.example',
  })
  expect(hostsOf(`<script ${src} data-free="/previews"></script>`)).toEqual({ free: '/previews', pro: '/previews' })
})

it('has no default in a bundle, which has no script tag', () => {
  expect(hostsOf('<script src="/bundle.js"></script>')).toBeNull()
})
