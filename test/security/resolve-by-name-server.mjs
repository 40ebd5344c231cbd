// Loaded into the service where it cannot have a name server of its own: sends all its look-ups to the one of the test.
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

class Resolver extends dns.Resolver {
  constructor(/** @type {import('node:dns').ResolverOptions} */ options) {
    super(options)
    this.setServers([String(process.env.TEST_NAME_SERVER)])
  }
}

Object.assign(dns, { Resolver })
syncBuiltinESMExports()
