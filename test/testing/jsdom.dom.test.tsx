// Covers the fake service in jsdom.
import { describe } from 'vitest'
import { describePreviews } from './preview-cases.js'

describe('in jsdom, a preview', describePreviews)
