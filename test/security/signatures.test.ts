// Covers signed URLs of the pro host: every change of what was signed is refused.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedUrl } from '../../src/client/index.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'

const COMMAND = resolve(import.meta.dirname, '../../src/server/dist/static/commands/page-preview-server.js')
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const LONGEST_SIGNATURE = 86
const EXPIRES = Math.floor(Date.now() / 1_000) + 3_600

let service: AttackedService
let keys: [string, string]
let signed: URL
let original: string

beforeAll(async () => {
  service = await startAttackedService({ '/': '<title>Signed</title>', '/other': '<title>Not signed</title>' })
  keys = [await createKey(), await createKey()]
  signed = await sign(keys[0])
  original = await bodyOf(signed.href)
})
afterAll(() => service.stop())

async function createKey(): Promise<string> {
  const args = [COMMAND, 'keys', 'create', '--name=attacked', `--data-dir=${service.dataDir}`]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
  return /pp_[a-z\d]+_[\w-]+/i.exec(stdout + stderr)![0]
}

const sign = async (key: string, expires = EXPIRES) =>
  new URL(
    await signedUrl(
      { url: `${service.site.url}/`, meta: { title: true }, ttl: '2h', device: 'iPhone 6', headers: { accept: 'a/b' } },
      { endpoint: { pro: service.proUrl.replace(/\/$/, '') }, apiKey: key, expires },
    ),
  )
const bodyOf = async (url: string) => (await fetch(url)).text()

async function expectRefused(url: URL | string): Promise<void> {
  const response = await fetch(url)
  expect([response.status, String(url)]).toEqual([expect.toBeOneOf([400, 401, 403]), String(url)])
}

function changed(change: (parameters: URLSearchParams) => void): URL {
  const url = new URL(signed)
  change(url.searchParams)
  return url
}

