// Covers the fake service in happy-dom.
// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { describePreviews } from './preview-cases.js'

it('is happy-dom', () => expect(window).toHaveProperty('happyDOM'))
describe('in happy-dom, a preview', describePreviews)
