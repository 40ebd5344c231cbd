// Covers which Node the dependencies need: where they need a newer one than we do, npm warns users, and yarn stops.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { minVersion, satisfies } from 'semver'
import { expect, it } from 'vitest'

interface LockedPackage {
  engines?: { node?: string }
  /** Only for some systems. */
  optional?: boolean
}

const lockfile = resolve(import.meta.dirname, '../../package-lock.json')
const { packages } = JSON.parse(readFileSync(lockfile, 'utf8')) as { packages: Record<string, LockedPackage> }
const { '': library, 'src/server': server, ...others } = packages
const supported = library!.engines!.node!.split('||').map((range) => minVersion(range)!.version)

it('is the same Node for the library and the service', () => {
  expect(server!.engines).toEqual(library!.engines)
})

it.each(supported)('excludes Node %s, the oldest of its line, by no dependency', (version) => {
  const excluding = Object.entries(others).filter(
    ([, { engines, optional }]) => !optional && engines?.node && !satisfies(version, engines.node),
  )
  expect(excluding.map(([path, { engines }]) => `${path} needs Node ${engines?.node}`)).toEqual([])
})
