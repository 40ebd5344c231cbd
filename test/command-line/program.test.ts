import { expect, it } from 'vitest'
import { runProgram, type CommandProcess, type Program } from '../../src/command-line/program.js'

const program: Program = { name: 'tides', version: '1.0.0', help: () => 'Help.\n', commands: {} }

it.each([
  ['EPIPE', ''],
  ['ERR_STREAM_DESTROYED', ''],
  ['ENOSPC', 'tides: The output cannot be written: no space left\n'],
])('goes on when its output fails with %s', async (code, message) => {
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
  expect(written).toBe(message)
})
