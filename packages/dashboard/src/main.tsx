import './ui/mantine.css'
import './ui/tokens.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { startTransition, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { outliveThePage } from './api/client.ts'
import { createQueryClient } from './api/query-client.ts'
import { I18nProvider } from './i18n/i18n.tsx'
import { startingLocale } from './i18n/messages.ts'
import { makeRouter } from './router.tsx'
import { theme } from './ui/theme.ts'

// The DOM property: browsers hide the attribute.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
setNonce(nonce) // Dialogs lock the page's scrolling with a <style> of their own.

outliveThePage()

// In a task of its own, and as a transition, which renders in slices: on a phone one long task would block taps.
setTimeout(() => {
  const queryClient = createQueryClient()
  const router = makeRouter(queryClient)
  const root = createRoot(document.getElementById('root')!)
  startTransition(() =>
    root.render(
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <I18nProvider initial={startingLocale()}>
          <QueryClientProvider client={queryClient}>
            <Suspense fallback={null}>
              <RouterProvider router={router} />
            </Suspense>
          </QueryClientProvider>
        </I18nProvider>
      </MantineProvider>
    )
  )
})
