import { type Browser, chromium, type Page } from 'playwright-core'
import { benchChunks } from './dashboard-chunks.ts'
import { benchLongLists } from './dashboard-lists.ts'
import { benchLog } from './dashboard-log.ts'
import { sampleSizes, type SamplePanel, serveSample } from './dashboard-sample.ts'
import { openWindow, reportInteractions, watchInteractions } from './dashboard-window.ts'
import { median, report } from './figures.ts'
import { step } from './step.ts'

const contexts = 5
interface Load {
  kB: number
  lcp: number
  blocked: number
  shift: number
}
interface Seen {
  lcp: number
  blocked: number
  shift: number
}

const budgetOf = (name: string): Load => ({ kB: name === 'sign-in' ? 170 : 220, lcp: 1_500, blocked: 700, shift: 0.05 })

/** `slowedBy`: less than the usual 4 on a machine that is slower than the usual. What the dashboard costs who opens it: transfer, first paint, interactions and a long log, in Debian's Chromium against a panel of its own. */
export async function benchDashboard(slowedBy: number): Promise<void> {
  const panel = await serveSample(slowedBy)
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage']
  })
  try {
    report('processor of the pages slowed', `${slowedBy}x`)
    for (const [name, path] of [
      ['sign-in', '/login'],
      ['projects', '/projects'],
      ['domains', '/domains'],
      ['deployments', `/projects/${panel.usualProjectId}/deployments`],
      [`deployments, ${sampleSizes.logLines.toLocaleString('en')} lines`, longLogOf(panel)]
    ] as const) {
      const loads: Load[] = []
      for (let n = 0; n < contexts; n++)
        loads.push(await step(`${name}: load ${n + 1} of ${contexts}`, () => load(browser, panel, path)))
      reportLoad(name, loads)
    }
    await benchChunks()
    await step('typing and pressing', () => benchInteractions(browser, panel))
    await step('long lists', () => benchLongLists(browser, panel))
    await step('a long log', () => benchLog(browser, panel))
  } finally {
    await browser.close()
    await panel.stop()
  }
}

function reportLoad(name: string, loads: readonly Load[]): void {
  const budget = budgetOf(name)
  const row = (what: keyof Load, unit: string, digits: number, of: (values: number[]) => number) => {
    const value = of(loads.map((each) => each[what]))
    const figure = `${value.toFixed(digits)}${unit}`
    report(`${name}: ${what}`, figure, { value: value / budget[what], aim: `<= 1x of ${budget[what]}${unit}` })
  }
  row('kB', ' kB', 1, median)
  row('lcp', ' ms', 0, median)
  row('blocked', ' ms', 0, median)
  row('shift', '', 3, (values) => Math.max(...values))
}

const longLogOf = (panel: SamplePanel) => `/projects/${panel.projectId}/deployments`
const settled = (page: Page) => page.locator('main tbody tr, main [role=region], main form').first().waitFor()

async function load(browser: Browser, panel: SamplePanel, path: string): Promise<Load> {
  const { context, page, devtools, slowDown } = await openWindow(browser, panel, path !== '/login')
  await devtools.send('Network.enable')
  await slowDown()
  const ofApi = new Set<string>()
  let bytes = 0
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (new URL(request.url).pathname.startsWith('/api/')) ofApi.add(requestId)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!ofApi.has(requestId)) bytes += encodedDataLength
  })
  await page.addInitScript(watchPaints)
  await page.goto(path)
  await settled(page)
  // Of a long log each piece is a larger paint, until its end.
  if (path === longLogOf(panel)) await page.getByText(`chunk-${sampleSizes.logLines}.js`).waitFor()
  await page.waitForTimeout(1_500)
  const seen = await page.evaluate<Seen>('seen')
  await context.close()
  return { kB: bytes / 1_000, ...seen }
}

const watchPaints = `
  window.seen = { lcp: 0, blocked: 0, shift: 0 }
  const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('largest-contentful-paint', (entry) => (seen.lcp = entry.startTime))
  watch('longtask', (entry) => (seen.blocked += Math.max(0, entry.duration - 50)))
  watch('layout-shift', (entry) => (seen.shift += entry.hadRecentInput ? 0 : entry.value))
`

async function benchInteractions(browser: Browser, panel: SamplePanel): Promise<void> {
  const opened = await openWindow(browser, panel)
  const { context, page, slowDown } = opened
  const interactions = await watchInteractions(opened)
  await slowDown()
  const durations: number[] = []
  for (const [path, box] of [
    ['/projects', 'Search projects'],
    ['/domains', 'Search domains']
  ] as const) {
    await page.goto(path)
    await settled(page)
    await page.getByRole('textbox', { name: box }).click()
    for (const letter of 'project') await page.keyboard.type(letter, { delay: 90 })
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('Escape')
    durations.push(...(await interactions.seen()))
  }
  await context.close()
  reportInteractions('interactions', durations)
}
