// Covers parseForm of src/playground/form-values.ts.
import { describe, expect, it } from 'vitest'
import { errorMessageFor, parseForm } from '../../src/playground/form-values.js'

const url = 'https://tern.example/'

describe('parsing the form', () => {
  it('reads one header and one selector per line', () => {
    const { query } = parseForm({ url, headers: 'Accept-Language: de\n\nx-note:  a:b ', click: '#one\n#two' })
    expect(query && decodeURIComponent(query.text)).toBe(
      `click.0=#one&click.1=#two&headers.accept-language=de&headers.x-note=a:b&url=${url}`,
    )
  })

  it.each([
    ['ttl', { ttl: '1s' }, 'ttl must be'],
    ['viewport.width', { 'viewport.width': 'wide' }, 'viewport.width must be'],
    ['headers', { headers: 'host: x' }, 'must be a header that may be sent'],
    ['headers', { headers: 'no header' }, '"no header" is not a header'],
    ['headers', { headers: 'API-Key: secret' }, 'Use an API key'],
    ['url', { url: 'nowhere' }, 'url must be'],
  ])('reports the error at the control of %s', (control, values, message) => {
    const parsedForm = parseForm({ url, ...values })
    expect(errorMessageFor(control, parsedForm)).toContain(message)
    expect(errorMessageFor('element', parsedForm)).toBeUndefined()
  })
})
