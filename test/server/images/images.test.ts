import { readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { findBrowserUser } from '../../../src/server/browser/index.js'
import { createImages, findImageUser } from '../../../src/server/images/index.js'

const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 }
const warnings: unknown[] = []
const warn = (event: unknown) => void warnings.push(event)

/** The user ids of the child processes that decode images. */
const uidsOfImageProcesses = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8')
        const isChild = status.includes(`\nPPid:\t${process.pid}\n`)
        const isImageProcess = readFileSync(`/proc/${name}/cmdline`, 'latin1').includes('image-process')
        return isChild && isImageProcess ? [Number(/^Uid:\s+(\d+)/m.exec(status)?.[1])] : []
      } catch {
        // It has ended meanwhile.
        return []
      }
    })

async function uidsOf(user: typeof nobody | undefined): Promise<number[]> {
  const images = createImages({ user })
  onTestFinished(() => images.close())
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
  const { signal } = new AbortController()
  expect(await images.samplePalette(png, { client: 'test', signal })).toEqual(['#123456'])
  return uidsOfImageProcesses()
}

describe.runIf(isRoot)('image processes of a service that runs as root', () => {
  it('run as the user of the browser', async () => {
    const user = await findImageUser(await findBrowserUser(), { warn })
    expect(user).toMatchObject({ name: 'nobody' })
    expect(await uidsOf(user)).toContain(user!.uid)
    expect(warnings).toEqual([])
  })

  it('run as another user also when the service was started with a low priority', async () => {
    const before = getPriority()
    setPriority(constants.priority.PRIORITY_LOW)
    try {
      expect(await uidsOf(nobody)).toContain(nobody.uid)
    } finally {
      setPriority(before)
    }
  })
})

describe.runIf(process.platform === 'linux')('image processes', () => {
  it('run as the user of the service when it is not root', async () => {
    expect(await findImageUser(undefined, { warn })).toBeUndefined()
    expect(await uidsOf(undefined)).toContain(process.getuid?.())
  })

  it('run as root, with a warning, where the other user cannot run them', async () => {
    const tryUser = () => Promise.reject(new Error('spawn EACCES'))
    expect(await findImageUser(nobody, { warn, tryUser })).toBeUndefined()
    expect(warnings).toEqual([
      expect.objectContaining({ event: 'image-processes-as-root', reason: 'Error: spawn EACCES' }),
    ])
  })
})

it('blames the service, and not the image, when its process does not start in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const images = createImages()
  onTestFinished(() => images.close())
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
  const sampling = images.samplePalette(png, { client: 'test', signal: new AbortController().signal })
  const failure = expect(sampling).rejects.toMatchObject({ code: 'EBUSY', retryAfterMs: expect.any(Number) })
  await vi.advanceTimersByTimeAsync(30_000)
  await failure
})
