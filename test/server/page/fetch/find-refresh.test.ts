import { describe, expect, it } from 'vitest'
import { findRefresh } from '../../../../src/server/page/fetch/find-refresh.js'
import { redirectTo } from '../../../local-site.js'
import { otherSite, pageSite, send } from '../page-site.js'

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const URL_OF_PAGE = 'https://a.example/dir/page'
const meta = (content: string) =>
  `<!doctype html><html><head><title>Moved</title><meta http-equiv="refresh" content="${content}"></head>`
const targetOf = (html: string, headers: Record<string, string> = {}) =>
  findRefresh({ url: URL_OF_PAGE, headers: { ...HTML, ...headers } }, Buffer.from(html))?.href

describe('a refresh', () => {
  it.each([
    ['0; url=/b', '/b'],
    ['0;URL=/b', '/b'],
    ['0;URL=b', '/dir/b'],
    [`0; url='/b'`, '/b'],
    ['0; url=&quot;/b&quot;', '/b'],
    [`0; url='/b`, '/b'],
    [`0; url = /b `, '/b'],
    ['0, url=/b', '/b'],
    ['0 url=/b', '/b'],
    ['0; /b', '/b'],
    [`0; '/b'`, '/b'],
    ['  3 ; url=/b', '/b'],
    ['0.5; url=/b', '/b'],
    ['.5; url=/b', '/b'],
    ['5; url=/b', '/b'],
    ['0; url=//b.example/x', 'https://b.example/x'],
    ['0; url=https://b.example/?a=1&amp;b=2', 'https://b.example/?a=1&b=2'],
    ['0; url=/größe', '/gr%C3%B6%C3%9Fe'],
    ['0; url=/with space', '/with%20space'],
    ['0;', '/dir/page'],
    ['0', '/dir/page'],
  ])('%s leads to %s', (content, target) => {
    expect(targetOf(meta(content))).toBe(new URL(target, URL_OF_PAGE).href)
    if (!/&|ß/.test(content))
      expect(targetOf('<title>x</title>', { refresh: content })).toBe(new URL(target, URL_OF_PAGE).href)
  })

  it.each([
    ['a long delay', meta('30; url=/b')],
    ['a delay to read the page', meta('10; url=/b')],
    ['a news page that reloads', meta('300')],
    ['a file to download', meta('3; url=/tides.zip?mirror=2')],
    ['an installer to download', meta('5; url=https://b.example/Tides-2.1.EXE')],
    ['no number', meta('url=/b')],
    ['a number with text behind it', meta('0url=/b')],
    ['an empty value', meta('')],
    ['a script', meta('0; url=javascript:alert(1)')],
    ['an app', meta('0; url=intent://open#Intent;scheme=app;end')],
    ['a mail', meta('0; url=mailto:a@b.example')],
    ['in noscript', `<noscript>${meta('0; url=/no-js')}</noscript>`],
    ['in noscript in the head', '<head><noscript><meta http-equiv="refresh" content="0;url=/nojs"></noscript></head>'],
    ['in a comment', `<!-- ${meta('0; url=/b')} -->`],
    [
      'in a comment for Internet Explorer',
      '<!--[if lt IE 9]><meta http-equiv="refresh" content="0;url=/old"><![endif]-->',
    ],
    ['in a template', `<template>${meta('0; url=/b')}</template>`],
    ['in a script', `<script>document.write('${meta('0; url=/b')}')</script>`],
    ['in a text field', `<textarea>${meta('0; url=/b')}</textarea>`],
    ['as text', '<p>Write &lt;meta http-equiv="refresh" content="0; url=/b"&gt;'],
    ['another http-equiv', '<meta http-equiv="x-ua-compatible" content="0; url=/b">'],
    ['a name', '<meta name="refresh" content="0; url=/b">'],
    ['without content', '<meta http-equiv="refresh">'],
  ])('is none: %s', (_, html) => {
    expect(targetOf(html)).toBeUndefined()
  })

  it.each([
    ['upper case', '<META HTTP-EQUIV=Refresh CONTENT="0; URL=/b">', '/b'],
    ['without quotes', '<meta http-equiv=refresh content=0;url=/b>', '/b'],
    ['attributes the other way round', `<meta content='0;url=/b' http-equiv='refresh'/>`, '/b'],
    ['in the body', '<body><p>Moved</p><meta http-equiv="refresh" content="0;url=/b">', '/b'],
    ['after a noscript', '<noscript><p>x</p></noscript><meta http-equiv="refresh" content="0;url=/b">', '/b'],
    ['relative to the base', '<base href="/base/"><meta http-equiv="refresh" content="0;url=b">', '/base/b'],
    ['the first of several', `${meta('0;url=/b')}${meta('0;url=/c')}`, '/b'],
  ])('is found: %s', (_, html, path) => {
    expect(targetOf(html)).toBe(`https://a.example${path}`)
  })

  it('of the header counts before that of the document', () => {
    expect(targetOf(meta('0; url=/b'), { refresh: '1; url=/header' })).toBe('https://a.example/header')
    expect(targetOf(meta('0; url=/b'), { refresh: '60' })).toBeUndefined()
  })
})

