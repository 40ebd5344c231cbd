import { describe, expect, it } from 'vitest'
import { fields, writeQuery } from '../../src/query/index.js'
import { MAIN_WORDS, META_FIELDS, MORE_GROUPS } from '../../src/playground/form/more-groups.js'
import { changePage, isFieldOn, setField, setWord } from '../../src/playground/state/form-words.js'
import { completeUrl, problemAt, readDraft } from '../../src/playground/state/read-draft.js'

const url = 'https://tern.example/'
const written = (words: Record<string, string>) => {
  const { query, error } = readDraft(words)
  return query ? decodeURIComponent(writeQuery(query)) : error
}

describe('the words of the form', () => {
  it('keeps no word that stands at its default', () => {
    expect(setWord({ ttl: '1h', url }, 'ttl', '')).toEqual({ url })
    expect(setWord({ javascript: 'false' }, 'javascript', 'true')).toEqual({})
    expect(setWord({}, 'adblock', 'false')).toEqual({ adblock: 'false' })
  })

  it.each([
    ['element', '#main'],
    ['overlay.browser', 'dark'],
    ['screenshot.type', 'png'],
    ['embed', 'true'],
  ])('takes a screenshot when %s is set, and drops it with the screenshot', (name, text) => {
    const words = setWord({ url }, name, text)
    expect(words).toEqual({ url, [name]: text, screenshot: 'true' })
    expect(setWord(words, 'screenshot', 'false')).toEqual({ url })
  })

  it('asks for no screenshot to embed HTML', () => {
    expect(setWord({}, 'embed', 'html')).toEqual({ embed: 'html' })
  })

  it('names the fields that are off, and says false when all are', () => {
    const of = ['image', 'logo'] as const
    const noImage = setField({ url }, 'ping', { field: 'image', isOn: false, of })
    expect(noImage).toEqual({ url, 'ping.image': 'false' })
    expect(isFieldOn(noImage, 'ping', 'logo')).toBe(true)
    const none = setField(noImage, 'ping', { field: 'logo', isOn: false, of })
    expect(none).toEqual({ url, ping: 'false' })
    expect(setField(none, 'ping', { field: 'image', isOn: true, of })).toEqual({ url, 'ping.logo': 'false' })
    expect(setField(noImage, 'ping', { field: 'image', isOn: true, of })).toEqual({ url })
    expect(written(setField({ url }, 'meta', { field: 'audio', isOn: false, of: META_FIELDS }))).toBe(
      `meta.audio=false&url=${url}`,
    )
  })

  it('leaves selectors behind when another page is chosen', () => {
    const words = { url, element: '#a', waitForSelector: '#b', click: '#c', scroll: '#d', screenshot: 'true' }
    expect(changePage(words, 'https://kiln.example/')).toEqual({ url: 'https://kiln.example/', screenshot: 'true' })
  })

  it('has exactly one control for every word of the language', () => {
    const offered = [...MAIN_WORDS, ...MORE_GROUPS.flatMap(({ words }) => words)]
    expect(offered.toSorted()).toEqual(Object.keys(fields).toSorted())
  })
})

describe('reading the form', () => {
  it('reads one header and one selector per line', () => {
    expect(written({ url, headers: 'Accept-Language: de\n\nx-note:  a:b ', click: '#one\n#two' })).toBe(
      `click.0=#one&click.1=#two&headers.accept-language=de&headers.x-note=a:b&url=${url}`,
    )
  })

  it.each([
    ['ttl', { ttl: '1s' }, 'ttl must be'],
    ['viewport.width', { 'viewport.width': 'wide' }, 'viewport.width must be'],
    ['headers', { headers: 'host: x' }, 'must be a header that may be sent'],
    ['headers', { headers: 'no header' }, '"no header" is no header'],
    ['headers', { headers: 'API-Key: secret' }, 'Use a key'],
    ['url', { url: 'nowhere' }, 'url must be'],
  ])('says what is wrong at the control of %s', (control, words, sentence) => {
    const draft = readDraft({ url, ...words })
    expect(problemAt(control, draft)).toContain(sentence)
    expect(problemAt('element', draft)).toBeUndefined()
  })

  it('completes an address that people type without a scheme', () => {
    expect(completeUrl(' example.com/a ')).toBe('https://example.com/a')
    expect(completeUrl('localhost.test:8080')).toBe('https://localhost.test:8080')
    expect(completeUrl('http://example.com')).toBe('http://example.com')
    expect(completeUrl('javascript:alert(1)')).toBe('javascript:alert(1)')
    expect(completeUrl('')).toBe('')
  })
})
