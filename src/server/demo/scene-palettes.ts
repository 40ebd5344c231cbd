import type { ScenePalette } from './night-scene.js'

/** For scenes within a page: the colours follow its colour scheme. */
export const pagePalette: ScenePalette = {
  skyTop: 'var(--sky-top)',
  skyBottom: 'var(--sky-bottom)',
  farHills: 'var(--far-hills)',
  nearHills: 'var(--near-hills)',
  moon: 'var(--moon)',
  reeds: 'var(--reeds)',
  heads: 'var(--heads)',
  water: 'var(--water)',
}

export const duskPalette: ScenePalette = {
  skyTop: '#2b3a67',
  skyBottom: '#f2b28c',
  farHills: '#8d7691',
  nearHills: '#4d4a70',
  moon: '#fff3d6',
  reeds: '#1b2342',
  heads: '#c8553d',
  water: '#39426f',
}

export const midnightPalette: ScenePalette = {
  skyTop: '#070b18',
  skyBottom: '#24365f',
  farHills: '#1b2949',
  nearHills: '#121d38',
  moon: '#f7e3b5',
  reeds: '#7f96c9',
  heads: '#f0a35c',
  water: '#0a1124',
}

export const dawnPalette: ScenePalette = {
  skyTop: '#9fc3d6',
  skyBottom: '#fbe3c0',
  farHills: '#a9b7a4',
  nearHills: '#6f8b7a',
  moon: '#fff6df',
  reeds: '#2f4a45',
  heads: '#b5652e',
  water: '#6f96a0',
}

export const sunsetPalette: ScenePalette = {
  skyTop: '#12233a',
  skyBottom: '#d98e5b',
  farHills: '#a5673f',
  nearHills: '#5e3a33',
  moon: '#ffeecb',
  reeds: '#1c2a2b',
  heads: '#e0a03c',
  water: '#24414a',
}
