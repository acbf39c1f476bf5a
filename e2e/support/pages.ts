import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext } from 'playwright-core'
import { onTestFinished, TestRunner } from 'vitest'
import { dashboardDirectory } from '../../packages/server/src/http/dashboard.ts'
import { type Client, createTestPanel, type TestPanel } from '../../packages/server/test/support/panel.ts'
import { openPage, startChromium, type WatchedPage } from './chromium.ts'

export interface Pages {
  /** The real API with its own database; engines are in-memory fakes. */
  panel: TestPanel
  url: string
  /** A browser window signed in as this account, or anonymous. Opened in a test, it closes at the test's end. */
  open(client?: Client, viewport?: { width: number; height: number }): Promise<WatchedPage>
  close(): Promise<void>
}

let started: Promise<Browser> | undefined

/** One browser for all files of a worker; Playwright ends it with the process. */
async function sharedBrowser(): Promise<Browser> {
  if (started && !(await started).isConnected()) started = undefined
  return (started ??= startChromium())
}

/** The dashboard in Debian's Chromium, for pages that need no engine. */
export async function startPages(
  env: Record<string, string> = {},
  overrides: Parameters<typeof createTestPanel>[1] = {}
): Promise<Pages> {
  const panel = await createTestPanel(env, overrides, { dashboard: dashboardDirectory })
  await panel.app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(panel.app.server.address() as AddressInfo).port}`
  const browser = await sharedBrowser()
  const contexts = new Set<BrowserContext>()
  const end = async (context: BrowserContext) => {
    contexts.delete(context)
    for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  }
  return {
    panel,
    url,
    async open(client, viewport) {
      const opened = await openPage(browser, url, viewport)
      contexts.add(opened.context)
      // Windows that stay open would load every later change of their account.
      if (TestRunner.getCurrentTest()) onTestFinished(() => end(opened.context))
      if (client) await signIn(opened.context, url, client)
      return opened
    },
    async close() {
      for (const context of contexts) await end(context)
      await panel.close()
    }
  }
}

async function signIn(context: BrowserContext, url: string, { cookie }: Client): Promise<void> {
  const [name = '', value = ''] = cookie.split('=', 2)
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
}
