// Covers the npm scripts of a checkout on a Node that is not supported, with a registry that has installed its Node already.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const tools = resolve(import.meta.dirname, '../../src/tools')
const OLD_NODE = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })'

let checkout: string
let nodePackage: string
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'page-preview-checkout-'))
  nodePackage = join(checkout, 'src/tools/node-package')
  cpSync(tools, join(checkout, 'src/tools'), { recursive: true, filter: (path) => !path.endsWith('node_modules') })
  writeFileSync(join(checkout, 'package.json'), '{ "type": "module" }')
  mkdirSync(join(nodePackage, 'node_modules'))
  writeFileSync(join(nodePackage, 'node_modules/.package-lock.json'), '{}')
})
afterEach(() => rmSync(checkout, { recursive: true, force: true }))

const runOnOldNode = (...args: string[]) =>
  spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${OLD_NODE}`, join(checkout, 'src/tools/set-up.js'), ...args],
    { encoding: 'utf8' },
  )

it('run with the Node of the checkout, which everything they start finds first, and end with its exit code', () => {
  const node = join(nodePackage, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  mkdirSync(dirname(node), { recursive: true })
  writeFileSync(node, '#!/bin/sh\necho "$@"\ncommand -v node\nexit 7\n')
  chmodSync(node, 0o755)
  const { status, stdout } = runOnOldNode('test', 'one file')
  expect({ status, stdout }).toEqual({
    status: 7,
    stdout: `${join(checkout, 'src/tools/set-up.js')} test one file\n${node}\n`,
  })
})

it('say what to install on a machine for which there is none', () => {
  const { status, stderr } = runOnOldNode('test')
  expect(status).toBe(1)
  expect(stderr).toBe(
    `page-preview: Node 20.20.2 is not supported, and the registry has no other one for ${process.platform}-${process.arch}: ` +
      'install Node 22.14, or 24 and newer.\n',
  )
  expect(existsSync(join(checkout, 'node_modules'))).toBe(false)
})
