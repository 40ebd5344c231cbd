// Loaded into a service that cannot have its own name server: sends all its look-ups to the name server of the test.
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
