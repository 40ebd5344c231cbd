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

/** Errors of the file system and of lmdb have a code, those of a caller's mistake have none. */
const isDiskError = (error: unknown): error is Error => error instanceof Error && 'code' in error
