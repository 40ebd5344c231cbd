import { expect, it } from 'vitest'
import { runProgram, type CommandProcess, type Program } from '../../src/command-line/program.js'

const program: Program = { name: 'tides', version: '1.0.0', help: () => 'Help.\n', commands: {} }

it.each([
  ['EPIPE', ''],
  ['ERR_STREAM_DESTROYED', ''],
  ['ENOSPC', 'tides: The output cannot be written: no space left\n'],
])('goes on when its output fails with %s, and says so once', async (code, message) => {
  const listeners: ((error: NodeJS.ErrnoException) => void)[] = []
  let written = ''
  const stream = {
    write: (text: string | Uint8Array) => (written += String(text)),
    on: (_: 'error', listener: (error: NodeJS.ErrnoException) => void) => listeners.push(listener),
  }
  const process: CommandProcess = { env: {}, stdout: stream, stderr: stream, once: () => {}, off: () => {} }
  expect(await runProgram(program, ['--version'], process)).toBe(0)
  expect([listeners.length, written]).toEqual([2, '1.0.0\n'])
  written = ''
  listeners[0]!(Object.assign(new Error('no space left'), { code }))
  listeners[0]!(Object.assign(new Error('no space left'), { code }))
  expect(written).toBe(message)
  listeners[1]!(Object.assign(new Error('no space left'), { code }))
  expect(written).toBe(message)
})

it.each([
  ['EPIPE', 0],
  ['ENOSPC', 1],
])('ends with an exit code that says whether its output is lost by %s: %d', async (code, exitCode) => {
  const listeners: ((error: NodeJS.ErrnoException) => void)[] = []
  const stdout = {
    write: () => process.nextTick(() => listeners[0]!(Object.assign(new Error('lost'), { code }))),
    on: (_: 'error', listener: (error: NodeJS.ErrnoException) => void) => listeners.push(listener),
  }
  const streams = { env: {}, stdout, stderr: { write: () => true }, once: () => {}, off: () => {} }
  expect(await runProgram(program, ['--version'], streams as CommandProcess)).toBe(exitCode)
})
