// Loaded into the service where it cannot have a name server of its own: leads names under .test to the one of the test.
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

const resolver = new dns.Resolver()
resolver.setServers([String(process.env.TEST_NAME_SERVER)])
const lookupBySystem = dns.lookup

async function lookup(/** @type {string} */ hostname, /** @type {any} */ options) {
  if (!hostname.endsWith('.test')) return lookupBySystem(hostname, options)
  const [v4, v6] = await Promise.all([
    resolver.resolve4(hostname).catch(() => []),
    resolver.resolve6(hostname).catch(() => []),
  ])
  const addresses = [...v4.map((address) => ({ address, family: 4 })), ...v6.map((address) => ({ address, family: 6 }))]
  if (addresses.length === 0) throw Object.assign(new Error(`no address of ${hostname}`), { code: 'ENOTFOUND' })
  return addresses
}

Object.assign(dns, { lookup })
syncBuiltinESMExports()
