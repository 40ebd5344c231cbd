import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isAllowedPort } from '../../../src/server/network/guard.js'
import { createGuard } from '../../../src/server/network/index.js'

const resolvePublic = async () => ['93.184.215.14']
const resolvePrivate = async () => ['10.1.2.3']
const resolveMixed = async () => [...(await resolvePublic()), ...(await resolvePrivate())]
const resolveNever = (_: string, signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

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

  it.each(['localhost', 'LOCALHOST.', 'app.localhost', 'a.b.localhost'])(
    'knows that %s is loopback without a DNS query',
    async (host) => {
      const resolve = vi.fn(resolvePublic)
      const check = createGuard({ resolve }).check(`http://${host}:8080/`)
      await expect(check).rejects.toMatchObject({ code: 'EFORBIDDENURL', status: 403 })
      const guard = createGuard({ resolve, allowTargets: [host.replace(/\.$/, '')] })
      expect(await guard.check(`http://${host}:8080/`)).toMatchObject({ address: '127.0.0.1' })
      expect(resolve).not.toHaveBeenCalled()
    },
  )

  it('fails in the same way for a private name as for a missing one, but counts it as a refusal', async () => {
    const resolveNothing = () => Promise.reject(Object.assign(new Error('queryA'), { code: 'ENOTFOUND' }))
    const failures = [resolvePrivate, resolveMixed, resolveNothing, async () => []].map(async (resolve) => {
      const guard = createGuard({ resolve })
      const error: unknown = await guard.check('http://name.example/').catch((reason: unknown) => reason)
      return { error, refusals: guard.refusals().address }
    })
    const message = 'name.example has no public address, or does not exist. Check the URL.'
    const error = { code: 'EINVALURL', status: 400, message, data: { url: 'its host has no public address' } }
    const refused = { ...error, cause: { code: 'EFORBIDDENURL' } }
    const expected = [
      ...[refused, refused].map((each) => ({ error: each, refusals: 1 })),
      ...[error, error].map((each) => ({ error: each, refusals: 0 })),
    ]
    expect(await Promise.all(failures)).toMatchObject(expected)
  })

  it.each([
    'evil.example..',
    'evil.example。。',
    'a..b',
    '.a',
    '.',
    '..',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}a`,
    `${'ä'.repeat(60)}.example`,
  ])('finds the host %s invalid without a DNS query', async (host) => {
    const resolve = vi.fn(resolvePublic)
    const guard = createGuard({ resolve })
    await expect(guard.check(`http://${host}/`)).rejects.toMatchObject({ code: 'EINVALURL', status: 400 })
    expect(resolve).not.toHaveBeenCalled()
    expect(() => guard.checkHost('evil.example.')).toThrow(expect.objectContaining({ code: 'EINVALURL' }))
  })

  it.each(['xn--mnchen-3ya.example', 'münchen.example.', '_dmarc.example', `${'a'.repeat(63)}.example`, 'a.b'])(
    'resolves the host %s',
    async (host) => {
      expect(await createGuard({ resolve: resolvePublic }).check(`http://${host}/`)).toMatchObject({ family: 4 })
    },
  )

  it('resolves the name once per check, and again for the next check', async () => {
    const addresses = ['93.184.215.14', '127.0.0.1']
    const resolve = vi.fn(async () => [addresses.shift() ?? '127.0.0.1'])
    const guard = createGuard({ resolve })
    expect((await guard.check('http://rebinding.example/')).address).toBe('93.184.215.14')
    expect(resolve).toHaveBeenCalledTimes(1)
    await expect(guard.check('http://rebinding.example/')).rejects.toMatchObject({ code: 'EINVALURL' })
  })

  it('times out when DNS does not respond', async () => {
    vi.useFakeTimers()
    try {
      const check = createGuard({ resolve: resolveNever }).check('http://slow.example/')
      const outcome = expect(check).rejects.toMatchObject({ code: 'ETIMEOUT', status: 504 })
      await vi.advanceTimersByTimeAsync(5_000)
      await outcome
    } finally {
      vi.useRealTimers()
    }
  })

  it('looks names up for one page while the name servers of another one do not answer', async () => {
    const resolve = (hostname: string, signal: AbortSignal) =>
      hostname.endsWith('.dead.example') ? resolveNever(hostname, signal) : resolvePublic()
    const guard = createGuard({ resolve })
    const attacked = guard.forPage()
    const ends = Array.from({ length: 100 }, () => new AbortController())
    const dead = ends.map(({ signal }, n) => attacked.check(`http://n${n}.dead.example/`, { signal }))
    for (const other of [guard.forPage(), guard])
      expect(await other.check('http://page.example/')).toMatchObject({ address: '93.184.215.14' })
    for (const end of ends) end.abort(new Error('the capture has ended'))
    expect((await Promise.allSettled(dead)).every(({ status }) => status === 'rejected')).toBe(true)
  })

  it('rejects with the reason of its signal', async () => {
    const reason = new Error('the client disconnected')
    const controller = new AbortController()
    const check = createGuard({ resolve: resolveNever }).check('http://slow.example/', {
      signal: controller.signal,
    })
    controller.abort(reason)
    await expect(check).rejects.toBe(reason)
    await expect(createGuard({}).check('http://8.8.8.8/', { signal: controller.signal })).rejects.toBe(reason)
  })
})