describe('a page with a refresh', () => {
  it('is a hop to the next page', async () => {
    const site = await pageSite({
      '/': meta('0; url=/b'),
      '/b': redirectTo('/c', 301),
      '/c': send('<title>C</title>', { ...HTML, refresh: '2;url=/d' }),
      '/d': '<title>D</title>',
    })
    expect(await site.fetch('/#part')).toMatchObject({
      url: `${site.url}/d#part`,
      html: '<title>D</title>',
      redirects: [
        { statusCode: 200, url: `${site.url}/#part` },
        { statusCode: 301, url: `${site.url}/b#part` },
        { statusCode: 200, url: `${site.url}/c#part` },
      ],
    })
  })

  it('is read for its metadata where it leads', async () => {
    const site = await pageSite({ '/': meta('0; url=/b'), '/b': '<title>The page itself</title>' })
    const { data, redirects, statusCode } = await site.read()
    expect(data).toMatchObject({ title: 'The page itself', url: `${site.url}/b` })
    expect(redirects).toEqual([{ statusCode: 200, url: `${site.url}/` }])
    expect(statusCode).toBe(200)
  })

  it('keeps its cookies for the next page', async () => {
    const site = await pageSite({
      '/': ({ headers }, response) =>
        headers.cookie === 'checked=1'
          ? void response.writeHead(200, HTML).end('<title>Shown</title>')
          : void response.writeHead(200, { ...HTML, 'set-cookie': 'checked=1' }).end(meta('1')),
    })
    expect(await site.fetch()).toMatchObject({ html: '<title>Shown</title>', redirects: [{ statusCode: 200 }] })
  })

  it('is not left in a circle', async () => {
    const site = await pageSite({
      '/': meta('0'),
      '/a': meta('0;url=/b'),
      '/b': meta('0;url=/a'),
      '/hash': meta('0;url=#x'),
    })
    for (const [path, requests] of [
      ['/', 1],
      ['/hash', 1],
      ['/a', 2],
    ] as const) {
      site.requests.length = 0
      expect(await site.fetch(path)).toMatchObject({ statusCode: 200, html: expect.stringContaining('Moved') })
      expect(site.requests).toHaveLength(requests)
    }
  })

  it('is left soon if each response sets another cookie', async () => {
    let count = 0
    const site = await pageSite({
      '/': (_, response) => void response.writeHead(200, { ...HTML, 'set-cookie': `visit=${count++}` }).end(meta('1')),
    })
    expect(await site.fetch()).toMatchObject({ statusCode: 200, html: expect.stringContaining('Moved') })
    expect(site.requests).toHaveLength(3)
  })

  it('counts towards the limit of redirects', async () => {
    const routes = Object.fromEntries(Array.from({ length: 12 }, (_, hop) => [`/${hop}`, meta(`0;url=/${hop + 1}`)]))
    const site = await pageSite({ ...routes, '/12': 'there' })
    await expect(site.fetch('/0')).rejects.toMatchObject({ code: 'EMAXREDIRECTS' })
    expect((await site.fetch('/2')).redirects).toHaveLength(10)
  })

  it('never leads past the guard', async () => {
    const canary = await otherSite({ '/': 'reached' })
    const site = await pageSite({ '/': meta(`0;url=${canary.url}/`) })
    await expect(site.fetch()).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    expect(canary.requests).toEqual([])
  })

  it.each([
    ['an archive', { 'content-type': 'application/zip' }, 200],
    ['an attachment', { 'content-type': 'text/html', 'content-disposition': 'attachment; filename=a.html' }, 200],
    ['an unknown file', { 'content-type': 'application/octet-stream' }, 200],
    ['nothing', {}, 204],
  ])('is kept while a browser downloads %s', async (_, headers, statusCode) => {
    const site = await pageSite({ '/': meta('3;url=/file'), '/file': send('', headers, statusCode) })
    expect(await site.fetch()).toMatchObject({ url: `${site.url}/`, contentType: 'text/html', redirects: [] })
  })

  it('leads to a file that a browser shows', async () => {
    const site = await pageSite({
      '/': meta('0;url=/a.pdf'),
      '/a.pdf': send('%PDF', { 'content-type': 'application/pdf' }),
    })
    expect(await site.fetch()).toMatchObject({ url: `${site.url}/a.pdf`, contentType: 'application/pdf' })
  })
})
