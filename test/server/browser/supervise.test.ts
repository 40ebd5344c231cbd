import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ensureChromium } from '../../../src/server/browser/index.js'
import { launchBrowser } from '../../../src/server/browser/launch-browser.js'
import { startTestBrowser, type TestBrowser } from './test-browser.js'

const routes = {
  '/': '<!doctype html><h1>Hello</h1>',
  '/slow': '<!doctype html><h1>Hello</h1><img src="/never">',
  '/never': () => undefined,
}

let test: TestBrowser
afterEach(() => test.close())

describe('a browser that is killed', () => {
  it('is replaced, and what it was doing is done again', async () => {
    test = await startTestBrowser(routes)
    await test.capture('/')
    const first = test.browser.pid()!
    const running = test.capture('/slow', { timeout: 2_500 })
    await vi.waitFor(() => expect(test.site.requests).toContain('GET /never'))
    process.kill(first, 'SIGKILL')
    expect(await running).toMatchObject({ width: 2560, statusCode: 200 })
    expect(await test.capture('/')).toMatchObject({ width: 2560 })
    expect(test.browser.pid()).not.toBe(first)
    expect(test.events).toContainEqual(expect.objectContaining({ event: 'browser-ended', pid: first }))
    await vi.waitFor(async () => expect(await processesOf(first)).toEqual([]), { timeout: 5_000 })
  })

  it('while nothing runs, does not keep the next capture from being made', async () => {
    test = await startTestBrowser(routes)
    await test.capture('/')
    process.kill(test.browser.pid()!, 'SIGKILL')
    expect(await test.capture('/')).toMatchObject({ width: 2560 })
    expect(test.browser.captures()).toBe(2)
  })
})

it('kills a browser that hangs, and takes the picture with another', async () => {
  test = await startTestBrowser(routes, { watchdogMs: 400 })
  await test.capture('/')
  const first = test.browser.pid()!
  process.kill(first, 'SIGSTOP')
  expect(await test.capture('/')).toMatchObject({ width: 2560 })
  expect(test.events).toContainEqual(expect.objectContaining({ event: 'browser-hangs', pid: first }))
  expect(test.browser.pid()).not.toBe(first)
})

it('changes to a new browser after some captures', async () => {
  test = await startTestBrowser(routes, { recycleAfter: 2 })
  await test.capture('/')
  const first = test.browser.pid()!
  await test.capture('/')
  await test.capture('/')
  expect(test.browser.pid()).not.toBe(first)
  await vi.waitFor(async () => expect(await processesOf(first)).toEqual([]), { timeout: 5_000 })
})

it('leaves no process and no profile behind', async () => {
  test = await startTestBrowser(routes)
  const profiles = await profileFolders()
  await Promise.all([test.capture('/'), test.capture('/')])
  const pid = test.browser.pid()!
  expect((await processesOf(pid)).length).toBeGreaterThan(1)
  await test.browser.close()
  await vi.waitFor(async () => expect(await processesOf(pid)).toEqual([]), { timeout: 5_000 })
  expect((await profileFolders()).filter((name) => !profiles.includes(name))).toEqual([])
  await expect(test.capture('/')).rejects.toMatchObject({ code: 'EBUSY' })
})

it('removes the profile of a service that was killed', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const left = await mkdtemp(join(tmpdir(), `page-preview-browser-${pid}-`))
  test = await startTestBrowser(routes)
  await test.capture('/')
  await expect(access(left)).rejects.toThrow('ENOENT')
})

describe('the places before the browser', () => {
  it('are given back as soon as a capture is aborted', async () => {
    test = await startTestBrowser(routes, { concurrency: 1 })
    const abort = new AbortController()
    const running = test.capture('/slow', {}, { signal: abort.signal })
    const next = test.capture('/')
    await vi.waitFor(() => expect(test.site.requests).toContain('GET /never'))
    expect(test.site.requests).not.toContain('GET /')
    abort.abort(new Error('no longer wanted'))
    await expect(running).rejects.toThrow('no longer wanted')
    expect(await next).toMatchObject({ statusCode: 200 })
  })

  it('are few: one more is told to come back', async () => {
    test = await startTestBrowser(routes, { concurrency: 1, queue: 1 })
    const abort = new AbortController()
    const first = test.capture('/slow', {}, { signal: abort.signal })
    const second = test.capture('/', {}, { signal: abort.signal })
    const third = test.capture('/')
    await expect(third).rejects.toMatchObject({ code: 'EBUSY', status: 503 })
    await expect(third).rejects.toHaveProperty('retryAfterMs', expect.any(Number))
    abort.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    await expect(second).rejects.toThrow('enough')
    expect(await test.capture('/')).toMatchObject({ statusCode: 200 })
  })

  it('may be waited for too long', async () => {
    test = await startTestBrowser(routes, { concurrency: 1 })
    const abort = new AbortController()
    const running = test.capture('/slow', {}, { signal: abort.signal })
    await expect(test.capture('/', {}, { deadlineMs: 200 })).rejects.toMatchObject({
      code: 'EBRWSRTIMEOUT',
      status: 504,
    })
    abort.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })
})

describe('readiness', () => {
  it('means that a browser starts and answers', async () => {
    test = await startTestBrowser(routes)
    expect(await test.browser.isReady()).toBe(true)
    expect(test.browser.captures()).toBe(0)
  })

  it('is missing when no browser starts, and a capture says why', async () => {
    test = await startTestBrowser(routes, { executable: '/nowhere/chromium' })
    expect(await test.browser.isReady()).toBe(false)
    await expect(test.capture('/')).rejects.toMatchObject({
      code: 'EFATAL',
      message: expect.not.stringContaining('/nowhere') as string,
      cause: { message: expect.stringContaining('/nowhere') as string },
    })
  })
})

it.each([
  ['/nowhere/chromium', 'ENOENT'],
  [process.execPath, 'bad option'],
])('says why %s does not start as a browser', async (path, reason) => {
  test = await startTestBrowser(routes)
  const starting = launchBrowser({ path, source: 'option' }, { proxyUrl: 'http://127.0.0.1:9' })
  await expect(starting).rejects.toThrow(reason)
})

it('uses a browser that runs elsewhere, and leaves it running', async () => {
  const { path } = await ensureChromium()
  const profile = await mkdtemp(join(tmpdir(), 'page-preview-elsewhere-'))
  const flags = ['--headless', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${profile}`]
  const elsewhere = spawn(path, flags, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(elsewhere, 'exit')
  try {
    let said = ''
    for await (const text of elsewhere.stderr.setEncoding('utf8')) if ((said += text).includes('ws://')) break
    test = await startTestBrowser(routes, { executable: /ws:\S+/.exec(said)![0] })
    expect(await test.capture('/')).toMatchObject({ statusCode: 200 })
    expect(test.browser.pid()).toBeUndefined()
    await test.browser.close()
    expect(elsewhere.exitCode).toBeNull()
  } finally {
    elsewhere.kill('SIGKILL')
    await ended
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
})

/** Live processes of the browser's own group; one that is dead and only not yet reaped by init does not count. */
async function processesOf(group: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const [state, , ownGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state !== 'Z' && Number(ownGroup) === group ? [Number(pid)] : []
    }),
  )
  return found.flat()
}

const profileFolders = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`page-preview-browser-${process.pid}-`))
