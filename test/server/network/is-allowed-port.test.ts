import { describe, expect, it } from 'vitest'
import { isAllowedPort } from '../../../src/server/network/is-allowed-port.js'

describe('isAllowedPort', () => {
  it.each([80, 443, 1024, 3000, 3001, 4200, 5000, 5173, 6006, 8000, 8080, 8443, 8888, 9000, 65_535])(
    'allows port %i, where web pages are served',
    (port) => expect(isAllowedPort(port)).toBe(true),
  )
  it.each([0, 1, 21, 22, 25, 53, 81, 445, 1023, 2375, 3306, 5432, 5900, 6379, 9200, 9222, 10250, 11211, 27017, 65_536])(
    'blocks port %i',
    (port) => expect(isAllowedPort(port)).toBe(false),
  )
})
