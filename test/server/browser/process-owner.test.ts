import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isOwnerRunning, ownerName } from '../../../src/server/browser/process-owner.js'

describe.runIf(process.platform === 'linux')('the name of a process', () => {
  it('names a process that runs, and neither an earlier one with its id nor something else', async () => {
    const name = await ownerName()
    expect(name).toMatch(/^\d+-[\da-f]{8}x\d+$/)
    expect(name.split('-')[0]).toBe(String(process.pid))
    expect(await isOwnerRunning(name)).toBe(true)
    expect(await isOwnerRunning(name.replace(/x\d+$/, 'x1'))).toBe(false)
    expect(await isOwnerRunning(String(process.pid))).toBe(false)
    expect(await isOwnerRunning('4194304-1x1')).toBe(false)
    expect(await isOwnerRunning('tmp')).toBe(false)
  })

  it('names no process that has exited, although its parent has not noticed', async () => {
    // The shell is replaced by a program that does not wait for its child, before the child may end.
    const script = 'cat <&3 >/dev/null & echo $!; exec sleep 30'
    const parent = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] })
    onTestFinished(() => void parent.kill())
    const [output] = (await once(parent.stdout!, 'data')) as [Buffer]
    const pid = Number(String(output))
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'latin1')).toBe('sleep\n')
    ;(parent.stdio[3] as Writable).end()
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'latin1')).toContain(') Z ')
    const startTicks = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')[19]
    const own = await ownerName()
    const name = own.replace(/^\d+/, String(pid)).replace(/x\d+$/, `x${startTicks}`)
    expect(await isOwnerRunning(name)).toBe(false)
  })
})
