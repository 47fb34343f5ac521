import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './style/tokens.css'
import './style/base.css'
import './style/controls.css'
import './style/layers.css'
import { App } from './app.tsx'
import { applyTheme } from './parts/theme.ts'

applyTheme()

const queries = new QueryClient({
  // Everything comes from this machine: asking again costs nothing, and the server says when something has changed.
  defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false, staleTime: 30_000 } },
})

const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  )
