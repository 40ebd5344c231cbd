import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Playground } from './playground.js'
import '../react/styles.css'
import './base.css'
import './playground.css'

const root = document.getElementById('playground')
if (root)
  createRoot(root).render(
    <StrictMode>
      <Playground />
    </StrictMode>,
  )
