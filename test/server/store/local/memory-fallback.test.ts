import SQLite from 'better-sqlite3'
import { expect, it, vi } from 'vitest'
import { createDiskState } from '../../../../src/server/store/local/memory-fallback.js'

const withCode = (code: string) =>
  code.startsWith('SQLITE_') ? new SQLite.SqliteError('failed', code) : Object.assign(new Error('failed'), { code })

function newDisk() {
  const [onFailed, onWorking] = [vi.fn(), vi.fn()]
  return { disk: createDiskState({ onFailed, onWorking }), onFailed, onWorking }
}

it.each([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  'EACCES',
  'ENOENT',
  'EMFILE',
  'SQLITE_FULL',
  'SQLITE_IOERR_WRITE',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY_DIRECTORY',
  'SQLITE_CORRUPT',
  // Another process does not finish writing.
  'SQLITE_BUSY',
])('an error with the code %s is one of the disk, reported once until writing works again', (code) => {
  const { disk, onFailed, onWorking } = newDisk()
  const error = withCode(code)
  disk.markFailed(error)
  disk.markFailed(error)
  expect(disk.isWritable()).toBe(false)
  expect(onFailed.mock.calls).toEqual([[error]])
  disk.markWorking()
  disk.markWorking()
  expect([disk.isWritable(), onWorking.mock.calls.length]).toEqual([true, 1])
})

it.each([
  ['an argument of Node', withCode('ERR_INVALID_ARG_TYPE')],
  ['a value out of range', withCode('ERR_OUT_OF_RANGE')],
  ['a constraint of a table', withCode('SQLITE_CONSTRAINT_PRIMARYKEY')],
  ['a file name that is too long', withCode('ENAMETOOLONG')],
  ['an aborted request', new DOMException('aborted', 'AbortError')],
  ['no code', new TypeError('a mistake')],
  ['no error', 'text'],
])('an error of %s is thrown, and the disk is still writable', (_, error) => {
  const { disk, onFailed } = newDisk()
  expect(() => disk.markFailed(error)).toThrow(error)
  expect([disk.isWritable(), onFailed.mock.calls.length]).toEqual([true, 0])
})
