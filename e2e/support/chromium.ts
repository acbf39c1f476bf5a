import { existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** The same browser without windows, where Debian's package of it is installed: a page takes a fifth of the processor's time to open. */
const withoutWindows = '/usr/lib/chromium/chromium-headless-shell'
const program = process.env.CHROMIUM ?? (existsSync(withoutWindows) ? withoutWindows : '/usr/bin/chromium')

/** Debian's Chromium. Sites have addresses below apps.localhost, which it takes for this machine without asking anybody. */
export async function startChromium(): Promise<Browser> {
  await access(program).catch(() => {
    throw new Error(`Tests of pages need ${program}. Run ./panel test, or as root: apt-get install chromium`)
  })
  // As root there is no sandbox to be had; /dev/shm of a container is small.
  return chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

export interface WatchedPage {
  page: Page
  context: BrowserContext
  /** What the browser has complained of: errors of scripts, refused by the CSP, requests that found nothing. */
  complaints: string[]
}

/** A page with a session of its own, in a window of this size. */
export async function openPage(
  browser: Browser,
  baseURL: string,
  viewport = { width: 1280, height: 800 }
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL, viewport })
  // On a loaded machine what a page waits for takes long, and comes.
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // Of an answer that the page expects, the browser says so all the same.
    const isAnswer = /Failed to load resource: the server responded with a status of 4/.test(message.text())
    // A network of containers that came or went on this machine ends what is on its way; the page asks again.
    const isNetworkChange = message.text().includes('ERR_NETWORK_CHANGED')
    if (message.type() === 'error' && !isAnswer && !isNetworkChange) complaints.push(message.text())
  })
  return { page, context, complaints }
}

// Off by default, as it is experimental: what a button shows has to be in its name, or voice control cannot press it.
const axeOptions = { rules: { 'label-content-name-mismatch': { enabled: true } } }

/** What axe finds at fault, one line each. Scrolled up: what lies below something else counts as too small. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate('scrollTo(0, 0)')
  const { violations } = await new AxeBuilder({ page }).options(axeOptions).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
