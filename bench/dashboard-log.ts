import type { Browser } from 'playwright-core'
import { type SamplePanel, sampleSizes } from './dashboard-sample.ts'
import { openWindow } from './dashboard-window.ts'
import { median, percentile, report } from './figures.ts'

/** A log of 100,000 lines with colours: what it takes of the browser's memory, whether it scrolls, how fast it is searched. */
export async function benchLog(browser: Browser, panel: SamplePanel): Promise<void> {
  const { context, page, devtools } = await openWindow(browser, panel)
  await devtools.send('HeapProfiler.enable')
  const heap = async () => {
    for (let n = 0; n < 3; n++) await devtools.send('HeapProfiler.collectGarbage')
    return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1e6
  }
  await page.goto(`/projects/${panel.projectId}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const before = await heap()
  const started = performance.now()
  await page.getByRole('link', { name: 'Deployments', exact: true }).click()
  const log = page.getByRole('region', { name: 'Deployment log' })
  await log.getByText(`chunk-${sampleSizes.logLines}.js`).waitFor()
  report('log: from a click to its last line', `${(performance.now() - started).toFixed(0)} ms`)
  // Those before its last ones come after them.
  await page.locator('button:enabled[aria-label="Download log"]').waitFor()
  report('log: from a click to all of it', `${(performance.now() - started).toFixed(0)} ms`)
  const megabytes = (await heap()) - before
  report('log: memory', `${megabytes.toFixed(1)} MB`, { value: megabytes / 60, aim: '<= 1x of 60 MB' })
  for (const [name, pixels] of [
    ['reading', 60],
    ['dragging', 8_000]
  ] as const) {
    const gaps = await page.evaluate<number[]>(framesWhileScrolling(pixels))
    report(`log: frames while ${name}, median`, `${median(gaps).toFixed(1)} ms`)
    const p95 = percentile(gaps, 0.95)
    report(`log: frames while ${name}, p95`, `${p95.toFixed(1)} ms`, { value: p95 / 17, aim: '<= 1x of 17 ms' })
  }
  const requested = performance.now()
  await page.getByLabel('Find in log').fill('needle')
  await page.getByText('1 of 10').waitFor()
  report('log: found in all of it', `${(performance.now() - requested).toFixed(0)} ms`)
  // Its last one, beyond tens of thousands of lines.
  const jumped = performance.now()
  await page.keyboard.press('Shift+Enter')
  await page.getByText('10 of 10').waitFor()
  await log.getByText(`needle`).first().waitFor()
  report('log: from a find to another one, drawn', `${(performance.now() - jumped).toFixed(0)} ms`)
  await context.close()
}

const framesWhileScrolling = (pixels: number) => `(async () => {
  const box = document.querySelector('[role=region]')
  box.scrollTop = 0
  const gaps = []
  for (let n = 0, last = performance.now(); n < 240; n++) {
    box.scrollTop += ${pixels}
    const now = await new Promise(requestAnimationFrame)
    gaps.push(now - last)
    last = now
  }
  return gaps.slice(5)
})()`
