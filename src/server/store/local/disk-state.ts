import { constants } from 'node:os'
import { hasErrorCode } from '../../node-errors/index.js'
import { isDamage } from './is-damage.js'

export interface DiskState {
  /** As the last write found it. */
  isWritable(): boolean
  /** @throws the error, unless it is one of the disk. */
  markFailed(error: unknown): void
  markWorking(): void
}

interface DiskStateOptions {
  /** Called when writing fails for the first time. */
  onFailed: (error: Error) => void
  /** Called when writing works again. */
  onWorking: () => void
}

export function createDiskState({ onFailed, onWorking }: DiskStateOptions): DiskState {
  let isWritable = true
  return {
    isWritable: () => isWritable,
    markFailed(error) {
      if (!isDiskError(error)) throw error
      if (isWritable) onFailed(error)
      isWritable = false
    },
    markWorking() {
      if (isWritable) return
      isWritable = true
      onWorking()
    },
  }
}

/** A disk that is full, read-only, broken or gone, and no file that may be opened. */
const DISK_CODES = [
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'ESTALE',
  'ENOENT',
  'EMFILE',
  'ENFILE',
] as const
/** lmdb has the numbers of the system, and its own for a database that cannot grow (`MAP_FULL`). */
const LMDB_CODES: readonly unknown[] = [...DISK_CODES.map((code) => constants.errno[code]), -30_792]

/** Others are mistakes of a caller, such as a key that is too long: keeping the result in memory would hide them. */
const isDiskError = (error: unknown): error is Error =>
  isDamage(error) ||
  hasErrorCode(error, ...DISK_CODES) ||
  (error instanceof Error && 'code' in error && LMDB_CODES.includes(error.code))
