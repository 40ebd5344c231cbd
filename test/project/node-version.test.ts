// Covers which versions of Node the packages, their commands and a checkout run with.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isSupportedNode } from '../../src/command-line/node-version.js'

const root = resolve(import.meta.dirname, '../..')
const { isSupportedNode: isSupportedByCheckout } = (await import(join(root, 'src/tools/own-node.js'))) as {
  isSupportedNode: (version: string) => boolean
}
const readManifest = (path: string) =>
  JSON.parse(readFileSync(join(root, path), 'utf8')) as { engines: { node: string }; bin: Record<string, string> }

/** Versions around the ends of each range. */
const versions = {
  '16.20.2': false,
  '18.20.8': false,
  '20.20.2': false,
  '22.9.0': false,
  '22.13.1': false,
  '22.14.0': true,
  '22.23.3': true,
  '23.11.1': false,
  '24.0.0': true,
  '25.1.0': true,
  '100.0.0': true,
}

it.each(Object.entries(versions))('Node %s is supported: %s', (version, isSupported) => {
  expect(isSupportedNode(version)).toBe(isSupported)
  expect(isSupportedByCheckout(version)).toBe(isSupported)
})

/** Claims to be an older version. */
const AS_OLD_NODE = [
  '--import',
  'data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })',
]

describe.each([
  ['page-preview', '.'],
  ['page-preview-server', 'src/server'],
])('%s', (name, dir) => {
  const { engines, bin } = readManifest(join(dir, 'package.json'))

  it('names the same versions in its manifest', () => {
    expect(engines.node).toBe('^22.14 || >=24')
  })

  it('refuses an older Node in one sentence, with exit code 2, before it loads anything else', () => {
    const command = join(root, dir, bin[name]!)
    const { status, stdout, stderr } = spawnSync(process.execPath, [...AS_OLD_NODE, command, '--help'], {
      encoding: 'utf8',
    })
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: `${name} needs Node 22.14, or 24 and newer; this is Node 20.20.2.\n`,
    })
    const imported = [...readFileSync(command, 'utf8').matchAll(/^import .* from "(.+)";?$/gm)].map(([, path]) => path)
    expect(imported.filter((path) => !path!.endsWith('/command-line/node-version.js'))).toEqual([])
  })
})

it('an app that imports the service on an older Node gets an error with the same sentence', () => {
  const script = `
    import { createService } from 'page-preview-server'
    const service = createService()
    await service.ready().catch((error) => console.log(error.message))
    await service.close()`
  const { status, stdout } = spawnSync(process.execPath, [...AS_OLD_NODE, '--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
  })
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: 'page-preview-server needs Node 22.14, or 24 and newer; this is Node 20.20.2.\n',
  })
})
