import { describe, expect, it, vi } from 'vitest'
import { createGuard } from '../../../src/server/network/index.js'

const resolvePublic = async () => [{ address: '93.184.215.14', family: 4 }]
const resolvePrivate = async () => [{ address: '10.1.2.3', family: 4 }]
const resolveMixed = async () => [...(await resolvePublic()), ...(await resolvePrivate())]

describe('the guard', () => {
  it('returns the address to connect to and the host name', async () => {
    const guard = createGuard({ resolve: resolvePublic })
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
  ])('refuses %s without a DNS query', async (url) => {
    const resolve = vi.fn(resolvePublic)
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
    await expect(createGuard({ resolve: resolvePublic }).check(url)).rejects.toMatchObject({ code: 'EINVALURL' })
  })

  it('names the reason in the message and for the parameter', async () => {
    await expect(createGuard({}).check('http://10.0.0.1/')).rejects.toMatchObject({
      message: '10.0.0.1 may not be fetched: it is not a public address. Use the URL of a public page.',
      data: { url: 'it is not a public address' },
    })
  })

  it('refuses localhost as the system resolves it', async () => {
    await expect(createGuard({}).check('http://localhost:8080/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
  })

  it('refuses a name if any of its addresses is private', async () => {
    await expect(createGuard({ resolve: resolveMixed }).check('http://mixed.example/')).rejects.toMatchObject({
      code: 'EFORBIDDENURL',
    })
  })

  it('resolves the name once per check, and again for the next check', async () => {
    const addresses = ['93.184.215.14', '127.0.0.1']
    const resolve = vi.fn(async () => [{ address: addresses.shift() ?? '127.0.0.1', family: 4 }])
    const guard = createGuard({ resolve })
    expect((await guard.check('http://rebinding.example/')).address).toBe('93.184.215.14')
    expect(resolve).toHaveBeenCalledTimes(1)
    await expect(guard.check('http://rebinding.example/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
  })

  it('rejects a name that does not resolve, or resolves to no address', async () => {
    const cause = new Error('getaddrinfo ENOTFOUND')
    const failing = createGuard({ resolve: () => Promise.reject(cause) })
    await expect(failing.check('http://nowhere.invalid/')).rejects.toMatchObject({ code: 'EINVALURL', cause })
    const empty = createGuard({ resolve: async () => [] })
    await expect(empty.check('http://nowhere.invalid/')).rejects.toMatchObject({ code: 'EINVALURL' })
  })

  it('times out when DNS does not respond', async () => {
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

  it('rejects with the reason of its signal', async () => {
    const reason = new Error('the client disconnected')
    const controller = new AbortController()
    const check = createGuard({ resolve: () => new Promise(() => {}) }).check('http://slow.example/', {
      signal: controller.signal,
    })
    controller.abort(reason)
    await expect(check).rejects.toBe(reason)
    await expect(createGuard({}).check('http://8.8.8.8/', { signal: controller.signal })).rejects.toBe(reason)
  })
})

describe('allowed targets', () => {
  it('permit a host on every web port', async () => {
    const guard = createGuard({ allowTargets: ['intranet.example', '[::1]', '127.0.0.1'], resolve: resolvePrivate })
    expect((await guard.check('http://INTRANET.example:8080/')).address).toBe('10.1.2.3')
    expect((await guard.check('http://[0:0::1]/')).family).toBe(6)
    expect((await guard.check('http://2130706433/')).address).toBe('127.0.0.1')
    await expect(guard.check('http://intranet.example:22/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    await expect(guard.check('http://other.example/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
  })

  it('permit a host with a port on that port only, even one that is blocked otherwise', async () => {
    const guard = createGuard({
      allowTargets: ['127.0.0.1:22', 'intranet.example:80', '[::1]:9200'],
      resolve: resolvePrivate,
    })
    expect((await guard.check('http://127.0.0.1:22/')).port).toBe(22)
    expect((await guard.check('http://intranet.example/')).port).toBe(80)
    expect((await guard.check('http://[::1]:9200/')).port).toBe(9200)
    await expect(guard.check('http://127.0.0.1:8080/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    await expect(guard.check('https://intranet.example/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
  })

  it('never permit a name because of the address it resolves to', async () => {
    const guard = createGuard({ allowTargets: ['10.1.2.3'], resolve: resolvePrivate })
    await expect(guard.check('http://attacker.example/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
  })

  it.each(['', '*', 'http://intranet.example', '::1', 'a b', 'host:0', 'host:65536', 'user@host', 'host/path'])(
    'reject the invalid entry "%s"',
    (entry) => expect(() => createGuard({ allowTargets: [entry] })).toThrow(/write HOST or HOST:PORT/),
  )
})

describe('public addresses that are not for callers', () => {
  const readInterfaces = () => ({ eth0: [{ address: '93.184.215.14' }] })

  it('rejects the addresses of this machine, unless the target is allowed', async () => {
    const options = { readInterfaces, resolve: resolvePublic }
    for (const url of ['http://93.184.215.14/', 'http://[::ffff:5db8:d70e]/', 'http://own.example/'])
      await expect(createGuard(options).check(url), url).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    const guard = createGuard({ ...options, allowTargets: ['own.example'] })
    expect(await guard.check('http://own.example/')).toMatchObject({ address: '93.184.215.14' })
  })

  it('rejects the ranges that the operator denies, unless the target is allowed', async () => {
    const options = { denyTargets: ['93.184.0.0/16', '2606:4700::/32'], resolve: resolvePublic }
    for (const url of ['http://93.184.215.14/', 'http://[2606:4700::1111]/', 'http://denied.example/'])
      await expect(createGuard(options).check(url), url).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    const guard = createGuard({ ...options, allowTargets: ['denied.example'] })
    expect(await guard.check('http://denied.example/')).toMatchObject({ address: '93.184.215.14' })
  })
})
