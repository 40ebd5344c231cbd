import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { onTestFinished } from 'vitest'

/** Whether this user may mount a file system; who may not can still have one in a namespace, see `withSmallDisk`. */
export const canMount = (() => {
  if (process.platform !== 'linux') return false
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** Mounts an empty file system at a new folder until the running test ends. @param size  In the notation of `mount`. */
export function mountSmallDisk(dir: string, size: string): void {
  mkdirSync(dir)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dir], { stdio: 'ignore' })
  onTestFinished(() => void execFileSync('umount', ['-l', dir]))
}
