import type { Browser, CDPSession } from 'playwright-core'
import type { SamplePanel } from './dashboard-sample.ts'
import { percentile, report } from './figures.ts'

/** A window of its own, signed in. */
export async function openWindow(browser: Browser, panel: SamplePanel, isSignedIn = true) {
  const context = await browser.newContext({ baseURL: panel.url, viewport: { width: 1440, height: 900 } })
  if (isSignedIn) await context.addCookies([{ ...panel.cookie, url: panel.url }])
  const page = await context.newPage()
  const devtools: CDPSession = await context.newCDPSession(page)
  const slowDown = () => devtools.send('Emulation.setCPUThrottlingRate', { rate: panel.slowedBy })
  return { context, page, devtools, slowDown }
}

export type BenchWindow = Awaited<ReturnType<typeof openWindow>>

/** How long from a key or a press to the next picture (Event Timing), of the page that is open. What takes less than 16 ms is not listed by the browser. */
export async function watchInteractions({ page }: BenchWindow) {
  await page.addInitScript(`
    window.events = []
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => entry.interactionId && events.push(entry.duration)))
      .observe({ type: 'event', durationThreshold: 16, buffered: true })`)
  return {
    async seen(): Promise<number[]> {
      await page.waitForTimeout(500)
      return page.evaluate<number[]>('events')
    }
  }
}

export function reportInteractions(what: string, durations: readonly number[]): void {
  const value = durations.length === 0 ? 16 : percentile(durations, 0.95)
  report(`${what}: p95 of ${durations.length}`, `${value.toFixed(0)} ms`, {
    value: value / 100,
    aim: '<= 1x of 100 ms'
  })
}
