import { expect, it } from 'vitest'
import { leadsHome } from '../../../src/static/check/leads-home.js'

it.each([
  ['https://a.example/post/1', 'https://a.example/', true],
  ['https://a.example/post/1', 'https://www.a.example/index.html', true],
  ['https://a.example/post/1', 'https://a.example/en/', true],
  ['https://a.example/post/1', 'https://a.example/pt-br', true],
  ['https://a.example/post/1', 'https://a.example/zh_CN/', true],
  ['https://a.example/post/1', 'https://a.example/tv', false],
  ['https://blog.a.example/post', 'https://a.example/', true],
  ['https://a.example/?p=1', 'https://a.example/', true],
  ['https://a.example/', 'https://a.example/en/', false],
  ['https://a.example/en', 'https://a.example/', false],
  ['https://a.example/post/1', 'https://a.example/post/1-title', false],
  ['https://a.example/post/1', 'https://a.example/?p=1', false],
  ['https://short.example/x1', 'https://a.example/', false],
  ['https://a.example/home', 'https://a.example/', false],
  ['https://a.example/post', 'https://a.example/enterprise', false],
])('from %s to %s: %s', (from, to, expected) => {
  expect(leadsHome(from, to)).toBe(expected)
})