describe('signatures', () => {
  it('accepts the signed URL itself', () => expect(JSON.parse(original)).toMatchObject({ data: { title: 'Signed' } }))

  it.each(Array.from({ length: LONGEST_SIGNATURE }, (_, index) => index))(
    'refuses each changed bit of character %i of the signature',
    async (position) => {
      const signature = signed.searchParams.get('signature')!
      const index = position % signature.length
      for (let bit = 1; bit < ALPHABET.length; bit *= 2) {
        const char = ALPHABET[ALPHABET.indexOf(signature[index]!) ^ bit]!
        await expectRefused(
          changed((parameters) =>
            parameters.set('signature', signature.slice(0, index) + char + signature.slice(index + 1)),
          ),
        )
      }
    },
  )

  it.each<[string, (signature: string) => string]>([
    ['cut', (signature) => signature.slice(0, -1)],
    ['with a character more', (signature) => `${signature}A`],
    ['padded', (signature) => `${signature}=`],
    ['empty', () => ''],
    ['in standard base64', (signature) => `${signature.replaceAll('-', '+').replaceAll('_', '/')}+`],
    ['in hexadecimal', (signature) => Buffer.from(signature, 'base64url').toString('hex')],
    ['in lower case', (signature) => signature.toLowerCase().replace(/^./, '_')],
    ['with white space', (signature) => `${signature} `],
    ['with a zero byte', (signature) => `${signature}\0`],
    ['with a line break', (signature) => `${signature}\n`],
    ['with Unicode look-alikes', (signature) => `${signature.slice(0, -1)}Ａ`],
    ['true', () => 'true'],
    ['undefined', () => 'undefined'],
    ['an object', () => '[object Object]'],
  ])('refuses a signature that is %s', (_, change) =>
    expectRefused(changed((parameters) => parameters.set('signature', change(parameters.get('signature')!)))),
  )

  it.each(['url', 'meta.title', 'ttl', 'device', 'headers.accept', 'keyId', 'expires', 'signature'])(
    'refuses the URL without %s',
    (name) => {
      expect([...signed.searchParams.keys()]).toContain(name)
      return expectRefused(changed((parameters) => parameters.delete(name)))
    },
  )

  it.each<[string, string]>([
    ['url', 'other'],
    ['meta.title', 'false'],
    ['ttl', '3h'],
    ['device', 'iPad'],
    ['headers.accept', 'a/c'],
    ['keyId', 'another'],
    ['expires', String(EXPIRES + 1)],
  ])('refuses another value of %s', (name, value) =>
    expectRefused(
      changed((parameters) => parameters.set(name, name === 'url' ? `${parameters.get(name)}${value}` : value)),
    ),
  )

  it.each(['url', 'meta.title', 'ttl', 'device', 'headers.accept', 'keyId', 'expires', 'signature'])(
    'refuses a second, different %s, before and behind',
    async (name) => {
      const pair = `${name}=${name === 'url' ? encodeURIComponent(`${service.site.url}/other`) : 'b'}`
      await expectRefused(`${signed.href}&${pair}`)
      await expectRefused(signed.href.replace('?', `?${pair}&`))
    },
  )

  it.each([
    'force=true',
    'screenshot=true',
    'embed=title',
    'embed=html',
    'timeout=5s',
    'staleTtl=0',
    'filter=title',
    'ping=false',
    'javascript=false',
    'meta.author=true',
    'headers.cookie=a',
    'headers.authorization=a',
    'styles=a{}',
    'click=a',
    'palette=true',
    'overlay.background=red',
    'element=a',
    'waitForTimeout=1s',
  ])('refuses the URL with %s added', async (pair) => {
    await expectRefused(`${signed.href}&${pair}`)
    await expectRefused(signed.href.replace('?', `?${pair}&`))
  })

  it.each([
    ['in the past', '1'],
    ['with a fraction', `${EXPIRES}.0`],
    ['in scientific notation', '9e9'],
    ['in hexadecimal', '0xffffffff'],
    ['with a sign', `+${EXPIRES}`],
    ['negative', '-1'],
    ['infinite', 'Infinity'],
    ['not a number', 'NaN'],
    ['empty', ''],
  ])('refuses an expiry that is %s', (_, expires) =>
    expectRefused(changed((parameters) => parameters.set('expires', expires))),
  )

  it('refuses a URL that was signed with an expiry in the past', async () =>
    expectRefused(await sign(keys[0], EXPIRES - 7_200)))

  it('refuses the signature of another key', async () => {
    const other = await sign(keys[1])
    await expectRefused(changed((parameters) => parameters.set('keyId', other.searchParams.get('keyId')!)))
    await expectRefused(changed((parameters) => parameters.set('signature', other.searchParams.get('signature')!)))
  })

  it.each<[string, (url: string) => string]>([
    [
      'another order',
      (url) => url.replace(/\?(.*)$/, (_, text: string) => `?${text.split('&').toReversed().join('&')}`),
    ],
    ['another percent-encoding', (url) => url.replace('iPhone', '%69%50hone').replace('keyId', '%6beyId')],
    ['another spelling of names', (url) => url.replace('keyId', 'key_id')],
    ['an unknown parameter', (url) => `${url}&utm_source=a`],
    ['a parameter that changes nothing', (url) => `${url}&meta=false`],
    ['a fragment', (url) => `${url}#a`],
  ])('gives the signed result, and no other, for %s', async (_, change) => {
    const response = await fetch(change(signed.href))
    if (response.ok) expect(await response.json()).toMatchObject({ data: JSON.parse(original).data })
    else expect(response.status).toBe(403)
  })

  it('does not accept the signature at /oembed for another page, or without it', async () => {
    const oembed = (url: string) => `${service.proUrl}oembed?url=${encodeURIComponent(url)}`
    await expectRefused(oembed(`${service.site.url}/`))
    await expectRefused(oembed(signed.href.replace('title=true', 'title=false').replace('meta.title&', '')))
    await expectRefused(`${oembed(`${service.site.url}/`)}&${signed.search.slice(1)}`)
  })

  it.each([
    'pp_',
    'pp__',
    'pp_a_b',
    'undefined',
    '__proto__',
    'pp___proto___aaaaaaaaaaaaaaaa',
    'pp_constructor_aaaaaaaaaaaaaaaaaaaa',
    '*',
  ])('refuses the key %s', async (key) => {
    const url = `${service.proUrl}?url=${encodeURIComponent(`${service.site.url}/`)}`
    expect((await fetch(url, { headers: { 'x-api-key': key } })).status).toBe(403)
    expect((await fetch(`${url}&headers.apiKey=${encodeURIComponent(key)}`)).status).toBe(403)
  })

  it('refuses a signed URL once its key is revoked', async () => {
    await promisify(execFile)(process.execPath, [COMMAND, 'keys', 'revoke', keys[0], `--data-dir=${service.dataDir}`])
    await expectRefused(signed)
  })
})
