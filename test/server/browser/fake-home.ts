import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface FakeHome {
  path: string
  /** `HOME`, and a `PATH` that consists of its `bin`. */
  env: NodeJS.ProcessEnv
  /** Writes a shell script in the place of a program. @returns Its absolute path. */
  addProgram(path: string, script?: string): Promise<string>
  remove(): Promise<void>
}

/** A home directory without any programs, so that tests do not depend on what this machine has installed. */
export async function createFakeHome(): Promise<FakeHome> {
  const home = await mkdtemp(join(tmpdir(), 'page-preview-home-test-'))
  return {
    path: home,
    env: { HOME: home, PATH: join(home, 'bin') },
    async addProgram(path, script = 'echo Chromium 143.0.1.2') {
      const file = join(home, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, `#!/bin/sh\n${script}\n`)
      await chmod(file, 0o755)
      return file
    },
    remove: () => rm(home, { recursive: true, force: true, maxRetries: 5 }),
  }
}
