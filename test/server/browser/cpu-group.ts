import { mkdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'

/** A control group of Linux. */
export interface CpuGroup {
  add(pid: number): Promise<void>
  /** Gives its processes a millisecond of a CPU in each second, so that they wait for one instead. */
  limit(): Promise<void>
  /** Lets its processes run as any others. */
  lift(): Promise<void>
  /** Once its processes have ended. */
  remove(): Promise<void>
}

/** `undefined` where this user or system has no such groups. */
export async function createCpuGroup(): Promise<CpuGroup | undefined> {
  const name = `page-preview-test-${process.pid}`
  const [first, second] = [join('/sys/fs/cgroup/cpu', name), join('/sys/fs/cgroup', name)]
  return (
    (await createGroup(
      first,
      { 'cpu.cfs_period_us': '1000000', 'cpu.cfs_quota_us': '1000' },
      { 'cpu.cfs_quota_us': '-1' },
    )) ?? createGroup(second, { 'cpu.max': '1000 1000000' }, { 'cpu.max': 'max' })
  )
}

type Settings = Record<string, string>

async function createGroup(folder: string, limited: Settings, unlimited: Settings): Promise<CpuGroup | undefined> {
  const write = async (settings: Settings) => {
    for (const [file, value] of Object.entries(settings)) await writeFile(join(folder, file), value, { flag: 'r+' })
  }
  try {
    await mkdir(folder)
    await write(limited)
  } catch {
    await rmdir(folder).catch(() => undefined)
    return undefined
  }
  return {
    add: (pid) => writeFile(join(folder, 'cgroup.procs'), String(pid)),
    limit: () => write(limited),
    lift: () => write(unlimited),
    remove: () => vi.waitFor(() => rmdir(folder), { timeout: 10_000 }),
  }
}
