import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../react/styles.css'
import { Playground } from './playground.js'
import './styles/base.css'
import './styles/layout.css'
import './styles/form.css'
import './styles/code.css'
import './styles/response.css'

const root = document.getElementById('playground')
if (root)
  createRoot(root).render(
    <StrictMode>
      <Playground />
    </StrictMode>,
  )
