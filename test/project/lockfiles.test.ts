// Covers the lockfiles of the repository, of the Node that it may install, and of the apps and sites under test.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

interface Manifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}
interface Lockfile {
  packages: Record<string, Manifest & { resolved?: string; integrity?: string; link?: boolean; inBundle?: boolean }>
}

const root = resolve(import.meta.dirname, '../..')
const OWN_PACKAGES = ['page-preview', 'page-preview-server']
const EXACT_VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
const applications = ['test/apps', 'test/sites']
  .flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(root, parent, name)))
  .filter((dir) => existsSync(join(dir, 'package.json')))

const nodePackage = join(root, 'src/tools/node-package')

describe.each([root, nodePackage, ...applications].map((dir) => [relative(root, dir) || 'the repository', dir]))(
  '%s',
  (_, dir) => {
    const { packages } = readJson(join(dir, 'package-lock.json')) as Lockfile

    it('has a lockfile without addresses of a registry, and npm is told to keep it so', () => {
      const addresses = Object.values(packages).flatMap(({ resolved }) => resolved ?? [])
      expect(addresses.filter((address) => /^\w+:/.test(address))).toEqual([])
      expect(readFileSync(join(dir, '.npmrc'), 'utf8')).toMatch(/^omit-lockfile-registry-resolved=true$/m)
    })

    it('has a lockfile with a hash of every package that is downloaded', () => {
      // A bundled package is in the archive of the package above it.
      const downloaded = Object.entries(packages).filter(
        ([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle,
      )
      expect(downloaded.length).toBeGreaterThan(0)
      expect(downloaded.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([])
    })
  },
)

describe.each(applications.map((dir) => [relative(root, dir), dir]))('%s', (_, dir) => {
  const { dependencies, devDependencies } = readJson(join(dir, 'package.json')) as Manifest
  const { packages } = readJson(join(dir, 'package-lock.json')) as Lockfile

  it('names exact versions, the same as its lockfile', () => {
    const versions = Object.entries({ ...dependencies, ...devDependencies })
    expect(versions.filter(([, version]) => !EXACT_VERSION.test(version))).toEqual([])
    const { dependencies: locked, devDependencies: lockedForDevelopment } = packages['']!
    expect({ locked, lockedForDevelopment }).toEqual({ locked: dependencies, lockedForDevelopment: devDependencies })
  })

  it('leaves the packages of this repository to the tests, which install the packed ones', () => {
    const names = Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, ''))
    expect(names.filter((name) => OWN_PACKAGES.includes(name))).toEqual([])
  })
})
