// Covers HTML that is a bot check; `page-state/judge-document.test.ts` has the other states.
import { describe, expect, it } from 'vitest'
import { pageSite, send } from './page-site.js'

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const TEXT = 'A paragraph of the article itself, with much to say about the matter. '.repeat(60)

const pageWithTitle = (title: string, body = '') =>
  `<html lang="en"><title>${title}</title><meta property="og:image" content="/challenge.png"><body>${body}<script></script>`

const readResponse = async (statusCode: number, html: string, headers: Record<string, string> = {}) => {
  const site = await pageSite({ '/story': send(html, { ...HTML, ...headers }, statusCode) })
  return { site, result: await site.read({}, '/story') }
}

describe('a bot check', () => {
  it('hides the metadata, but neither the URL nor the response', async () => {
    const { site, result } = await readResponse(403, pageWithTitle('Just a moment...'), { 'x-served-by': 'edge' })
    expect(result).toMatchObject({
      data: { title: null, description: null, image: null, lang: null, publisher: null, url: `${site.url}/story` },
      statusCode: 403,
      headers: { 'x-served-by': 'edge' },
      state: 'bot-check',
    })
    expect(result.summary).toBeUndefined()
  })

  it.each<[statusCode: number, title: string]>([
    [403, 'Access Denied'],
    [403, 'Attention Required! | Cloudflare'],
    [503, 'Just a moment…'],
    [200, 'Just a moment...'],
    [200, 'Are you a robot?'],
    [200, 'Please verify you are a human'],
    [429, 'Security Check'],
    [405, 'Human Verification'],
    [200, 'Robot or human?'],
    [200, 'Pardon Our Interruption...'],
    [200, 'Making sure you&#39;re not a bot!'],
    [403, 'Access to this page has been denied.'],
  ])('is recognised by status %i and the title %s', async (statusCode, title) => {
    expect((await readResponse(statusCode, pageWithTitle(title))).result).toMatchObject({
      data: { title: null },
      state: 'bot-check',
    })
  })

  it.each<[product: string, statusCode: number, html: string]>([
    ['Cloudflare', 403, pageWithTitle('Un momento…', '<script>window._cf_chl_opt={cvId:"3"}</script>')],
    ['DataDome', 403, pageWithTitle('shop.example', '<script src="https://ct.captcha-delivery.com/c.js"></script>')],
    ['PerimeterX', 403, pageWithTitle('Shop', '<div id="px-captcha"></div>')],
    ['Incapsula', 200, '<body>Request unsuccessful. Incapsula incident ID: 877000-1'],
    ['Akamai', 403, pageWithTitle('Access Denied', 'Reference #18.1 https://errors.edgesuite.net/18.1')],
    ['AWS', 202, pageWithTitle('', '<script>window.gokuProps = {"key":"x"}</script>')],
    ['Kasada', 429, '<script src="/149e/ips.js?KP_UIDz=0b"></script>'],
  ])('of %s is recognised by markup of its challenge page', async (_, statusCode, html) => {
    expect((await readResponse(statusCode, html)).result).toMatchObject({ data: { title: null }, state: 'bot-check' })
  })

  it('is recognised by a response header', async () => {
    const { result } = await readResponse(200, pageWithTitle('One minute'), { 'cf-mitigated': 'challenge' })
    expect(result).toMatchObject({ data: { title: null }, state: 'bot-check' })
  })
})

describe('a page that is not a bot check', () => {
  it.each<[statusCode: number, title: string, body: string]>([
    [200, 'Access denied: a history', TEXT],
    [200, 'Access Denied', TEXT],
    [200, 'Access Denied', 'A short poem.'],
    [200, 'Captcha', 'A dictionary entry.'],
    [403, 'Access Denied', TEXT],
    [200, 'Just a Moment', TEXT],
    [200, 'How challenges work', `${TEXT}<code>_cf_chl_opt</code> and <code>captcha-delivery.com</code>`],
    [200, 'Shop', '<script src="https://js.datadome.co/tags.js"></script><script>window.__CF$cv$params={}</script>'],
    [200, 'Shop', '<script src="/_Incapsula_Resource?SWJIYLWA=719d34d3"></script><script>_pxAppId="PX1"</script>'],
  ])('keeps its title: %i %s', async (statusCode, title, body) => {
    const { result } = await readResponse(statusCode, pageWithTitle(title, body))
    expect(result).toMatchObject({ data: { title }, state: undefined })
  })

  it('keeps its title if it has its own metadata', async () => {
    const html = `<meta name="description" content="A song.">${pageWithTitle('Just a Moment')}`
    expect((await readResponse(200, html)).result.data.title).toBe('Just a Moment')
  })
})
