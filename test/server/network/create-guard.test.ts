import { describe, expect, it, vi } from 'vitest'
import { createGuard } from '../../../src/server/network/index.js'

const publicly = async () => [{ address: '93.184.215.14', family: 4 }]
const privately = async () => [{ address: '10.1.2.3', family: 4 }]
const mixed = async () => [...(await publicly()), ...(await privately())]

describe('a guard', () => {
  it('gives the address to dial, and the name to say', async () => {
    const guard = createGuard({ resolve: publicly })
    expect(await guard.check('https://Example.com./path')).toEqual({
      hostname: 'example.com',
      port: 443,
      address: '93.184.215.14',
      family: 4,
    })
    expect(await guard.check('http://[2606:4700::1111]:8080/')).toEqual({
      hostname: '2606:4700::1111',
      port: 8080,
      address: '2606:4700::1111',
      family: 6,
    })
  })

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://①②⑦.⓪.⓪.①/',
    'http://%31%32%37.0.0.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:ffff:7f00:0001]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://168.63.129.16/',
    'http://8.8.8.8:22/',
    'http://8.8.8.8:6379/',
    'http://8.8.8.8:0/',
  ])('refuses %s without asking a resolver', async (url) => {
    const resolve = vi.fn(publicly)
    await expect(createGuard({ resolve }).check(url)).rejects.toMatchObject({ code: 'EFORBIDDENURL', status: 403 })
    expect(resolve).not.toHaveBeenCalled()
  })

  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'ws://example.com/',
    'example.com',
    '',
    'http://u:p@example.com/',
  ])('finds "%s" invalid', async (url) => {
    await expect(createGuard({ resolve: publicly }).check(url)).rejects.toMatchObject({ code: 'EINVALURL' })
  })

  it('says why, in the sentence and for the word', async () => {
    await expect(createGuard({}).check('http://10.0.0.1/')).rejects.toMatchObject({
      message: '10.0.0.1 may not be fetched: it is not a public address. Use the URL of a public page.',
      data: { url: 'it is not a public address' },
    })
  })

  it('refuses a name of the machine itself, as the real resolver knows it', async () => {
    await expect(createGuard({}).check('http://localhost:8080/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
  })

  it('refuses a name when only one of its addresses is private', async () => {
    await expect(createGuard({ resolve: mixed }).check('http://mixed.example/')).rejects.toMatchObject({
      code: 'EFORBIDDENURL',
    })
  })

  it('resolves once per decision, and decides anew each time', async () => {
    const answers = ['93.184.215.14', '127.0.0.1']
    const resolve = vi.fn(async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }])
    const guard = createGuard({ resolve })
    expect((await guard.check('http://rebinding.example/')).address).toBe('93.184.215.14')
    expect(resolve).toHaveBeenCalledTimes(1)
    await expect(guard.check('http://rebinding.example/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
  })

  it('finds a name invalid that does not resolve, or to nothing', async () => {
    const cause = new Error('getaddrinfo ENOTFOUND')
    const failing = createGuard({ resolve: () => Promise.reject(cause) })
    await expect(failing.check('http://nowhere.invalid/')).rejects.toMatchObject({ code: 'EINVALURL', cause })
    const empty = createGuard({ resolve: async () => [] })
    await expect(empty.check('http://nowhere.invalid/')).rejects.toMatchObject({ code: 'EINVALURL' })
  })

  it('gives up a resolver that does not answer', async () => {
    vi.useFakeTimers()
    try {
      const check = createGuard({ resolve: () => new Promise(() => {}) }).check('http://slow.example/')
      const outcome = expect(check).rejects.toMatchObject({ code: 'ETIMEOUT', status: 504 })
      await vi.advanceTimersByTimeAsync(5_000)
      await outcome
    } finally {
      vi.useRealTimers()
    }
  })

  it('stops for the reason of its signal', async () => {
    const reason = new Error('nobody waits any more')
    const stop = new AbortController()
    const check = createGuard({ resolve: () => new Promise(() => {}) }).check('http://slow.example/', {
      signal: stop.signal,
    })
    stop.abort(reason)
    await expect(check).rejects.toBe(reason)
    await expect(createGuard({}).check('http://8.8.8.8/', { signal: stop.signal })).rejects.toBe(reason)
  })
})

describe('allowed targets', () => {
  it('lets a host through on every port that pages are served on', async () => {
    const guard = createGuard({ allowTargets: ['intranet.example', '[::1]', '127.0.0.1'], resolve: privately })
    expect((await guard.check('http://INTRANET.example:8080/')).address).toBe('10.1.2.3')
    expect((await guard.check('http://[0:0::1]/')).family).toBe(6)
    expect((await guard.check('http://2130706433/')).address).toBe('127.0.0.1')
    await expect(guard.check('http://intranet.example:22/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    await expect(guard.check('http://other.example/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
  })

  it('lets a host with a port through on that port only, whatever port it is', async () => {
    const guard = createGuard({
      allowTargets: ['127.0.0.1:22', 'intranet.example:80', '[::1]:9200'],
      resolve: privately,
    })
    expect((await guard.check('http://127.0.0.1:22/')).port).toBe(22)
    expect((await guard.check('http://intranet.example/')).port).toBe(80)
    expect((await guard.check('http://[::1]:9200/')).port).toBe(9200)
    await expect(guard.check('http://127.0.0.1:8080/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    await expect(guard.check('https://intranet.example/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
  })

  it('never lets a name through because of what it resolves to', async () => {
    const guard = createGuard({ allowTargets: ['10.1.2.3'], resolve: privately })
    await expect(guard.check('http://attacker.example/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
  })

  it.each(['', '*', 'http://intranet.example', '::1', 'a b', 'host:0', 'host:65536', 'user@host', 'host/path'])(
    'refuses the entry "%s" with a sentence',
    (entry) => expect(() => createGuard({ allowTargets: [entry] })).toThrow(/write HOST or HOST:PORT/),
  )
})
