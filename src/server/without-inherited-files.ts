import { openSync, readdirSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'

type Stdio = readonly ('ignore' | 'inherit' | 'pipe' | 'ipc')[]

const DESCRIPTORS = '/proc/self/fdinfo'
const CLOSE_ON_EXEC = 0o2000000
let nullDescriptor: number | undefined

/**
 * The `stdio` of a child process that must not use the open files of this process: lmdb opens the store without `O_CLOEXEC`, so
 * each child would have it open, even if its user may not read it. On Linux `/dev/null` takes the place of such files; elsewhere
 * `stdio` is returned as it is.
 */
export function withoutInheritedFiles(stdio: Stdio): ('ignore' | 'inherit' | 'pipe' | 'ipc' | number)[] {
  const inherited = inheritedDescriptors()
  const length = Math.max(stdio.length, ...inherited.map((descriptor) => descriptor + 1))
  // `ignore` closes nothing from the fourth descriptor on.
  const replace = (descriptor: number) => (inherited.includes(descriptor) ? openNull() : 'ignore')
  return Array.from({ length }, (_, descriptor) => stdio[descriptor] ?? replace(descriptor))
}

const openNull = () => (nullDescriptor ??= openSync(devNull, 'r'))

function inheritedDescriptors(): number[] {
  try {
    return readdirSync(DESCRIPTORS).filter(isInherited).map(Number)
  } catch {
    // There is no such folder outside of Linux.
    return []
  }
}

function isInherited(descriptor: string): boolean {
  try {
    const [, flags = '0'] = /^flags:\s+(\d+)$/m.exec(readFileSync(`${DESCRIPTORS}/${descriptor}`, 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
  } catch {
    // It was closed since the folder was read.
    return false
  }
}
