import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../react/styles.css'
import { Playground } from './playground.js'
import './styles/page.css'
import './styles/frame.css'
import './styles/form.css'
import './styles/answer.css'

const root = document.getElementById('playground')
if (root)
  createRoot(root).render(
    <StrictMode>
      <Playground />
    </StrictMode>,
  )