describe('a port', () => {
  it.each([80, 443, 1024, 3000, 3001, 4200, 5000, 5173, 6006, 8000, 8080, 8443, 8888, 9000, 65_535])(
    'of %i is allowed, where web pages are served',
    (port) => expect(isAllowedPort(port)).toBe(true),
  )
  it.each([0, 1, 21, 22, 25, 53, 81, 445, 1023, 2375, 3306, 5432, 5900, 6379, 9200, 9222, 10250, 11211, 27017, 65_536])(
    'of %i is blocked',
    (port) => expect(isAllowedPort(port)).toBe(false),
  )
})

describe('allowed targets', () => {
  it('permit a host on every web port', async () => {
    const guard = createGuard({ allowTargets: ['intranet.example', '[::1]', '127.0.0.1'], resolve: resolvePrivate })
    expect((await guard.check('http://INTRANET.example:8080/')).address).toBe('10.1.2.3')
    expect((await guard.check('http://[0:0::1]/')).family).toBe(6)
    expect((await guard.check('http://2130706433/')).address).toBe('127.0.0.1')
    await expect(guard.check('http://intranet.example:22/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    await expect(guard.check('http://other.example/')).rejects.toMatchObject({ code: 'EINVALURL' })
  })

  it('permit a host with a port on that port only, even a port that is blocked otherwise', async () => {
    const guard = createGuard({
      allowTargets: ['127.0.0.1:22', 'intranet.example:80', '[::1]:9200'],
      resolve: resolvePrivate,
    })
    expect((await guard.check('http://127.0.0.1:22/')).port).toBe(22)
    expect((await guard.check('http://intranet.example/')).port).toBe(80)
    expect((await guard.check('http://[::1]:9200/')).port).toBe(9200)
    await expect(guard.check('http://127.0.0.1:8080/')).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    await expect(guard.check('https://intranet.example/')).rejects.toMatchObject({ code: 'EINVALURL' })
  })

  it('never permit a name because of the address it resolves to', async () => {
    const guard = createGuard({ allowTargets: ['10.1.2.3'], resolve: resolvePrivate })
    await expect(guard.check('http://attacker.example/')).rejects.toMatchObject({ code: 'EINVALURL' })
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
    for (const url of ['http://93.184.215.14/', 'http://[::ffff:5db8:d70e]/', 'http://[64:ff9b::5db8:d70e]/'])
      await expect(createGuard(options).check(url), url).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    await expect(createGuard(options).check('http://own.example/')).rejects.toMatchObject({ code: 'EINVALURL' })
    const guard = createGuard({ ...options, allowTargets: ['own.example'] })
    expect(await guard.check('http://own.example/')).toMatchObject({ address: '93.184.215.14' })
  })

  it('rejects the ranges that the operator denies, unless the target is allowed', async () => {
    const options = { denyTargets: ['93.184.0.0/16', '2606:4700::/32'], resolve: resolvePublic }
    for (const url of ['http://93.184.215.14/', 'http://[2606:4700::1111]/', 'http://[64:ff9b::5db8:d70e]/'])
      await expect(createGuard(options).check(url), url).rejects.toMatchObject({ code: 'EFORBIDDENURL' })
    await expect(createGuard(options).check('http://denied.example/')).rejects.toMatchObject({ code: 'EINVALURL' })
    const guard = createGuard({ ...options, allowTargets: ['denied.example'] })
    expect(await guard.check('http://denied.example/')).toMatchObject({ address: '93.184.215.14' })
  })
})

it('remembers the allowed targets of requests that may still run, and no others', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const guard = createGuard({ allowTargets: ['127.0.0.1'] })
  for (let port = 12_100; port < 13_100; port++) await guard.check(`http://127.0.0.1:${port}/`)
  await guard.check('http://127.0.0.1:12100/')
  expect(guard.allowancesSince(0)).toHaveLength(1_000)
  vi.advanceTimersByTime(9 * 60_000)
  guard.recordRequest('http://127.0.0.1:12101/')
  vi.advanceTimersByTime(2 * 60_000)
  await guard.check('http://127.0.0.1:12102/')
  expect(guard.allowancesSince(0).toSorted()).toEqual(['127.0.0.1:12101', '127.0.0.1:12102'])
})
