/** What a traced process did, in its order. */
export interface Step {
  /** Name of the file in the data folder. */
  file?: string
  write?: { at: number; bytes: Buffer }
  truncate?: number
  isSync?: boolean
  isRemoval?: boolean
  /** What it printed. */
  printed?: string
}

/** Reads what `strace -f -y -xx` has recorded about the databases in a folder, and about the standard output. */
export function readTrace(trace: string, dataDir: string): Step[] {
  return trace.split('\n').flatMap((line): Step[] => {
    // No call of the main thread is interrupted by another one, as far as these files are concerned.
    const [, call = '', target = '', rest = ''] = /^\d+ +(\w+)\((?:\d+<(.+?)>)?(.*)$/.exec(line) ?? []
    const path = decode(target)
    const [, hex = '', numbers = ''] = /^(?:, )?"((?:\\x[0-9a-f]{2})*)"(.*)$/.exec(rest) ?? []
    const bytes = Buffer.from(hex.replaceAll('\\x', ''), 'hex')
    if (call === 'write' && bytes.toString().startsWith('stored ')) return [{ printed: bytes.toString() }]
    const file = call === 'unlink' ? nameIn(bytes.toString(), dataDir) : nameIn(path, dataDir)
    if (file === undefined) return []
    if (call === 'unlink') return [{ file, isRemoval: true }]
    if (call === 'fsync' || call === 'fdatasync') return [{ file, isSync: true }]
    if (call === 'ftruncate') return [{ file, truncate: Number(/\d+/.exec(rest)?.[0]) }]
    if (call === 'pwrite64') return [{ file, write: { at: Number(numbers.split(/[,)]/)[2]), bytes } }]
    return []
  })
}

/** With `-xx`, paths are written in hex too. */
const decode = (text: string) =>
  Buffer.from(text.replaceAll('\\x', ''), text.includes('\\x') ? 'hex' : 'latin1').toString()

/** The index of the log is in memory, and is built again. */
function nameIn(path: string, dataDir: string): string | undefined {
  const name = path.startsWith(`${dataDir}/`) ? path.slice(dataDir.length + 1) : undefined
  return name !== undefined && /\.db(-wal)?$/.test(name) ? name : undefined
}

/**
 * The files as a disk may have them when the power is cut after these steps: all that was synced, and of the later writes any
 * ones, in part. Files exist from their first step on: losing the entry of a folder is not simulated.
 *
 * @param seed  Decides which writes are lost.
 */
export function diskAfterPowerCut(steps: readonly Step[], seed: number): Map<string, Buffer> {
  const random = createRandom(seed)
  const disk = new Map<string, Buffer>()
  const unsynced = new Map<string, Step[]>()
  for (const step of steps) {
    const { file } = step
    if (file === undefined) continue
    const pending = unsynced.get(file) ?? []
    if (step.isRemoval) {
      disk.delete(file)
      unsynced.delete(file)
    } else if (step.isSync) {
      disk.set(file, pending.reduce(apply, disk.get(file) ?? Buffer.alloc(0)))
      unsynced.set(file, [])
    } else unsynced.set(file, [...pending, step])
  }
  for (const [file, pending] of unsynced) {
    const survived = pending.filter(() => random() < 0.5).map((step) => (random() < 0.2 ? tear(step, random) : step))
    disk.set(file, survived.reduce(apply, disk.get(file) ?? Buffer.alloc(0)))
  }
  return disk
}

function apply(content: Buffer, { write, truncate }: Step): Buffer {
  if (truncate !== undefined)
    return Buffer.concat([content.subarray(0, truncate), Buffer.alloc(Math.max(truncate - content.length, 0))])
  if (!write) return content
  const { at, bytes } = write
  const result = Buffer.alloc(Math.max(content.length, at + bytes.length))
  content.copy(result)
  bytes.copy(result, at)
  return result
}

/** Only whole sectors are written. */
function tear(step: Step, random: () => number): Step {
  if (!step.write) return step
  const { at, bytes } = step.write
  return { ...step, write: { at, bytes: bytes.subarray(0, Math.floor((bytes.length / 512) * random()) * 512) } }
}

/** Numbers from 0 to 1 that are the same in each run. @see https://en.wikipedia.org/wiki/Linear_congruential_generator */
function createRandom(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
