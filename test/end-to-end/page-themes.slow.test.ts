// Covers the theme `auto` on pages of every kind, in Chromium.
import { launchChromium } from '../shared/launch-chromium.js'
import { testThemeTable } from './theme-table.js'

for (const system of ['light', 'dark'] as const) testThemeTable(system, launchChromium)
