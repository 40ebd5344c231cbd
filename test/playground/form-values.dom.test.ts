import { describe, expect, it } from 'vitest'
import { switchableFields } from '../../src/query/help/index.js'
import { changePage, isFieldOn, parseForm, setField, setValue } from '../../src/playground/form-values.js'

const url = 'https://tern.example/'

describe('the values of the form', () => {
  it('contain no parameter with its default', () => {
    expect(setValue({ ttl: '1h', url }, 'ttl', '')).toEqual({ url })
    expect(setValue({ javascript: 'false' }, 'javascript', 'true')).toEqual({})
    expect(setValue({}, 'adblock', 'false')).toEqual({ adblock: 'false' })
  })

  it.each([
    ['element', '#main'],
    ['overlay.browser', 'dark'],
    ['screenshot.type', 'png'],
    ['embed', 'true'],
  ])('switch the screenshot on when %s is set, and lose it together with the screenshot', (name, text) => {
    const values = setValue({ url }, name, text)
    expect(values).toEqual({ url, [name]: text, screenshot: 'true' })
    expect(setValue(values, 'screenshot', 'false')).toEqual({ url })
  })

  it('need no screenshot for embedded HTML', () => {
    expect(setValue({}, 'embed', 'html')).toEqual({ embed: 'html' })
  })

  it('list the fields that are off, or false for the group when all are', () => {
    const allFields = ['image', 'logo'] as const
    const noImage = setField({ url }, 'ping', { field: 'image', isOn: false, allFields })
    expect(noImage).toEqual({ url, 'ping.image': 'false' })
    expect(isFieldOn(noImage, 'ping', 'logo')).toBe(true)
    const none = setField(noImage, 'ping', { field: 'logo', isOn: false, allFields })
    expect(none).toEqual({ url, ping: 'false' })
    expect(setField(none, 'ping', { field: 'image', isOn: true, allFields })).toEqual({ url, 'ping.logo': 'false' })
    expect(setField(noImage, 'ping', { field: 'image', isOn: true, allFields })).toEqual({ url })
    const { query } = parseForm(
      setField({ url }, 'meta', { field: 'audio', isOn: false, allFields: switchableFields.meta }),
    )
    expect(query && decodeURIComponent(query.text)).toBe(`meta.audio=false&url=${url}`)
  })

  it('lose the selectors of a page when another page is selected', () => {
    const values = { url, element: '#a', waitForSelector: '#b', click: '#c', scroll: '#d', screenshot: 'true' }
    expect(changePage(values, 'https://kiln.example/')).toEqual({ url: 'https://kiln.example/', screenshot: 'true' })
  })
})
