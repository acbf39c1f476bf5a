import { existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** Headless shell of Debian's Chromium: opens a page with a fifth of the CPU time. */
const withoutWindows = '/usr/lib/chromium/chromium-headless-shell'
const program = process.env.CHROMIUM ?? (existsSync(withoutWindows) ? withoutWindows : '/usr/bin/chromium')

/** Debian's Chromium. Sites use subdomains of apps.localhost, which resolve without DNS. */
export async function startChromium(): Promise<Browser> {
  await access(program).catch(() => {
    throw new Error(`Tests of pages need ${program}. Run ./panel test, or as root: apt-get install chromium`)
  })
  // Root has no sandbox, and /dev/shm of a container is small.
  return chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

export interface WatchedPage {
  page: Page
  context: BrowserContext
  /** Console errors, CSP violations and failed requests. */
  complaints: string[]
}

export async function openPage(
  browser: Browser,
  baseURL: string,
  viewport = { width: 1280, height: 800 }
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL, viewport })
  // Pages load slowly on a busy machine.
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    const isAnswer = /Failed to load resource: the server responded with a status of 4/.test(message.text())
    // Starting or removing container networks aborts requests in flight; the page retries.
    const isNetworkChange = message.text().includes('ERR_NETWORK_CHANGED')
    if (message.type() === 'error' && !isAnswer && !isNetworkChange) complaints.push(message.text())
  })
  return { page, context, complaints }
}

// Experimental and off by default: the visible label must be in the accessible name (voice control).
const axeOptions = {
  rules: { 'label-content-name-mismatch': { enabled: true } },
  resultTypes: ['violations'],
  preload: false
}
const runAxe = `axe.run(document, ${JSON.stringify(axeOptions)}).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`

/** axe violations, one per line. Scrolls to the top, because covered elements count as too small. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const isLoaded = await page.evaluate<boolean>(`scrollTo(0, 0); 'axe' in window`)
  if (!isLoaded) await page.evaluate(axe.source)
  return page.evaluate<string[]>(runAxe)
}
