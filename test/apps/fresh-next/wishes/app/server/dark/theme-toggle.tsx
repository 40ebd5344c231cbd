'use client'

const toggle = () => document.documentElement.classList.toggle('dark')

export const ThemeToggle = () => <button onClick={toggle}>Theme</button>
