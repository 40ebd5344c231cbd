import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDispatcher, createGuard } from '../../../src/server/network/index.js'
import { createProofFinder, wordsOfHead } from '../../../src/server/owners/find-proof.js'
import { localSite, redirectTo, type Route } from '../../local-site.js'
import { send } from '../page/page-site.js'

const TAG = '<meta name="page-preview" content="none nonce">'

describe('the head of a page', () => {
  it.each([
    ['alone', TAG],
    ['among others', `<!doctype html><html><head><meta charset=utf-8><title>a < b</title>${TAG}</head><body>`],
    ['after scripts and styles', `<head><style>a{}</style><script>"<body>"</script><link rel=x><base href=/>${TAG}`],
    ['in capitals', '<HEAD><META NAME="Page-Preview" CONTENT="NONE, nonce">'],
    ['after a comment', `<!-- <body> --><html>\n${TAG}`],
    ['after noscript', `<noscript><meta name="a"><img></noscript>${TAG}`],
  ])('shows a nonce %s', (_, html) => {
    expect(wordsOfHead(html)).toContain('nonce')
  })

  it.each([
    ['in the body', `<head></head><body>${TAG}`],
    ['after an element of the body', `<title>Page</title><p>Comment:</p>${TAG}`],
    ['after a void element of the body', `<title>Page</title><img src=x>${TAG}`],
    ['after text', `<title>Page</title>Hello ${TAG}`],
    ['after the head', `<head><title>Page</title></head>${TAG}`],
    ['in a title', `<title>Results for ${TAG}</title>`],
    ['in a text field that a title has escaped', `<title>Page</title><textarea>${TAG}</textarea>`],
    ['in a script', `<script>document.write('${TAG}')</script>`],
    ['in a comment', `<!-- ${TAG} -->`],
    ['in noscript', `<noscript>${TAG}</noscript>`],
    ['in a template', `<template>${TAG}</template>`],
    ['in an attribute', `<meta name="description" content='${TAG}'>`],
    ['that is escaped', `<title>Page</title>&lt;meta name="page-preview" content="nonce"&gt;`],
    ['by another name', '<meta name="description" content="nonce"><meta property="page-preview" content="nonce">'],
  ])('does not show a nonce %s', (_, html) => {
    expect(wordsOfHead(html)).not.toContain('nonce')
  })

  it('is read only as far as it is one, however long it is', () => {
    expect(wordsOfHead(`<head>${'<link rel=x>'.repeat(20_000)}${TAG}`)).toContain('nonce')
    expect(wordsOfHead(`<head>${'<template>'.repeat(20_000)}${TAG}`)).not.toContain('nonce')
    const many = Array.from({ length: 1_000 }, (_, at) => `<meta name="page-preview" content="${at}">`)
    expect(wordsOfHead(many.join('')).size).toBeLessThanOrEqual(100)
  })
})

async function find(routes: Record<string, Route>, path = '/') {
  const site = await localSite(routes)
  const guard = createGuard({ allowTargets: [site.host] })
  const dispatcher = createDispatcher(guard)
  onTestFinished(async () => {
    await dispatcher.destroy()
    await site.close()
  })
  const { signal } = new AbortController()
  const finder = createProofFinder({ guard, dispatcher })
  const proof = await finder.find(new URL(site.url + path), 'nonce', { client: 'test', signal })
  return { proof, requests: site.requests }
}

const FILE = '/.well-known/page-preview.txt'
const text = (body: string, type = 'text/plain; charset=utf-8', status = 200) =>
  send(body, { 'content-type': type }, status)
const page = (body: string, status = 200) => send(body, { 'content-type': 'text/html' }, status)

it.each<[string, Record<string, Route>, string]>([
  ['the page', { '/': TAG }, 'page'],
  ['a page of another type', { '/': text(TAG, 'application/json'), [FILE]: text('') }, 'absent'],
  ['neither', { '/': '<title>Page</title>', [FILE]: text('other') }, 'absent'],
  ['a page without a file', { '/': '<title>Page</title>' }, 'absent'],
  ['the file', { '/': '<title>Page</title>', [FILE]: text('nonce') }, 'file'],
  ['the file of a page that does not exist', { [FILE]: text('nonce') }, 'file'],
  ['the file of a page that redirects', { '/': redirectTo('/next'), [FILE]: text('nonce') }, 'file'],
  ['a file with more lines', { [FILE]: text('other\r\nnonce\n') }, 'file'],
  ['a file with more on the line', { '/': '', [FILE]: text('nonce and more') }, 'absent'],
  ['a file that is a page', { '/': '', [FILE]: page('nonce') }, 'absent'],
  ['a file that is missing', { '/': '', [FILE]: text('nonce', 'text/plain', 404) }, 'absent'],
  ['a file that redirects', { '/': '', [FILE]: redirectTo('/upload.txt'), '/upload.txt': text('nonce') }, 'absent'],
  ['the end of a large file', { '/': '', [FILE]: text(`${'a\n'.repeat(10_000)}nonce`) }, 'absent'],
  ['a page that redirects to it', { '/': redirectTo('/next'), '/next': TAG }, 'absent'],
  ['an error page', { '/': page(TAG, 404) }, 'absent'],
  ['a page that fails', { '/': page(TAG, 500) }, 'unknown'],
  ['a page that refuses programs', { '/': page(TAG, 403) }, 'unknown'],
  ['a page with a file that fails', { '/': '<title>Page</title>', [FILE]: text('', 'text/plain', 503) }, 'unknown'],
  ['a page that closes the connection', { '/': (request) => void request.socket.destroy() }, 'unknown'],
  ['the start of an endless page', { '/': (_, response) => endless(response, TAG) }, 'page'],
  ['an endless page', { '/': (_, response) => endless(response, '<title>Page</title>') }, 'absent'],
])('a nonce in %s is found: %s', async (_, routes, proof) => {
  expect((await find(routes)).proof).toBe(proof)
})

function endless(response: ServerResponse, start: string) {
  response.writeHead(200, { 'content-type': 'text/html' })
  response.write(start)
  const more = () => {
    while (response.write(`<link rel="x" href="${'x'.repeat(10_000)}">`));
  }
  response.on('drain', more)
  more()
}

it('requests nothing that a page redirects to', async () => {
  const { requests } = await find({ '/go': redirectTo('/next'), '/next': TAG }, '/go')
  expect(requests).toEqual(['GET /go', `GET ${FILE}`])
})

it('refuses a private address', async () => {
  const guard = createGuard({})
  const dispatcher = createDispatcher(guard)
  onTestFinished(() => dispatcher.destroy())
  const { signal } = new AbortController()
  const finding = createProofFinder({ guard, dispatcher }).find(new URL('http://10.0.0.1/'), 'nonce', {
    client: 'test',
    signal,
  })
  await expect(finding).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
})
